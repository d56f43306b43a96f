//! The page's types of a tick's columns are what the tables of the engine say.

use std::fmt::Write as _;
use std::path::Path;
use stiction::columns::{Column, ColumnKind, Words};
use stiction::simulation::HAND_COLUMNS;
use stiction::trace::OWN_COLUMNS;

const HEAD: &str = "\
// The columns of a tick, made from the tables of the engine by `STICTION_UPDATE=1 cargo test -p stiction-view --test columns`: do not edit.
// The table in force comes with each world; an engine may have columns that are not here.
";

/// One type; words of columns go into `words`.
fn columns_type(out: &mut String, words: &mut String, name: &str, doc: &str, columns: &[Column]) {
    let mut add = |column: &Column, list: &Words| {
        let list: Vec<String> = list.iter().map(|word| format!("\"{word}\"")).collect();
        let _ = writeln!(words, "  {}: [{}],", column.name, list.join(", "));
        format!("(typeof WORDS.{})[number]", column.name)
    };
    let (mut numbers, mut others) = (Vec::new(), String::new());
    for column in columns {
        let kind = match &column.kind {
            ColumnKind::Real | ColumnKind::Count => {
                numbers.push(format!("\"{}\"", column.name));
                continue;
            }
            ColumnKind::Choice(list) => add(column, list),
            ColumnKind::Flags(list) => format!("readonly {}[]", add(column, list)),
        };
        let _ = write!(others, " {}: {kind};", column.name);
    }
    let numbers: Vec<String> = numbers.chunks(6).map(|some| format!("  | {}", some.join(" | "))).collect();
    let _ = writeln!(
        out,
        "\n/** {doc} */\nexport type {name} = Record<\n{},\n  number\n> & {{{others} }};",
        numbers.join("\n")
    );
}

fn wanted() -> String {
    let (mut types, mut words) = (String::new(), String::new());
    let put = [
        ("HandColumns", "Columns that every engine has.", &HAND_COLUMNS[..]),
        ("OwnColumns", "Columns of the quasi-static engine beyond those.", &OWN_COLUMNS[..]),
        (
            "VolumeColumns",
            "Columns of the engine of contact volumes beyond those.",
            &stiction_volume::tick::OWN_COLUMNS[..],
        ),
    ];
    for (name, doc, columns) in put {
        columns_type(&mut types, &mut words, name, doc, columns);
    }
    format!(
        "{HEAD}\n/** Words for the numbers and bits of columns. */\nexport const WORDS = {{\n{words}}} as const;\n{types}\n\
         /** A tick of any engine: columns that not every engine has may be missing. */\n\
         export type TickRow = HandColumns & Partial<OwnColumns> & Partial<VolumeColumns>;\n"
    )
}

#[test]
fn the_columns_of_the_page_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/columns.ts");
    if std::env::var_os("STICTION_UPDATE").is_some() {
        std::fs::write(&path, wanted()).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == wanted(),
        "web/src/columns.ts is not up to date: STICTION_UPDATE=1 cargo test -p stiction-view --test columns"
    );
}
