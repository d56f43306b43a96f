//! Recordings on another machine: what they carry, what they find by content, and what is told where something is missing or differs.

use super::{Place, SCENE, stderr};
use std::fs;

/// A folder with a scene of two meshes, one of them in a folder of its own, and a recorded motion.
fn with_meshes() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("there/parts")).unwrap();
    place.good("solid box --size 20mm,20mm,20mm -o there/parts/cube.stl");
    let scene = SCENE.replace(r#"solid = "box", size = [0.02, 0.02, 0.02]"#, r#"mesh = "parts/cube.stl", unit = "mm""#);
    let (scene, _) = scene.split_once("keyframes").unwrap();
    place.write("there/scene.toml", format!("{scene}csv = \"hand.csv\"\n"));
    place.write("there/hand.csv", "t,x,y,z,qx,qy,qz,qw\n0,0,0,0.0101,0,0,0,1\n0.1,0,0,0.006,0,0,0,1\n");
    place
}

fn record(place: &Place, name: &str, carry: &str) {
    place.good(&format!("record there/scene.toml -o {name} --clock virtual --seconds 0.1 {carry}"));
}

fn refused(place: &Place, arguments: &str) -> String {
    let output = place.run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_recording_alone_replays_by_what_it_carries() {
    let place = with_meshes();
    record(&place, "auto.mcap", "");
    record(&place, "meshes.mcap", "--carry meshes");
    record(&place, "shapes.mcap", "--carry shapes");
    record(&place, "none.mcap", "--carry none");
    let header = &place.json("info auto.mcap")["header"];
    let names = |list: &str| -> Vec<String> {
        header[list].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap().into()).collect()
    };
    assert_eq!(names("files"), ["hand.csv", "parts/cube.stl"]);
    assert_eq!(names("attachments"), ["files/hand.csv", "files/parts/cube.stl"]);
    assert!(place.good("info none.mcap").contains("not in the recording"));
    // On another machine there is nothing else.
    fs::remove_dir_all(place.path("there")).unwrap();
    for name in ["auto", "meshes", "shapes"] {
        let cache = fs::remove_dir_all(place.path("cache"));
        assert!(cache.is_ok() || name == "shapes");
        let replay = place.json(&format!("replay {name}.mcap"));
        assert!(replay["same"] == true && replay["ticks"].as_u64() > Some(40), "{name}: {replay}");
        place.good(&format!("export {name}.mcap -o {name}.csv"));
    }
    assert!(place.list("cache").is_empty(), "shapes that are carried are not baked: {:?}", place.list("cache"));
    let told = refused(&place, "replay none.mcap");
    assert!(told.contains("hand.csv") && told.contains("does not carry") && told.contains("--meshes DIR"), "{told}");
}

#[test]
fn a_folder_of_scene_meshes_and_recording_replays_after_it_was_moved() {
    let place = with_meshes();
    record(&place, "there/run.mcap", "--carry none");
    fs::rename(place.path("there"), place.path("elsewhere")).unwrap();
    assert_eq!(place.json("replay elsewhere/run.mcap")["same"], true);
    // The recording alone, with the meshes somewhere: by their names in the scene, or by the last part of these.
    fs::rename(place.path("elsewhere/run.mcap"), place.path("run.mcap")).unwrap();
    assert!(refused(&place, "replay run.mcap").contains("there is none of that name"));
    assert_eq!(place.json("replay run.mcap --meshes elsewhere")["same"], true);
    fs::rename(place.path("elsewhere/parts/cube.stl"), place.path("elsewhere/cube.stl")).unwrap();
    assert_eq!(place.json("replay run.mcap --meshes elsewhere")["same"], true);
}

#[test]
fn a_mesh_of_other_content_is_told_by_its_hash_and_the_right_one_is_found() {
    let place = with_meshes();
    record(&place, "run.mcap", "--carry none");
    fs::create_dir(place.path("kept")).unwrap();
    fs::copy(place.path("there/parts/cube.stl"), place.path("kept/cube.stl")).unwrap();
    place.good("solid cylinder -o there/parts/cube.stl");
    let told = refused(&place, "replay run.mcap");
    let hash = place.json("info run.mcap")["header"]["files"][1]["hash"].as_str().unwrap().to_owned();
    assert!(told.contains("cube.stl: this is not the file") && told.contains(&hash), "{told}");
    assert_eq!(place.json("replay run.mcap --meshes kept")["same"], true);
}

#[test]
fn the_buffers_of_a_gltf_go_along() {
    let place = with_meshes();
    // A tetrahedron of 20 mm whose numbers are in a file beside it.
    let corners: [[f32; 3]; 4] = [[0.0; 3], [0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
    let faces: [u16; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    let mut bytes: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(faces.iter().flat_map(|i| i.to_le_bytes()));
    place.write("there/parts/numbers.bin", &bytes);
    place.write(
        "there/parts/part.gltf",
        r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"numbers.bin","byteLength":72}],
        "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[0.02,0.02,0.02]},
        {"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#,
    );
    let scene = place.text("there/scene.toml").replace(r#"parts/cube.stl", unit = "mm""#, r#"parts/part.gltf""#);
    place.write("there/scene.toml", scene);
    record(&place, "run.mcap", "");
    fs::remove_dir_all(place.path("there")).unwrap();
    assert_eq!(place.json("replay run.mcap --no-cache")["same"], true);
}

#[test]
fn damaged_attachments_end_in_one_message() {
    let place = with_meshes();
    record(&place, "run.mcap", "--carry shapes");
    let whole = place.read("run.mcap");
    let at = |words: &[u8]| whole.windows(words.len()).position(|w| w == words).unwrap();
    // In the mesh, in the shape, and cut off within it; what follows the names are the lengths of what comes next.
    let mesh = at(b"model/stl\xac\x02") + 200;
    let shape = at(b"held.shape\x18") + 5000;
    for byte in [mesh, shape] {
        let mut bytes = whole.clone();
        bytes[byte] ^= 1;
        place.write("bad.mcap", &bytes);
        for command in ["replay bad.mcap", "info bad.mcap", "export bad.mcap -o bad.csv"] {
            let told = refused(&place, command);
            assert!(told.contains("damaged at byte") && told.contains("checksum differs"), "{command}: {told}");
        }
    }
    place.write("cut.mcap", &whole[..shape]);
    let told = refused(&place, "replay cut.mcap");
    assert!(told.contains("cut off") && told.contains("before its first tick"), "{told}");
}
