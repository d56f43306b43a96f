//! What is refused, and in which words.

use super::{place, stderr};

/// Arguments, exit code, and what the message must say.
#[test]
fn mistakes_are_named_with_their_remedy() {
    let place = place();
    std::fs::create_dir(place.path("folder.csv")).unwrap();
    std::fs::write(place.path("broken.toml"), "name = \"x\"\n[held\n").unwrap();
    let cases = [
        ("run no-such-scene", 1, "`no-such-scene`: possible are"),
        ("run missing.toml", 1, "missing.toml: cannot be read"),
        ("run broken.toml", 1, "broken.toml, line 2"),
        ("run small.toml --set friction.sttic=0.3", 1, "did you mean `static`?"),
        ("run small.toml --set frction.static=0.3", 1, "did you mean `friction`?"),
        ("run small.toml --set friction.method=hodl", 1, "did you mean `hold`?"),
        ("run small.toml --set friction.static=many", 1, "`static` must be a number"),
        ("run small.toml --set held.points=-3", 1, "points"),
        ("run small.toml --set friction.static", 2, "expected key=value"),
        ("run small.toml --set =3", 2, "expected key=value"),
        ("run small.toml --set friction.static=0.3 --set friction.kinetic=0.5", 1, "kinetic"),
        ("run small.toml --friction hodl", 2, "tip: a similar value exists: 'hold'"),
        ("run small.toml --mu -1", 2, "at least zero"),
        ("run small.toml --seconds 0", 2, "above zero"),
        ("run small.toml --rate -5", 2, "above zero"),
        ("run small.toml --metric mass", 2, "--metric has no effect: the friction method is \"hold\""),
        ("run small.toml --friction none --mu 0.3", 2, "--mu has no effect"),
        ("run small.toml --set friction.static=0.9", 1, "set friction.pair.0.static"),
        ("record small.toml -o a.mcap --set friction.static=0.9", 1, "set friction.pair.0.static"),
        ("view small.toml --no-open --set friction.spring_stiffness=9", 1, "friction.spring_stiffness has no effect"),
        ("run small.toml --set run.engine_rate=100", 2, "run.engine_rate has no effect without a device"),
        ("run part.stl", 1, "`stiction new part.stl OTHER.stl` makes a scene"),
        ("view part.obj --no-open", 1, "part.obj is a mesh, not a scene"),
        ("view no-such-scene --no-open", 1, "`no-such-scene`: possible are"),
        ("run run.mcap", 1, "run.mcap is a recording, not a scene: `stiction replay run.mcap`"),
        ("record run.mcap -o a.mcap", 1, "run.mcap is a recording, not a scene"),
        ("run part.shape", 1, "part.shape is a baked shape, not a scene"),
        ("run small.toml --trace run.txt", 2, ".csv or .parquet"),
        ("run small.toml --contacts last.parquet", 2, ".csv"),
        ("run small.toml --trace a.csv --contacts a.csv", 2, "the same file"),
        ("run small.toml --trace nowhere/run.csv", 1, "there is no folder nowhere"),
        ("run small.toml --trace folder.csv", 1, "it is a folder"),
        ("run", 2, "<SCENE>"),
    ];
    for (arguments, code, words) in cases {
        let output = place.run(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(message.contains(words), "{arguments}: {message}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert!(!message.contains("panicked"), "{message}");
    }
    assert!(
        !place.list("").iter().any(|name| name.contains("a.csv"))
            && !place.list("").iter().any(|name| name.contains(".part"))
    );
}

#[test]
fn a_place_that_cannot_be_written_is_found_before_the_run() {
    let place = place();
    // Even root may not write there.
    let output = place.run("run small.toml --seconds 1000000 --trace /proc/run.csv");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/proc/run.csv: cannot write"), "{}", stderr(&output));
}

/// A run whose contacts were so stiff that no tick could be solved once ended with code 0.
#[test]
fn a_run_without_an_answer_ends_with_an_error() {
    let place = place();
    let output = place.run("run small.toml --set contact.stiffness=1e300 --json");
    let (message, object) = (stderr(&output), String::from_utf8(output.stdout.clone()).unwrap());
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("ticks could not be solved, so the run has no answer"), "{message}");
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert!(2 * object["ticks_unsolved"].as_u64().unwrap() > object["ticks"].as_u64().unwrap(), "{object}");
}

/// Options in a message must be options of the command at hand, or be told with the command that has them.
#[test]
fn advice_names_options_that_the_command_has() {
    let place = place();
    let two_hands = "[[body]]\nname = \"a\"\nsolid = \"box\"\nsize = [0.02, 0.02, 0.02]\n[[body]]\nname = \"b\"\nsolid = \"box\"\nsize = [0.02, 0.02, 0.02]\n\
                     [[hand]]\nholds = \"a\"\n[[hand]]\nholds = \"b\"\n";
    place.write("two.toml", two_hands);
    place.good("solid box --size 20mm,20mm,20mm -o box.stl");
    place.good("new box.stl box.stl -o made.toml --force");
    let help = |command: &str| String::from_utf8(place.run(&format!("{command} --help")).stdout).unwrap();
    let mut advised = 0;
    for line in [
        "run two.toml",
        "run small.toml --friction none --mu 1",
        "run small.toml --metric mass",
        "run small.toml --set run.engine_rate=100",
        "run small.toml --device sim --rate 5",
        "record small.toml -o a.mcap --set run.rate=5",
        "run run.mcap",
        "view part.stl",
        "view run.mcap --set a=b",
        "new box.stl box.stl -o made.toml",
        "inspect box.stl",
        "bake box.stl --unit m",
        "solid box --size 1,1,1 -o other.stl",
    ] {
        let output = place.run(line);
        let told = [output.stdout.clone(), output.stderr.clone()].concat();
        let told = String::from_utf8(told).unwrap();
        let own = line.split_whitespace().next().unwrap();
        // Texts in backquotes, and what comes after "Next:", are commands of their own.
        let (next, told): (Vec<&str>, Vec<&str>) =
            told.lines().partition(|l| l.contains("stiction ") && !l.contains('`'));
        let told = told.join("\n");
        let (quoted, plain): (Vec<_>, Vec<_>) = told.split('`').enumerate().partition(|(i, _)| i % 2 == 1);
        let commands = quoted.iter().map(|(_, text)| *text).chain(next).filter_map(|text| {
            let words: Vec<&str> = text.split_once("stiction ")?.1.split_whitespace().collect();
            let solid = words.first() == Some(&"solid");
            Some((if solid { "solid box".to_owned() } else { words.first()?.to_string() }, words.join(" ")))
        });
        let plain = plain.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ");
        for (command, text) in commands.chain([(own.to_owned(), plain)]) {
            let options = help(&command);
            for option in text
                .split(|c: char| c.is_whitespace() || "(),.:;=[]<>'\"".contains(c))
                .filter(|w| w.starts_with("--") && w.len() > 2)
            {
                advised += 1;
                assert!(options.contains(option), "{line}: {command} has no {option}: {told}");
            }
        }
    }
    assert!(advised > 10, "only {advised} options were advised");
}
