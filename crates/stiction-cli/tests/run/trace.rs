//! What is recorded.

use super::place;
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

#[test]
fn csv_and_parquet_say_the_same() {
    let place = place();
    let object = place.json("run small.toml --trace run.csv --contacts last.csv");
    place.good("run small.toml --trace run.parquet");
    let text = place.text("run.csv");
    let mut lines = text.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let at = |name: &str| names.iter().position(|n| *n == name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(rows.len(), 200);
    let number = |row: &[&str], name: &str| row[at(name)].parse::<f64>().unwrap();
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), names.len());
        assert_eq!((number(row, "tick"), number(row, "time_s")), (i as f64, i as f64 / 500.0));
        assert!(["free", "holds", "slips", "undecided", "rolls"].contains(&row[at("verdict")]));
        let sum = number(row, "stuck") + number(row, "sliding") + number(row, "separating");
        assert!(sum <= number(row, "contacts"));
    }
    let last = rows.last().unwrap();
    for name in names.iter().filter(|name| !["time_s", "flags"].contains(*name)) {
        match &object[*name] {
            serde_json::Value::String(word) => assert_eq!(word, last[at(name)], "{name}"),
            value => assert_eq!(value.as_f64().unwrap_or(f64::INFINITY), number(last, name), "{name}"),
        }
    }

    let reader = SerializedFileReader::new(Bytes::from(std::fs::read(place.path("run.parquet")).unwrap())).unwrap();
    let mut count = 0;
    for (row, expected) in reader.get_row_iter(None).unwrap().zip(&rows) {
        let row = row.unwrap();
        assert_eq!(row.len(), names.len());
        for name in ["time_s", "hand_qw", "part_x_m", "centre_z_m", "wrench_fx_n", "friction_tz_nm", "residual"] {
            assert_eq!(row.get_double(at(name)).unwrap(), number(expected, name), "{name}");
        }
        assert_eq!(row.get_long(at("contacts")).unwrap() as f64, number(expected, "contacts"));
        assert_eq!(row.get_string(at("verdict")).unwrap(), expected[at("verdict")]);
        assert_eq!(row.get_string(at("flags")).unwrap(), expected[at("flags")]);
        count += 1;
    }
    assert_eq!(count, 200);

    let contacts = place.text("last.csv");
    assert_eq!(contacts.lines().count() as f64, 1.0 + number(last, "contacts"));
    assert!(contacts.starts_with("point,x_m,y_m,z_m,normal_x"), "{contacts}");
    let forces: f64 = contacts.lines().skip(1).map(|l| l.split(',').nth(8).unwrap().parse::<f64>().unwrap()).sum();
    assert!((forces - number(last, "pressure_n")).abs() < 1e-9 * forces, "{forces}");
}

#[test]
fn an_old_trace_is_replaced_whole() {
    let place = place();
    std::fs::write(place.path("run.csv"), "old").unwrap();
    place.good("run small.toml --trace run.csv --seconds 0.02");
    assert_eq!(place.text("run.csv").lines().count(), 11);
    assert!(!place.list("").iter().any(|name| name.contains(".part")));
}
