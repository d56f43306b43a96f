//! Real mating parts, in their assembled pose: they stay in it, have the play that was measured on their meshes, come out where
//! there is a way out, and nowhere else.

mod data;
mod trial;

fn try_pair(name: &str) {
    let Some(folder) = data::folder() else { return };
    let pair = data::Pair::load(&folder, name);
    let began = std::time::Instant::now();
    let report = trial::all(&pair);
    for row in &report.rows {
        println!("{row}");
    }
    println!("  {:.1} s", began.elapsed().as_secs_f64());
    assert!(report.failures.is_empty(), "{name}: {:#?}", report.failures);
}

macro_rules! pairs {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            try_pair(stringify!($name));
        })*

        /// Threads have no straight way in: they are left to tests of their own.
        #[test]
        fn every_pair_without_a_thread_is_tried() {
            let Some(folder) = data::folder() else { return };
            let tried = [$(stringify!($name)),*];
            for entry in data::list(&folder) {
                let name = entry["name"].as_str().unwrap();
                assert!(tried.contains(&name) || entry["play_mm"].is_null(), "{name}");
            }
        }
    };
}

pairs![
    factory_round_8_tight,
    factory_rect_8_tight,
    factory_round_16_loose,
    industreal_round_16,
    industreal_gear_medium,
    wrs_shaft_in_bearing,
    wrs_motor_in_panel,
    wrs_outpulley_on_shaft,
    so101_motor_in_upperarm,
    fb_drawer_top_in_box,
    asap_beam_2_on_6,
    industreal_gear_large,
    wrs_bearing_in_panel,
    so101_holder_on_rotpitch,
];
