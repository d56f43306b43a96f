//! `stiction-lab bench tick`, `stiction-lab bench holding` and `stiction-lab bench roughness`.

use crate::place::Place;

#[test]
fn ticks_of_every_method_are_timed() {
    let place = Place::with_scene();
    let rows = place.rows("bench tick --no-growth --scenes small.toml");
    let methods: Vec<&str> = rows.iter().map(|r| r["friction"].as_str().unwrap()).collect();
    assert_eq!(methods, ["none", "lp", "qp stiffness", "qp mass", "hold", "yamane"]);
    for row in &rows {
        for field in ["contacts_mean", "contacts_max", "tick_us_p50", "tick_us_p99", "tick_us_max", "us_per_contact"] {
            assert!(row[field].as_f64().is_some_and(|x| x > 0.0), "{field} in {row}");
        }
    }
}

#[test]
fn ticks_of_a_thread_are_timed() {
    let rows = Place::with_scene().rows("bench tick --no-growth --scenes nut-on-bolt --seconds 0.3");
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["scene"], &rows[0]["friction"]), (&"nut-on-bolt".into(), &"hold".into()));
    // The turn has begun: the nut is on its flank.
    assert!(rows[0]["contacts_mean"].as_f64().is_some_and(|n| n >= 3.0), "{}", rows[0]);
}

/// Coulomb's law: below the limit the part stands still, above it slips. Stiction's `hold` keeps to both.
#[test]
fn hold_holds_and_does_not_glue() {
    let rows = Place::with_scene().rows("bench holding --quick");
    assert_eq!(rows.len(), 10);
    for row in &rows {
        for field in ["part_um_per_s", "contact_um_per_s", "seconds", "dt", "cpu_us_per_step"] {
            assert!(row[field].as_f64().is_some_and(f64::is_finite), "{field} in {row}");
        }
        assert_eq!((&row["system"], &row["control_slips"]), (&"Stiction".into(), &true.into()), "{row}");
    }
    for row in rows.iter().filter(|r| r["setting"] == "hold") {
        // Under the varying load the part rocks, and every period of 1000 ticks leaves a quarter of a nanometre, in proportion
        // to the length of a tick. Known; here it must only not grow.
        let most = if row["load"] == "constant" { 1e-6 } else { 1e-3 };
        for field in ["part_um_per_s", "contact_um_per_s"] {
            assert!(row[field].as_f64().unwrap().abs() < most, "{row}");
        }
    }
}

#[test]
fn roughness_is_told_of_every_method_and_judged() {
    let place = Place::with_scene();
    let rows = place.rows("bench roughness --scenes small.toml");
    let methods: Vec<&str> = rows.iter().map(|r| r["friction"].as_str().unwrap()).collect();
    assert_eq!(methods, ["hold", "qp", "lp", "yamane", "none", "welded"]);
    for row in &rows[..5] {
        for field in ["force_rms_n", "torque_rms_nm", "force_step_n", "torque_step_nm"] {
            assert!(row["whole"][field].as_f64().is_some_and(|x| x >= 0.0), "{field} in {row}");
        }
        // The same window for all.
        assert_eq!(row["holding"]["ticks"], rows[0]["holding"]["ticks"], "{row}");
    }
    let table = place.good("bench roughness --scenes small.toml");
    assert!(table.contains("hold") && table.contains("while it holds") || table.contains("does not hold"), "{table}");
}

/// Before and after: the same hand over the same facets, with penalty contacts and with hard ones.
#[test]
fn roughness_over_a_curved_face_is_told_of_both_contact_models() {
    let place = Place::with_scene();
    let rows = place.rows("bench roughness --scenes pin-on-cylinder");
    let told: Vec<_> =
        rows.iter().map(|r| (r["contact"].as_str().unwrap(), r["encoder_um"].as_f64().unwrap())).collect();
    assert_eq!(told, [("penalty", 0.0), ("hard", 0.0), ("penalty", 30.0), ("hard", 30.0)]);
    for row in &rows {
        assert_eq!((&row["scene"], &row["friction"]), (&"pin-on-cylinder".into(), &"hold".into()));
        assert_eq!(row["whole"]["ticks"], 3500, "{row}");
        // It slides: friction is felt, and a force that is felt is never perfectly smooth.
        assert!(row["whole"]["force_rms_n"].as_f64().is_some_and(|x| x > 0.0 && x < 10.0), "{row}");
    }
}
