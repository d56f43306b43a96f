//! The same input gives the same bytes; the cache keeps them.

use super::{Place, stderr};
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

const BAKE: &str = "bake gear.stl --unit mm --resolution 80 --storage sparse --shell 600";

fn with_gear() -> Place {
    let place = Place::new();
    place.good("solid gear --teeth 12 --layers 2 --flank-pieces 4 -o gear.stl");
    place
}

#[test]
fn any_number_of_threads_and_the_cache_give_the_same_bytes() {
    let place = with_gear();
    for threads in ["1", "3"] {
        let mut command = place.command(&format!("{BAKE} --no-cache -o {threads}.shape"));
        assert!(command.env("RAYON_NUM_THREADS", threads).output().unwrap().status.success());
    }
    let bytes = place.read("1.shape");
    assert!(bytes == place.read("3.shape"));
    assert!(place.list("cache").is_empty());
    for (name, cached) in [("fresh.shape", false), ("cached.shape", true)] {
        let told = place.json(&format!("{BAKE} -o {name}"));
        assert_eq!(told["from_cache"], cached);
        assert!(bytes == place.read(name), "{name}");
    }
    assert!(place.good(BAKE).contains("from the cache"));
    // Other settings are another shape.
    assert_eq!(place.json(&format!("{BAKE} --levels 3"))["from_cache"], false);
}

#[test]
fn a_mesh_by_another_name_comes_from_the_cache_with_its_own_name() {
    let place = with_gear();
    place.good(BAKE);
    fs::copy(place.path("gear.stl"), place.path("other.stl")).unwrap();
    let bake = BAKE.replace("gear", "other");
    assert_eq!(place.json(&bake)["from_cache"], true);
    let cached = place.read("other.shape");
    place.good(&format!("{bake} --no-cache"));
    assert!(cached == place.read("other.shape"));
    assert_eq!(place.json("inspect other.shape")["source"], "other.stl");
}

#[test]
fn a_damaged_or_mixed_up_cache_is_not_believed() {
    let place = with_gear();
    place.good(BAKE);
    let good = place.read("gear.shape");
    let entry = format!("cache/{}", place.list("cache")[0]);
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    place.write(&entry, bad);
    let output = place.run(BAKE);
    assert!(output.status.success() && stderr(&output).contains("cannot be used"), "{}", stderr(&output));
    assert!(good == place.read("gear.shape") && good == place.read(&entry));
    // A whole shape, but of something else.
    place.good("solid box -o box.stl");
    place.good("bake box.stl --unit mm --resolution 32 --shell 100 --no-cache");
    fs::copy(place.path("box.shape"), place.path(&entry)).unwrap();
    assert_eq!(place.json(BAKE)["from_cache"], false);
    assert!(good == place.read("gear.shape"));
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let place = with_gear();
    place.write("cache", "a file where the folder should be");
    let output = place.run(BAKE);
    assert!(output.status.success() && stderr(&output).contains("warning: "), "{}", stderr(&output));
    assert!(place.path("gear.shape").exists());
}

#[test]
fn the_cache_is_listed_and_cleaned() {
    let place = with_gear();
    assert!(place.good("cache").contains("is empty"));
    place.good(BAKE);
    place.good(&format!("{BAKE} --levels 2"));
    let listed = place.json("cache list");
    let bytes = listed["bytes"].as_u64().unwrap();
    assert_eq!(listed["entries"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&listed["entries"][0]["source"], &listed["entries"][0]["import"]),
        (&"gear.stl".into(), &"--unit mm".into())
    );
    assert!(place.good("cache").contains("--resolution 80"));
    assert_eq!(place.good("cache path").trim(), place.path("cache").display().to_string());
    let hours_ago = SystemTime::now() - Duration::from_secs(7200);
    let hash = "0123456789abcdef0123456789abcdef";
    let drafts = [1, 2].map(|process| format!(".{hash}.shape.{process}.part"));
    // A user's own files, in a folder that STICTION_CACHE happens to name.
    let own = [".own.shape.3.part", "own.shape", "own.txt"];
    let all = own.map(|name| (name, true)).into_iter().chain([(drafts[0].as_str(), true), (&drafts[1], false)]);
    for (name, old) in all.map(|(name, old)| (format!("cache/{name}"), old)) {
        let name = name.as_str();
        place.write(name, "half");
        if old {
            File::options().write(true).open(place.path(name)).unwrap().set_modified(hours_ago).unwrap();
        }
    }
    let dry = place.json("cache clean --dry-run");
    assert_eq!((&dry["removed"], &dry["unfinished_removed"], place.list("cache").len()), (&2.into(), &1.into(), 7));
    assert_eq!(place.json("cache clean --older-than 1")["removed"], 0);
    let some = place.json(&format!("cache clean --keep {}", bytes - 1));
    assert_eq!((&some["removed"], &some["remaining"]), (&1.into(), &1.into()));
    assert!(place.good("cache clean").contains("1 shape removed"));
    assert_eq!(place.list("cache"), [&drafts[1], own[0], own[1], own[2]], "only what the cache made is gone");
}
