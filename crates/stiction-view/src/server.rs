//! The server: the page, shapes, and a WebSocket for each page.

use crate::director::{self, DirectorSettings, FirstShown};
use crate::display::{MAX_POINTS, SliceAxis, slice};
use crate::guard::Guard;
use crate::state::{SharedState, locked};
use crate::{connection, hub, page, sockets};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::json;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use stiction_bake::cache::Cache;
use stiction_scene::Setting;
use stiction_session::{Carry, HandWord, SimWord};

/// Settings of [`serve`].
pub struct ViewOptions {
    /// The scene or recording that is shown first.
    pub first: FirstShown,
    /// Overrides of its scene.
    pub given: Vec<Setting>,
    /// A simulated device that moves the hand instead of a page, and the hand that holds it.
    pub device: Option<(SimWord, HandWord)>,
    /// Cache of baked shapes; `None` bakes them anew.
    pub cache: Option<Cache>,
    /// Real-time priority of the loop's thread; `None` for the system's normal one.
    pub priority: Option<i32>,
    /// Folder of the recordings.
    pub recordings: PathBuf,
    /// What recordings carry besides their ticks.
    pub carry: Carry,
    /// Folders in which files of recordings are looked for, if these do not carry them.
    pub meshes: Vec<PathBuf>,
    /// A page that holds the part and has done nothing for so long loses it to one that asks for it.
    pub take_over: Duration,
    /// Token that pages must send; required if the address is not loopback.
    pub token: Option<String>,
    /// Prints a line to the terminal.
    pub tell: Box<dyn Fn(&str) + Send>,
    /// Whether to end; asked ten times a second.
    pub stopped: Box<dyn Fn() -> bool>,
}

/// Errors from starting the viewer's server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The address is not loopback and there is no token, so anybody could move the part.
    #[error("beyond loopback pages must know a token")]
    NoToken,
    /// The system refused something.
    #[error("the viewer cannot run: {0}")]
    System(#[from] std::io::Error),
}

/// Requests that may wait for the director.
const WAITING: usize = 32;

#[derive(Clone)]
pub(crate) struct App {
    pub shared: Arc<SharedState>,
    guard: Arc<Guard>,
    pub scenes: Arc<Vec<String>>,
}

/// Serves pages on a listener until it is told to stop.
///
/// # Errors
/// [`ViewError`] where the system refuses threads or sockets, or there is no token beyond loopback.
pub fn serve(listener: TcpListener, options: ViewOptions) -> Result<(), ViewError> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() && options.token.is_none() {
        return Err(ViewError::NoToken);
    }
    let (requests, asked) = mpsc::sync_channel(WAITING);
    let (loops, new_loops) = mpsc::channel();
    let ViewOptions {
        first,
        given,
        device,
        cache,
        priority,
        recordings,
        carry,
        meshes,
        take_over,
        token,
        tell,
        stopped,
    } = options;
    let shared = Arc::new(SharedState::new(requests, recordings, take_over));
    let mut scenes = stiction_scene::Scene::names();
    if let FirstShown::Scene(scene) = &first
        && !scenes.contains(scene)
    {
        scenes.insert(0, scene.clone());
    }
    let settings = DirectorSettings { cache, given, device, priority, carry, meshes, tell };
    let (for_hub, for_director) = (Arc::clone(&shared), Arc::clone(&shared));
    // Worlds and views of a fixed size are built on the stack, which takes several copies of them in a build without optimisation.
    let named = |name: &str| std::thread::Builder::new().name(name.into()).stack_size(16 << 20);
    let hub = named("stiction-hub").spawn(move || hub::run(&for_hub, &new_loops))?;
    let director =
        named("stiction-director").spawn(move || director::run(for_director, &asked, loops, first, settings))?;
    let app =
        App { shared: Arc::clone(&shared), guard: Arc::new(Guard::new(address, token)), scenes: Arc::new(scenes) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            never = sockets::serve(listener, routes(app)) => match never {},
            () = connection::watch_roles(Arc::clone(&shared)) => {}
            () = until(stopped) => {}
        }
        Ok::<(), std::io::Error>(())
    });
    runtime.shutdown_timeout(Duration::from_millis(200));
    // A recording is ended while the hub still sees the loop. Both end by themselves; a panic in there was told already.
    shared.cancel.store(true, Relaxed);
    let _ = shared.requests.send(None);
    let _ = director.join();
    shared.stop.store(true, Relaxed);
    let _ = hub.join();
    Ok(served?)
}

async fn until(stopped: Box<dyn Fn() -> bool>) {
    while !stopped() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn routes(app: App) -> Router {
    let api = Router::new()
        .route("/api/session", get(session))
        .route("/api/mesh/{generation}/{part}", get(mesh))
        .route("/api/mesh/{generation}/body/{number}", get(body_mesh))
        .route("/api/shell/{generation}", get(shell))
        .route("/api/slice/{generation}/{part}", get(slice_of))
        .route("/api/survey/{generation}", get(survey))
        .route("/api/recordings/{name}", get(recording))
        .route("/api/stats", get(stats))
        .layer(middleware::from_fn_with_state(app.clone(), with_token));
    Router::new()
        .route("/", get(|headers: HeaderMap| async move { page::file("", &headers) }))
        .route(
            "/{*path}",
            get(|Path(path): Path<String>, headers: HeaderMap| async move { page::file(&path, &headers) }),
        )
        .layer(middleware::from_fn_with_state(app.clone(), from_own_page))
        .merge(api)
        .with_state(app)
}

/// Lets only requests of the viewer's own page pass.
async fn from_own_page(State(app): State<App>, request: Request, next: Next) -> Response {
    match app.guard.origin(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Lets only requests of the viewer's own page pass that have the token, where there is one.
async fn with_token(State(app): State<App>, request: Request, next: Next) -> Response {
    match app.guard.check(request.headers(), request.uri().query()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

async fn session(State(app): State<App>, upgrade: WebSocketUpgrade) -> Response {
    if locked(&app.shared.roles).count() >= connection::MOST_PAGES {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open: close one\n").into_response();
    }
    upgrade
        .max_message_size(connection::LARGEST)
        .max_frame_size(connection::LARGEST)
        .on_upgrade(move |socket| connection::run(socket, app))
}

/// Shapes never change within a generation, but generations of another run do.
fn shape_bytes(bytes: Option<Bytes>) -> Response {
    match bytes {
        Some(bytes) => {
            ([(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, "no-store")], bytes)
                .into_response()
        }
        None => (StatusCode::NOT_FOUND, "no such shape\n").into_response(),
    }
}

async fn mesh(State(app): State<App>, Path((generation, part)): Path<(u32, String)>) -> Response {
    let bytes = app.shared.shapes(generation).and_then(|shapes| match part.as_str() {
        "held" => Some(shapes.held.clone()),
        "fixed" => Some(shapes.fixed.clone()),
        _ => None,
    });
    shape_bytes(bytes)
}

async fn body_mesh(State(app): State<App>, Path((generation, number)): Path<(u32, usize)>) -> Response {
    shape_bytes(app.shared.shapes(generation).and_then(|shapes| shapes.bodies.get(number).cloned()))
}

async fn shell(State(app): State<App>, Path(generation): Path<u32>) -> Response {
    shape_bytes(app.shared.shapes(generation).map(|shapes| shapes.shell.clone()))
}

/// The plane of a slice: its axis, and where it is between the ends of the field (0 to 1).
#[derive(Deserialize)]
struct SlicePlane {
    axis: Option<SliceAxis>,
    at: Option<f64>,
}

async fn slice_of(
    State(app): State<App>,
    Path((generation, part)): Path<(u32, String)>,
    plane: Result<Query<SlicePlane>, QueryRejection>,
) -> Response {
    let Ok(Query(SlicePlane { axis: Some(axis), at })) = plane else {
        return (StatusCode::BAD_REQUEST, "axis must be x, y or z, and at a number\n").into_response();
    };
    let bytes = app.shared.shapes(generation).and_then(|shapes| {
        let [held, fixed] = &shapes.parts;
        let shape = match part.as_str() {
            "held" => held,
            "fixed" => fixed,
            _ => return None,
        };
        Some(Bytes::from(slice(shape, axis, at.unwrap_or(0.5), MAX_POINTS - 1)))
    });
    shape_bytes(bytes)
}

/// A stretch of a recording's survey: between two moments (s), in at most so many rows.
#[derive(Deserialize)]
struct SurveyStretch {
    from: f64,
    to: f64,
    rows: usize,
}

async fn survey(
    State(app): State<App>,
    Path(generation): Path<u32>,
    stretch: Result<Query<SurveyStretch>, QueryRejection>,
) -> Response {
    let Ok(Query(SurveyStretch { from, to, rows })) = stretch else {
        return (StatusCode::BAD_REQUEST, "from and to must be numbers (s), and rows a whole number\n").into_response();
    };
    let known = locked(&app.shared.survey).clone().filter(|(own, _)| *own == generation);
    match known {
        Some((_, survey)) => shape_bytes(Some(Bytes::from(survey.rows(from, to, rows)))),
        None => (StatusCode::NOT_FOUND, "no recording of that generation is shown\n").into_response(),
    }
}

/// Longer recordings are fetched from the folder.
const LARGEST_DOWNLOAD: u64 = 1 << 30;

async fn recording(State(app): State<App>, Path(name): Path<String>) -> Response {
    if crate::wire::file_name(&name).is_err() {
        return (StatusCode::NOT_FOUND, "no such recording\n").into_response();
    }
    let path = app.shared.folder.join(&name);
    let read = tokio::task::spawn_blocking(move || {
        let small = std::fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= LARGEST_DOWNLOAD);
        small.then(|| std::fs::read(&path).ok()).flatten()
    });
    match read.await.ok().flatten() {
        Some(bytes) => {
            let as_file = format!("attachment; filename=\"{name}\"");
            (
                [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_DISPOSITION, as_file)],
                bytes,
            )
                .into_response()
        }
        None => (StatusCode::NOT_FOUND, "no such recording, or too large: copy it from the folder\n").into_response(),
    }
}

async fn stats(State(app): State<App>) -> Response {
    let shared = &app.shared;
    let counters = &shared.counters;
    let pages = locked(&shared.roles).count();
    let told = locked(&shared.stats).as_ref().map(|s| {
        let quantiles = |h: &stiction_device::histogram::Histogram| {
            json!({
                "count": h.count(), "mean_ns": h.mean(), "p50_ns": h.percentile(0.5), "p99_ns": h.percentile(0.99), "longest_ns": h.longest()
            })
        };
        json!({
            "ticks": quantiles(&s.compute), "late": quantiles(&s.late), "period": quantiles(&s.period), "skipped": s.skipped.load(Relaxed)
        })
    });
    let text = json!({
        "version": env!("CARGO_PKG_VERSION"), "pages": pages, "frames_made": counters.frames.load(Relaxed), "frames_sent": counters.sent.load(Relaxed),
        "malformed_messages": counters.malformed.load(Relaxed), "loop": told,
    });
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], format!("{text}\n"))
        .into_response()
}
