//! What a recording costs: bytes a second at 1 kHz, time of a push, time of writing and of reading. A cube is pressed and dragged over a
//! plate by a hand that trembles. Usage: cost [FILE], which is written if given.

#[path = "../../stiction/tests/tick_support/mod.rs"]
mod tick_support;

use std::io::Cursor;
use std::time::Instant;
use stiction_record::{Entry, EntryInput, Header, Notes, Recorder, Recording, WriteOptions, Writer};

const TICKS: u64 = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let entries = run();
    for compress in [false, true] {
        let options = WriteOptions { compress, ..WriteOptions::default() };
        let mut bytes = Vec::new();
        let began = Instant::now();
        let mut writer = Writer::new(&mut bytes, &Header::default(), options)?;
        for entry in &entries {
            writer.add(entry)?;
        }
        writer.finish()?;
        let writing = began.elapsed();
        drop(writer);
        let began = Instant::now();
        let read = Recording::new(Cursor::new(&bytes))?.survey()?.entries;
        let reading = began.elapsed();
        println!(
            "compress {compress}: {:.0} kB/s at 1 kHz, writing {:.2} µs and reading {:.2} µs a tick",
            bytes.len() as f64 / entries.len() as f64,
            writing.as_secs_f64() * 1e6 / entries.len() as f64,
            reading.as_secs_f64() * 1e6 / read as f64,
        );
    }
    let options = WriteOptions { ring: TICKS as usize, ..WriteOptions::default() };
    let (recorder, [mut feed]) = Recorder::start(std::io::sink(), &Header::default(), options)?;
    let mut times: Vec<f64> = entries
        .chunks(100)
        .map(|some| {
            let began = Instant::now();
            some.iter().for_each(|entry| assert!(feed.push(entry)));
            began.elapsed().as_secs_f64() * 1e9 / some.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("push: median {:.0} ns, worst hundred {:.0} ns each", times[times.len() / 2], times[times.len() - 1]);
    println!("{:?}", recorder.finish()?);
    if let Some(path) = std::env::args().nth(1) {
        let header = Header {
            scene: "cost".into(),
            device: "trembling hand".into(),
            method: "hold".into(),
            ..Header::default()
        };
        let mut writer = Writer::new(std::fs::File::create_new(&path)?, &header, WriteOptions::default())?;
        for entry in &entries {
            writer.add(entry)?;
        }
        writer.finish()?;
    }
    Ok(())
}

/// Ten seconds: the hand presses, lifts and drags, and its encoders have steps of 10 µm.
fn run() -> Vec<Entry> {
    let mut floor = tick_support::Floor::new(Default::default());
    let mut noise = 1u32;
    let mut tremble = move || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(noise >> 16) / 65536.0 - 0.5) * 4e-5
    };
    let mut entry_of = |tick: u64| {
        let t = tick as f64 * 1e-3;
        let step = |x: f64| (x / 1e-5).round() * 1e-5;
        let [x, y, z] = [0.02 * t.sin(), 0.01 * (1.7 * t).cos(), 0.001 - 0.003 * (0.6 * t).sin()];
        let [x, y, z] = [x, y, z].map(|x| step(x + tremble()));
        let trace = floor.tick(x, y, z);
        let wrench = std::array::from_fn(|i| trace.wrench[i]);
        Entry {
            tick,
            input: EntryInput {
                time: tick * 1_000_000,
                sequence: tick,
                pose: [x, y, z, 0.0, 0.0, 0.0, 1.0],
                enable: 7,
                now_ns: tick * 1_000_000,
                late_ns: 3000 + tick * 7919 % 40_000,
                ..EntryInput::default()
            },
            asked: wrench,
            sent: wrench,
            phase: 2,
            row: trace.row(),
            notes: Notes { compute_ns: 20_000 + tick * 7919 % 9000, cycle_ns: 50_000 + tick * 104_729 % 9000 },
            ..Entry::default()
        }
    };
    (0..TICKS).map(&mut entry_of).collect()
}
