//! Tests of the pages for people: the README, the guide and the rest of `docs`. Commands must be taken by the parsers of `stiction` and `stiction-lab`, `make` targets,
//! links and paths must exist, and scenes must be read. Rust blocks are doc tests of `stiction-session` (`src/documents.rs` there).

use clap::{Parser, error::ErrorKind};
use std::fs;
use std::path::Path;
use stiction_scene::{Scene, Setting};

#[path = "../../stiction-cli/tests/documents/mod.rs"]
mod documents;

use documents::{FencedBlock, pages, root, words};

/// Two parts for blocks that are only a piece of a scene.
const PARTS: &str = r#"
held = { solid = "box", size = [0.02, 0.02, 0.02] }
fixed = { solid = "plate", size = [0.1, 0.1], thickness = 0.02 }
"#;

/// What is wrong with a command. One within a sentence may leave out required words, as in "`stiction bake`".
fn check_command(line: &str, in_sentence: bool) -> Result<(), String> {
    let words = words(line);
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(()),
        ["stiction", ..] => {
            check_flags(stiction_cli::Cli::try_parse_from(&words), in_sentence).and_then(|()| check_scene(&words))
        }
        ["stiction-lab", ..] => check_flags(crate::Cli::try_parse_from(&words), in_sentence),
        ["make", ref targets @ ..] => {
            let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
            let known = |target: &&str| makefile.lines().any(|l| l.starts_with(&format!("{target}:")));
            targets.iter().find(|t| !known(t)).map_or(Ok(()), |t| Err(format!("there is no target {t}")))
        }
        ["cargo", ref flags @ ..] => {
            let after = |flag| flags.iter().position(|f| *f == flag).and_then(|i| flags.get(i + 1));
            let package = after("-p").map(|name| format!("crates/{name}")).or(after("--path").map(|p| p.to_string()));
            let package = package.ok_or("which package?")?;
            let file = after("--example").map_or("Cargo.toml".into(), |name| format!("examples/{name}.rs"));
            exists(&root().join(package).join(file))
        }
        [program, ..] => exists(&root().join(program)),
    }
}

fn check_flags<T>(parsed: Result<T, clap::Error>, in_sentence: bool) -> Result<(), String> {
    match parsed {
        Err(e) if !in_sentence || !is_incomplete(e.kind()) => Err(e.to_string()),
        _ => Ok(()),
    }
}

fn is_incomplete(kind: ErrorKind) -> bool {
    use ErrorKind::{DisplayHelpOnMissingArgumentOrSubcommand, MissingRequiredArgument, MissingSubcommand};
    [DisplayHelpOnMissingArgumentOrSubcommand, MissingRequiredArgument, MissingSubcommand].contains(&kind)
}

/// A scene that is named must be there and take the keys that are set.
fn check_scene(words: &[String]) -> Result<(), String> {
    let [_, command, scene, rest @ ..] = words else { return Ok(()) };
    let is_name = scene.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !scene.starts_with('-');
    if !["run", "view", "record"].contains(&command.as_str()) || !is_name {
        return Ok(());
    }
    let set = rest.windows(2).filter(|pair| pair[0] == "--set").map(|pair| pair[1].parse::<Setting>());
    let set = set.collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    let read = Scene::find(scene).and_then(|source| Scene::read(&source, &set));
    read.map(drop).map_err(|e| e.to_string())
}

fn exists(path: &Path) -> Result<(), String> {
    if path.exists() { Ok(()) } else { Err(format!("there is no {}", path.display())) }
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|l| l.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    headings
        .map(|h| {
            h.trim_start_matches('#').trim().chars().filter(kept).collect::<String>().to_lowercase().replace(' ', "-")
        })
        .collect()
}

fn check_link(page: &str, link: &str) -> Result<(), String> {
    if link.contains("://") {
        return Ok(());
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let here = root().join(page);
    let path = if file.is_empty() { here.clone() } else { here.parent().unwrap().join(file) };
    exists(&path)?;
    let known = || anchors(&fs::read_to_string(&path).unwrap()).contains(&anchor.to_owned());
    if anchor.is_empty() || known() { Ok(()) } else { Err(format!("{file} has no heading #{anchor}")) }
}

/// Fails with everything that is wrong on any page.
fn assert_fine(found: impl Iterator<Item = (String, String, Result<(), String>)>) {
    let mut count = 0;
    let wrong = found.inspect(|_| count += 1).filter_map(|(page, what, check)| Some((page, what, check.err()?)));
    let wrong: Vec<String> = wrong.map(|(page, what, why)| format!("{page}: {what}: {why}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 0, "nothing was checked");
}

#[test]
fn every_block_is_of_a_kind_that_is_tested() {
    let tested = fs::read_to_string(root().join("crates/stiction-session/src/documents.rs")).unwrap();
    for page in pages() {
        let included = tested.contains(&format!("include_str!(\"../../../{}\")", page.path));
        assert!(included || !page.path.starts_with("docs/guide/"), "{} is not among the doc tests", page.path);
        for FencedBlock { language, text } in page.parts().0 {
            let known = match language.as_str() {
                "rust" | "rust,no_run" => included,
                "sh" | "toml" => true,
                _ => false,
            };
            assert!(known, "{}: no test looks at this block of \"{language}\":\n{text}", page.path);
        }
    }
}

#[test]
fn commands_are_taken_by_the_program_and_the_makefile() {
    assert_fine(pages().into_iter().flat_map(|page| {
        let blocks = page.blocks("sh").join("\n");
        let lines: Vec<_> = blocks.lines().map(|line| (line.to_owned(), check_command(line, false))).collect();
        let spans = page
            .code_spans()
            .into_iter()
            .filter(|s| ["stiction ", "stiction-lab ", "make ", "cargo run "].iter().any(|p| s.starts_with(p)));
        let spans: Vec<_> = spans.map(|s| (s.clone(), check_command(&s, true))).collect();
        lines.into_iter().chain(spans).map(move |(what, check)| (page.path.clone(), what, check))
    }));
}

/// The commands of scenes' own pages, which are indented: `--set damping.alpha=0.9` stood there for a scene with hard contacts, which have no damping.
#[test]
fn commands_of_scenes_are_taken() {
    let folders = fs::read_dir(root().join("scenes")).unwrap().map(|item| item.unwrap().path());
    let pages: Vec<_> = folders.map(|folder| folder.join("README.md")).filter(|page| page.is_file()).collect();
    assert_fine(pages.into_iter().flat_map(|page| {
        let text = fs::read_to_string(&page).unwrap();
        let commands: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned).collect();
        assert!(!commands.is_empty(), "{}: no command", page.display());
        commands.into_iter().map(move |line| (page.display().to_string(), line.clone(), check_command(&line, false)))
    }));
}

#[test]
fn scenes_are_read() {
    // The meshes that scenes name must be there; what is in them is read later.
    let folder = std::env::temp_dir().join(format!("stiction-documents-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    ["part.stl", "board.stl"].iter().for_each(|mesh| fs::write(folder.join(mesh), "").unwrap());
    let origin = &folder.join("scene.toml");
    assert_fine(pages().into_iter().flat_map(|page| {
        let blocks = page.blocks("toml");
        let check = move |block: String| {
            let whole = if block.contains("[held]") || block.contains("[[body]]") {
                block.clone()
            } else {
                format!("{PARTS}{block}")
            };
            let read = Scene::parse(&whole, origin, &[]);
            (page.path.clone(), block, read.map(drop).map_err(|e| e.to_string()))
        };
        blocks.into_iter().map(check)
    }));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn links_and_paths_exist() {
    assert_fine(pages().into_iter().flat_map(|page| {
        let (_, prose) = page.parts();
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link.to_owned());
        let links: Vec<_> = links.map(|link| (link.clone(), check_link(&page.path, &link))).collect();
        let folders = ["crates/", "docs/", "scenes/", "bench/", "figures/", "web/", "fuzz/", ".cargo/"];
        // `make page` makes web/dist.
        let is_path =
            |s: &String| folders.iter().any(|f| s.starts_with(f)) && !s.contains([' ', '<', '…']) && s != "web/dist";
        let paths: Vec<_> = page.code_spans().into_iter().filter(is_path).collect();
        let paths = paths.into_iter().map(|path| (path.clone(), exists(&root().join(path))));
        links.into_iter().chain(paths).map(move |(what, check)| (page.path.clone(), what, check))
    }));
}

#[test]
fn a_wrong_command_link_or_scene_is_found() {
    assert_eq!(words("a 'b c=d' e#f # g"), ["a", "b c=d", "e#f"]);
    for line in [
        "stiction dance",
        "stiction bake",
        "stiction bench tick",
        "stiction-lab bench tock",
        "stiction run corner-cub",
        "stiction run corner-cube --set friction.statc=1",
        "make nothing",
        "cargo run -p stiction --example nothing",
        "bench/peers/run-nothing",
    ] {
        assert!(check_command(line, false).is_err(), "{line}");
    }
    assert!(check_command("stiction bake", true).is_ok() && check_command("# a comment", false).is_ok());
    assert!(check_link("docs/limits.md", "#nothing").is_err() && check_link("docs/limits.md", "nothing.md").is_err());
}
