//! Input that is wrong: one message that names file and cause, exit code 1, nothing left behind.

use super::{Place, stderr};

/// Runs what should fail: the file and the cause are named, on one line, and no file is there that was not before.
fn fails(place: &Place, arguments: &str, file: &str, cause: &str) {
    let everything = |place: &Place| ["", "pictures", "cache"].map(|folder| place.list(folder));
    let before = everything(place);
    for json in ["", " --json"] {
        let output = place.run(&format!("{arguments}{json}"));
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {text}");
        assert!(text.starts_with("error: ") && text.lines().count() == 1, "{arguments}: {text}");
        assert!(text.contains(file) && text.contains(cause), "{arguments}: {text}");
        assert!(output.stdout.is_empty(), "{arguments}: {}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(everything(place), before, "{arguments}");
    }
}

fn stl(claimed: u32, corners: &[[f32; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(claimed.to_le_bytes());
    for triangle in corners.chunks(3) {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn bad_meshes_are_refused() {
    let place = Place::new();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let nan = [[f32::NAN, 0.0, 0.0], corners[1], corners[2]];
    let cases: &[(&str, Vec<u8>, &str)] = &[
        ("empty.stl", Vec::new(), "empty"),
        ("garbage.stl", b"hello, this is no mesh".to_vec(), "not a valid"),
        ("notes.txt", b"hello, this is no mesh".to_vec(), "not a mesh format"),
        ("none.stl", stl(0, &[]), "no triangles"),
        ("none.obj", b"v 0 0 0\n".to_vec(), "no triangles"),
        ("nan.stl", stl(1, &nan), "finite"),
        ("lying.stl", stl(1_000_000_000, &corners), "not a valid"),
        ("cut.stl", stl(1, &corners)[..100].to_vec(), "not a valid"),
        ("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n".to_vec(), "vert"),
        ("lying.ply", b"ply\nformat ascii 1.0\nelement vertex 3000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 1000000000\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n".to_vec(), "not a valid"),
        ("cut.glb", b"glTF\x02\0\0\0\xff\0\0\0".to_vec(), "not a valid"),
    ];
    for (name, bytes, cause) in cases {
        place.write(name, bytes);
        fails(&place, &format!("bake {name} -o out.shape"), name, cause);
        fails(&place, &format!("inspect {name} --picture pictures"), name, cause);
    }
    for command in ["bake missing.stl", "inspect missing.stl", "inspect missing.stl --picture pictures"] {
        fails(&place, command, "missing.stl", "cannot be read");
    }
    fails(&place, "bake .", ".", "directory");
}

#[test]
fn a_grid_that_does_not_fit_says_what_would() {
    let place = Place::new();
    place.good("solid box -o box.stl");
    let bake = "bake box.stl --unit mm --resolution 2000 --storage dense --memory 100MB -o out.shape";
    fails(&place, bake, "box.stl", "would fit");
    let told = stderr(&place.run(bake));
    let after = |words: &str| told.split(words).nth(1).unwrap().split(' ').next().unwrap();
    place.good(&format!("{} --shell 100", bake.replace("2000", after("a resolution of "))));
    let voxel = format!("--voxel {}", after("a voxel of "));
    place.good(&format!("{} --shell 100", bake.replace("--resolution 2000", &voxel)));
    fails(&place, "bake box.stl --unit mm --voxel 1um -o x.shape", "box.stl", "voxels");
}

#[test]
fn output_that_cannot_be_written_is_noticed_before_baking() {
    let place = Place::new();
    place.good("solid box -o box.stl");
    std::fs::create_dir(place.path("folder")).unwrap();
    place.write("notes.txt", "mine");
    let bake = |output: &str| format!("bake box.stl --unit mm --resolution 1024 -o {output}");
    fails(&place, &bake("nowhere/out.shape"), "nowhere/out.shape", "no folder nowhere");
    fails(&place, &bake("folder"), "folder", "it is a folder");
    fails(&place, &bake("box.stl"), "box.stl", "the file that is read");
    fails(&place, &bake("notes.txt"), "notes.txt", "is not a baked shape");
    fails(&place, &bake("/dev/null"), "/dev/null", "not a regular file");
    fails(&place, &format!("{} --picture notes.txt", bake("o.shape")), "notes.txt", "cannot make a folder");
    fails(&place, "solid box -o nowhere/b.stl", "nowhere/b.stl", "no folder");
    assert_eq!(place.read("notes.txt"), b"mine");
    // An old shape is still there when baking again fails.
    place.good("bake box.stl --unit mm --resolution 32 --shell 50 -o out.shape");
    let old = place.read("out.shape");
    fails(&place, &bake("out.shape --voxel 1um").replace("--resolution 1024 ", ""), "box.stl", "voxels");
    assert!(old == place.read("out.shape"));
    fails(&place, "solid box -o out.shape.stl --refine 1um", "", "faces");
}

#[test]
fn bad_shapes_are_refused() {
    let place = Place::new();
    place.good("solid box -o box.stl");
    place.good("bake box.stl --unit mm --resolution 32 --shell 100 --no-cache");
    place.write("p.csv", "0,0,0\n");
    let good = place.read("box.shape");
    let mut newer = good.clone();
    newer[8] = 99;
    let mut damaged = good.clone();
    let last = damaged.len() - 9;
    damaged[last] ^= 0x40;
    let cases = [
        ("newer.shape", newer, "newer version (format 99"),
        ("damaged.shape", damaged, "checksum"),
        ("cut.shape", good[..good.len() / 2].to_vec(), "truncated"),
        ("stub.shape", good[..12].to_vec(), "truncated"),
    ];
    for (name, bytes, cause) in &cases {
        place.write(name, bytes);
        fails(&place, &format!("inspect {name} --picture pictures"), name, cause);
        fails(&place, &format!("query {name} --points p.csv -o out.csv"), name, cause);
    }
    for name in ["box.shape", "newer.shape"] {
        fails(&place, &format!("bake {name} -o out.shape"), name, "a baked shape already");
    }
    fails(&place, "query box.stl --points p.csv", "box.stl", "not a baked shape");
    fails(&place, "query missing.shape --points p.csv", "missing.shape", "cannot read");
    fails(&place, "query box.shape --points missing.csv", "missing.csv", "cannot be read");
    place.write("bad.csv", "x,y,z\n0,0,0\n0,zero,0\n");
    fails(&place, "query box.shape --points bad.csv -o out.csv", "bad.csv, line 3", "y is \"zero\"");
    fails(&place, "query box.shape --points p.csv -o box.shape", "box.shape", "the file that is read");
    assert!(good == place.read("box.shape"));
}

#[test]
fn wrong_flags_end_with_two() {
    let place = Place::new();
    for (arguments, reason) in [
        ("bake", "MESH"),
        ("bake a.stl --resolution 4", "8..=65536"),
        ("bake a.stl --resolution 64 --voxel 1mm", "cannot be used with"),
        ("bake a.stl --voxel -1mm", "above zero"),
        ("bake a.stl --voxel 1parsec", "is not a length"),
        ("bake a.stl --thicken=-1mm", "zero or more"),
        ("bake a.stl --sign maybe", "possible values"),
        ("bake a.stl --unit parsec", "is no unit"),
        ("bake a.stl --transform 1,2,3", "12 or 16 numbers"),
        ("bake a.stl --shell 0", "number of points"),
        ("bake a.stl --memory lots", "amount of memory"),
        ("solid gear", "-o FILE.stl"),
        ("solid gear -o gear.step", ".stl or .obj"),
        ("solid box --size 1mm,2mm -o box.stl", "a list of 3 numbers"),
        ("solid shaft --steps 1mm,2mm,3mm -o s.stl", "pairs of numbers"),
        ("query a.shape", "--points"),
        ("cache burn", "unrecognized subcommand"),
        ("cache clean --older-than never", "above zero"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{arguments}: {}", stderr(&output));
        assert!(place.list("").is_empty(), "{arguments}");
    }
}
