//! What is written is read back, bit by bit.

use super::*;
use parquet::column::reader::ColumnReader;
use parquet::file::reader::{FileReader, SerializedFileReader};
use stiction::columns::position;
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::trace::{Flags, Trace};

/// A tick in which every number is another one.
fn trace(tick: u64) -> Trace {
    let x = tick as f64;
    let wrench = |k: f64| Vec6::from_fn(|i, _| (x + k + i as f64).sin() * 1e-7);
    let pose = |k: f64| Pose::new(Vec3::new(x, k, -x), Vec3::new(0.1, 0.01 * k, 0.3));
    let n = tick as u32;
    Trace {
        tick,
        hand: pose(1.0),
        part: pose(2.0),
        centre: Vec3::new(x / 3.0, 1e300, f64::MIN_POSITIVE),
        wrench: wrench(1.0),
        load: wrench(2.0),
        normal: wrench(3.0),
        friction: wrench(4.0),
        step: wrench(5.0),
        residual: 1e-16,
        verdict: Verdict::ALL[tick as usize % Verdict::ALL.len()],
        contacts: n,
        stuck: n + 1,
        sliding: n + 2,
        separating: n + 3,
        limited: n + 5,
        slip: 0.4,
        pressure: 0.1 + x,
        limit: 0.2 + x,
        work: [0.0; 2],
        depth: 0.3,
        clearance: f64::INFINITY,
        substeps: 1,
        samples: n + 4,
        levels: 5,
        iterations: 6,
        passes: 7,
        rank: 6,
        flags: Flags([0, 1, 5, 1 << 10][tick as usize % 4]),
    }
}

fn written(format: TableFormat, rows: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut sink = open(format, &mut bytes, Trace::columns(), &[("scene", "test".into())]).unwrap();
    for tick in 0..rows {
        sink.put(trace(tick).row().words()).unwrap();
    }
    sink.finish().unwrap();
    drop(sink);
    bytes
}

fn csv_cells(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn csv_reads_back() {
    let text = String::from_utf8(written(TableFormat::Csv, 5)).unwrap();
    let rows = csv_cells(&text);
    assert_eq!(rows.len(), 6);
    let at = |name: &str| position(Trace::columns(), name).unwrap();
    for (tick, row) in rows[1..].iter().enumerate() {
        let sent = trace(tick as u64);
        let real = |name: &str| row[at(name)].parse::<f64>().unwrap();
        assert_eq!(real("wrench_tz_nm").to_bits(), sent.wrench[5].to_bits());
        assert_eq!(real("part_qw").to_bits(), sent.part.rotation.quaternion().w.to_bits());
        assert_eq!(real("clearance_m"), f64::INFINITY);
        assert_eq!(real("centre_z_m"), f64::MIN_POSITIVE);
        assert_eq!(row[at("samples")], (tick + 4).to_string());
    }
    assert_eq!(rows[3][at("verdict")], "slips");
    assert_eq!(rows[3][at("flags")], "bad-hand saturated");
    assert_eq!(rows[1][at("flags")], "");
}

/// More rows than a group has; every cell of both files is the same.
#[test]
fn parquet_reads_back_as_csv_does() {
    let rows = GROUP as u64 + 500;
    let text = String::from_utf8(written(TableFormat::Csv, rows)).unwrap();
    let expected = csv_cells(&text);
    let reader = SerializedFileReader::new(bytes::Bytes::from(written(TableFormat::Parquet, rows))).unwrap();
    let file = reader.metadata().file_metadata();
    assert_eq!(file.num_rows(), rows as i64);
    let facts = file.key_value_metadata().unwrap();
    assert!(facts.iter().any(|f| f.key == "scene" && f.value.as_deref() == Some("test")));
    let names: Vec<&str> = file.schema_descr().columns().iter().map(|c| c.name()).collect();
    assert_eq!(names, expected[0]);
    assert_eq!(reader.num_row_groups(), 2);
    let mut first = 1;
    for g in 0..2 {
        let group = reader.get_row_group(g).unwrap();
        let n = group.metadata().num_rows() as usize;
        for c in 0..Trace::columns().len() {
            let cells: Vec<String> = match group.get_column_reader(c).unwrap() {
                ColumnReader::DoubleColumnReader(mut r) => {
                    let mut values = Vec::new();
                    r.read_records(n, None, None, &mut values).unwrap();
                    values.iter().map(|x: &f64| format!("{x:?}")).collect()
                }
                ColumnReader::Int64ColumnReader(mut r) => {
                    let mut values = Vec::new();
                    r.read_records(n, None, None, &mut values).unwrap();
                    values.iter().map(ToString::to_string).collect()
                }
                ColumnReader::ByteArrayColumnReader(mut r) => {
                    let mut values = Vec::new();
                    r.read_records(n, None, None, &mut values).unwrap();
                    values.iter().map(|w| w.as_utf8().unwrap().to_string()).collect()
                }
                _ => panic!("{}: a type that no column has", names[c]),
            };
            assert_eq!(cells.len(), n);
            for (row, cell) in cells.iter().enumerate() {
                assert_eq!(cell, expected[first + row][c], "{}, row {row}", names[c]);
            }
        }
        first += n;
    }
}

#[test]
fn endings_are_formats() {
    let of = |name: &str| TableFormat::of(Path::new(name));
    assert_eq!((of("a.csv"), of("b/a.b.Parquet")), (Some(TableFormat::Csv), Some(TableFormat::Parquet)));
    assert_eq!((of("csv"), of("a.txt"), of(".csv")), (None, None, None));
}
