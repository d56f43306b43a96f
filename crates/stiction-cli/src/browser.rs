//! The user's browser, opened on the viewer's page.

use std::thread;

/// Opens the user's browser on an address, on a thread of its own: an opener that fails at once is followed by the next. `failed` gets the reason if
/// none was opened, as a part of a sentence. That nothing failed does not mean that a page is seen, so the address should be printed too.
pub fn open(url: String, failed: impl FnOnce(String) + Send + 'static) {
    let work = move || {
        if let Err(why) = open_now(&url) {
            failed(why);
        }
    };
    // Without a thread for it the user opens the address by hand.
    let _ = thread::Builder::new().name("browser".into()).spawn(work);
}

fn open_now(url: &str) -> Result<(), String> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    // Programs that the user names are asked first, display or not: they may open a page on another machine, as editors' remote terminals do.
    // Colons are between programs; on Windows they are part of paths.
    let named = set("BROWSER").and_then(|value| value.into_string().ok()).unwrap_or_default();
    let mut programs = named.split(if cfg!(windows) { '\0' } else { ':' }).map(str::trim).filter(|p| !p.is_empty());
    if programs.any(|program| open::with_detached(url, program).is_ok()) {
        return Ok(());
    }
    // Linux under Windows opens pages there.
    let needs_display = cfg!(unix) && !cfg!(target_os = "macos") && set("WSL_DISTRO_NAME").is_none();
    if needs_display && set("DISPLAY").is_none() && set("WAYLAND_DISPLAY").is_none() {
        return Err("no display".into());
    }
    open::that_detached(url).map_err(|error| error.to_string())
}
