//! The whole way, and the words on it.

use super::{Place, is_svg, stderr};
use std::io::Write;
use std::process::Stdio;

const KINDS: [&str; 13] = [
    "box",
    "cylinder",
    "capsule",
    "torus",
    "plate",
    "l-bar",
    "corner",
    "plate-round-hole",
    "plate-square-hole",
    "peg",
    "shaft",
    "revolution",
    "gear",
];

#[test]
fn a_solid_is_inspected_baked_inspected_and_queried() {
    let place = Place::new();
    let solid = place.json("solid plate-round-hole -o plate.stl");
    assert_eq!(solid["metres_per_unit"], 0.001);
    let seen = place.json("inspect plate.stl");
    assert_eq!(seen["diagnosis"]["watertight"], true);
    assert_eq!(seen["diagnosis"]["unit"]["read_as"], "mm", "{seen}");
    assert_eq!(seen["mass_exact"], true);
    // The suggested command works as it is.
    let command = seen["command"].as_str().unwrap();
    let text = place.good(command.strip_prefix("stiction ").unwrap());
    for title in
        ["Grid", "Stored", "Inside", "Accuracy", "Shell", "Volume", "Centre", "Written", "Next: stiction inspect"]
    {
        assert!(text.contains(title), "{title}: {text}");
    }
    let made = place.json("inspect plate.shape");
    assert_eq!((&made["source"], &made["checksum_ok"]), (&"plate.stl".into(), &true.into()));
    assert_eq!(made["report"]["field"]["sign"], "winding");
    assert_eq!(made["shape"]["shell_points"], 8000);
    let volume = |v: &serde_json::Value| v["mass"]["volume_m3"].as_f64().unwrap();
    let (wanted, got) = (volume(&solid), volume(&made["shape"]));
    assert!((got / wanted - 1.0).abs() < 1e-5, "{got} {wanted}");
    assert!((volume(&seen["diagnosis"]) / wanted - 1.0).abs() < 1e-5);
    // A contact gets the same from the mesh as from the shape, but for what only baking measures.
    let defaults = [&seen, &made].map(|told| told["contact_defaults"].clone());
    let number = |i: usize, key: &str| defaults[i][key].as_f64().unwrap_or_else(|| panic!("{key}: {}", defaults[i]));
    for i in 0..2 {
        // The plate is thicker than 0.4 mm: 20 µm under the largest force.
        assert_eq!((number(i, "elastic_depth_m"), number(i, "micro_slip_m")), (20e-6, 40e-6), "{}", defaults[i]);
        assert_eq!(number(i, "spring_back_m"), number(i, "micro_slip_m"));
        assert!((number(i, "stiffness_n_m") * 20e-6 / number(i, "force_n") - 1.0).abs() < 1e-12);
        // Its hole has facets.
        assert!(number(i, "faceting_allowance_m") > 1e-6, "{}", defaults[i]);
    }
    assert!((number(0, "stiffness_n_m") / number(1, "stiffness_n_m") - 1.0).abs() < 1e-6, "{defaults:?}");
    for file in ["plate.stl", "plate.shape"] {
        let text = place.good(&format!("inspect {file}")).replace('\n', " ");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("Slip memory is 40 µm at most, which is also the most that a released part springs back"),
            "{words}"
        );
    }
    place.write("points.csv", "x,y,z\n0,0,0\n0.02,0,0\n");
    let rows = place.json("query plate.shape --points points.csv");
    let distance = |i: usize| rows["rows"][i][3].as_f64().unwrap();
    // In the middle of the hole, and in the middle between hole and rim.
    assert!((distance(0) - 0.01005).abs() < 1e-4 && (distance(1) + 0.00995).abs() < 1e-4, "{rows}");
    assert_eq!(rows["summary"]["inside"], 1);
}

#[test]
fn distances_of_a_box_are_those_of_a_box() {
    let place = Place::new();
    place.good("solid box --size 40mm,30mm,20mm -o box.obj");
    let baked = place.json("bake box.obj --unit mm --resolution 64 --shell 500");
    let bound = baked["shape"]["error_bound_m"].as_f64().unwrap();
    let voxel = baked["shape"]["voxel_m"].as_f64().unwrap();
    assert!(bound < 0.87 * voxel, "{bound} {voxel}");
    let half = [0.02, 0.015, 0.01];
    let mut points = String::new();
    let mut state = 1u64;
    for _ in 0..2000 {
        let p = half.map(|h| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * 1.15 * h
        });
        points += &format!("{:?} {:?} {:?}\n", p[0], p[1], p[2]);
    }
    place.write("points.txt", points);
    for smooth in ["", "--smooth"] {
        assert!(place.good(&format!("query box.shape --points points.txt -o out.csv {smooth}")).contains("2,000 rows"));
        let table = String::from_utf8(place.read("out.csv")).unwrap();
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("x,y,z,distance,gx,gy,gz"));
        let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|w| w.parse().unwrap()).collect()).collect();
        assert_eq!(rows.len(), 2000);
        for row in rows {
            let over: Vec<f64> = (0..3).map(|k| row[k].abs() - half[k]).collect();
            let out = over.iter().map(|o| o.max(0.0).powi(2)).sum::<f64>().sqrt();
            let exact = if out > 0.0 { out } else { over.iter().copied().fold(f64::MIN, f64::max) };
            assert!((row[3] - exact).abs() <= bound, "{row:?} {exact}");
            // Where one face is clearly the nearest, the gradient is its normal.
            let near = (0..3).max_by(|&a, &b| over[a].total_cmp(&over[b])).unwrap();
            let clear = (0..3).all(|k| k == near || over[k] < over[near].min(0.0) - 2.0 * voxel);
            if clear && row[near].abs() > 2.0 * voxel {
                let normal = |k: usize| if k == near { row[k].signum() } else { 0.0 };
                assert!((0..3).all(|k| (row[4 + k] - normal(k)).abs() < 1e-3), "{row:?}");
            }
        }
    }
}

#[test]
fn points_come_through_a_pipe() {
    let place = Place::new();
    place.good("solid box -o box.stl");
    place.good("bake box.stl --unit mm --resolution 32 --shell 100 --no-cache");
    assert!(!place.path("cache").exists());
    let mut child = place.command("query box.shape --points -");
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"0,0,0\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("x,y,z,distance,gx,gy,gz\n0.0,0.0,0.0,-0.0"), "{text}");
}

#[test]
fn pictures_are_drawn_of_meshes_and_shapes() {
    let place = Place::new();
    place.good("solid peg -o peg.stl");
    let preview = place.json("inspect peg.stl --picture preview");
    let baked = place.json("bake peg.stl --unit mm --resolution 48 --shell 300 --picture baked");
    let shape = place.json("inspect peg.shape --picture found --mesh peg.stl --unit mm");
    let text = place.good("inspect peg.shape --picture alone");
    assert!(text.contains("alone/shell.svg"), "{text}");
    for (folder, object) in
        [("preview", Some(preview)), ("baked", Some(baked)), ("found", Some(shape)), ("alone", None)]
    {
        assert_eq!(place.list(folder), ["shell.svg", "slices.svg", "spacing.svg"]);
        assert!(place.list(folder).iter().all(|f| is_svg(&place.path(folder).join(f))), "{folder}");
        assert!(object.is_none_or(|o| o["pictures"].as_array().unwrap().len() == 3));
    }
    assert_eq!(place.read("baked/shell.svg"), place.read("found/shell.svg"));
}

#[test]
fn every_solid_is_written_watertight_with_its_defaults() {
    let place = Place::new();
    for kind in KINDS {
        let solid = place.json(&format!("solid {kind} -o {kind}.obj"));
        let seen = place.json(&format!("inspect {kind}.obj"));
        assert_eq!(seen["diagnosis"]["watertight"], true, "{kind}");
        assert_eq!(seen["diagnosis"]["triangles"], solid["triangles"], "{kind}");
        assert_eq!(seen["metres_per_unit"], 0.001, "{kind}");
    }
    let [coarse, fine] = ["", "--refine 2mm"].map(|flags| place.json(&format!("solid box -o b.stl {flags}")));
    assert!(fine["triangles"].as_u64() > coarse["triangles"].as_u64());
}

#[test]
fn a_sheet_is_an_error_until_it_has_a_thickness() {
    let place = Place::new();
    place.write("sheet.obj", "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n");
    let refused = place.run("bake sheet.obj --resolution 64");
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("sheet.obj: ") && stderr(&refused).contains("--thicken"), "{}", stderr(&refused));
    let command = place.json("inspect sheet.obj --picture p")["command"].as_str().unwrap().to_string();
    assert!(command.contains("--thicken"), "{command}");
    assert!(is_svg(&place.path("p/slices.svg")));
    let text = place.good("bake sheet.obj --resolution 64 --thicken 5mm --shell 300");
    assert!(text.contains("2 faces of open sheets were thickened"), "{text}");
}

#[test]
fn a_wrong_unit_is_noticed() {
    let place = Place::new();
    place.good("solid box -o box.stl");
    let output = place.run("bake box.stl --resolution 32 --shell 100 --json");
    assert!(stderr(&output).contains("hint: the part is 40 m long; if box.stl is in mm"), "{}", stderr(&output));
    let output = place.run("bake box.stl --resolution 32 --shell 100 --unit mm");
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_transform_moves_the_part() {
    let place = Place::new();
    place.good("solid box -o box.stl");
    let baked = place.json("bake box.stl --unit mm --resolution 32 --shell 100 --transform=-1,0,0,1,0,1,0,2,0,0,1,3");
    let centre: Vec<f64> = serde_json::from_value(baked["shape"]["mass"]["centre_m"].clone()).unwrap();
    assert!(centre.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{centre:?}");
    assert!(baked["shape"]["mass"]["volume_m3"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_command_has_help_with_examples() {
    let place = Place::new();
    for command in ["inspect", "bake", "query", "solid", "cache"] {
        let text = place.good(&format!("{command} --help"));
        assert!(text.contains("Examples:\n") && text.contains(&format!("  stiction {command} ")), "{text}");
        assert!(text.contains("--json"), "{text}");
        assert!(place.good("--help").contains(command));
    }
}
