use super::*;
use crate::fields::{Kind, Topic};
use stiction::friction::Verdict;
use stiction::spatial::{Pose, Vec3, Vec6};
use stiction::trace::Flags;

#[test]
fn words_come_back() {
    let mut words: [u64; WORDS] = std::array::from_fn(|i| 0x7ff0_0000_dead_0000 + i as u64);
    let kinds = Topic::ALL.into_iter().flat_map(Topic::fields).map(|f| f.kind);
    for (word, kind) in words.iter_mut().zip(kinds) {
        if kind == Kind::Fixed32 {
            *word &= 0x7f;
        }
    }
    let entry = Entry::from_words(&words).unwrap();
    assert_eq!(entry.words(), words);
    let mut large = words;
    large[1] = 256;
    assert!(Entry::from_words(&large).is_none());
}

/// The table of names is that of [`Trace::words`], which has its own order.
#[test]
fn names_fit_the_words_of_a_trace() {
    let pose = |x: f64| {
        let q = nalgebra::Quaternion::new(x + 3.0, x + 4.0, x + 5.0, x + 6.0);
        Pose::from_parts(Vec3::new(x, x + 1.0, x + 2.0).into(), nalgebra::Unit::new_unchecked(q))
    };
    let six = |x: f64| Vec6::from_fn(|i, _| x + i as f64);
    let trace = Trace {
        tick: 7,
        hand: pose(10.0),
        part: pose(20.0),
        centre: Vec3::new(30.0, 31.0, 32.0),
        device: six(40.0),
        load: six(50.0),
        normal: six(60.0),
        friction: six(70.0),
        step: six(80.0),
        residual: 1.0,
        verdict: Verdict::Slips,
        contacts: 101,
        stuck: 102,
        sliding: 103,
        separating: 104,
        limited: 110,
        slip: 8.0,
        pressure: 2.0,
        limit: 3.0,
        work: [4.0, 5.0],
        depth: 6.0,
        clearance: 7.0,
        substeps: 105,
        samples: 106,
        levels: 107,
        iterations: 108,
        passes: 109,
        rank: 6,
        flags: Flags::DEEP,
    };
    let entry = Entry { trace: trace.words(), ..Entry::default() };
    assert_eq!(entry.words()[WORDS - Trace::WORDS..], trace.words());
    let mut found = std::collections::BTreeMap::new();
    let names = crate::columns();
    let mut at = 0;
    crate::cells(&entry, |cell| {
        let value = match cell {
            crate::Cell::Real(x) => x,
            crate::Cell::Whole(n) => n as f64,
        };
        found.insert(names[at].0.clone(), value);
        at += 1;
    });
    assert_eq!((at, found.len()), (names.len(), names.len()), "names are unique");
    let expected = [
        ("tick", 7.0),
        ("hand_x_m", 10.0),
        ("hand_qw", 13.0),
        ("hand_qz", 16.0),
        ("part_z_m", 22.0),
        ("part_qx", 24.0),
        ("centre_y_m", 31.0),
        ("device_fx_n", 40.0),
        ("device_tz_nm", 45.0),
        ("load_fx_n", 50.0),
        ("normal_ty_nm", 64.0),
        ("friction_fz_n", 72.0),
        ("residual", 1.0),
        ("pressure_n", 2.0),
        ("limit_n", 3.0),
        ("work_j", 4.0),
        ("work_largest_j", 5.0),
        ("depth_m", 6.0),
        ("clearance_m", 7.0),
        ("verdict_rank", f64::from(Verdict::Slips as u32 | 6 << 8)),
        ("flags", f64::from(Flags::DEEP.0)),
        ("contacts", 101.0),
        ("stuck", 102.0),
        ("sliding", 103.0),
        ("separating", 104.0),
        ("substeps", 105.0),
        ("samples", 106.0),
        ("levels", 107.0),
        ("iterations", 108.0),
        ("limited_passes", (110 + (109u64 << 32)) as f64),
    ];
    for (name, value) in expected {
        assert_eq!(found[&format!("trace_{name}")], value, "{name}");
    }
}
