//! Scratch.
use std::time::Instant;
use stiction_bake::Silent;
use stiction_bake::cache::Cache;
use stiction_scene::{Scene, Setting};
fn main() {
    let cache = Cache::new(std::path::PathBuf::from("/tmp/labcache"));
    let only = std::env::args().nth(1).unwrap_or_default();
    for name in [
        "corner-cube",
        "plate-cube",
        "incline",
        "peg-in-hole-round",
        "peg-in-hole-square",
        "peg-in-hole-chamfered",
        "gear-on-shaft",
    ] {
        if !only.is_empty() && only != "all" && only != name {
            continue;
        }
        let path = std::path::PathBuf::from(format!("scenes/{name}/scene.toml"));
        let text = std::fs::read_to_string(&path).unwrap();
        let scene = Scene::parse(&text, &path, &[] as &[Setting]).unwrap();
        let world = scene.build(Some(&cache), &Silent).unwrap();
        for model in [Some(stiction::tick::ContactModel::Penalty), None] {
            let mut w = world.clone();
            w.scene.settings.model = model;
            let mut run = w.run().unwrap();
            let mut times = vec![];
            let (mut its, mut passes, mut mp, mut und, mut cand) = (0u64, 0u64, 0, 0, 0u64);
            let mut prev = [0.0; 3];
            let mut jump: f64 = 0.0;
            let mut deep: f64 = 0.0;
            let mut con = 0u64;
            let mut sub = 0u64;
            let mut verd = [0u64; 4];
            let mut worst: f64 = 0.0;
            while !run.finished() {
                let began = Instant::now();
                let t = run.step();
                let t = *t;
                times.push(began.elapsed().as_nanos() as u64);
                its += u64::from(t.iterations);
                passes += u64::from(t.passes);
                mp = mp.max(t.passes);
                und += u64::from(t.flags.has(stiction::trace::Flags::UNDECIDED));
                con += u64::from(t.contacts);
                cand += u64::from(t.samples);
                sub += u64::from(t.substeps);
                verd[t.verdict as usize] += 1;
                worst = worst.max(t.residual);
                let f = [t.device[0], t.device[1], t.device[2]];
                if times.len() > 10 {
                    jump = jump
                        .max(((f[0] - prev[0]).powi(2) + (f[1] - prev[1]).powi(2) + (f[2] - prev[2]).powi(2)).sqrt());
                }
                prev = f;
                deep = deep.max(t.depth);
            }
            let n = times.len() as f64;
            times.sort();
            let p = |q: f64| times[((n - 1.0) * q) as usize] as f64 * 1e-3;
            println!(
                "{name:22} {model:?}: p50 {:.1} p99 {:.1} us, its {:.2} passes {:.1} max {mp}, undecided {und}, contacts {:.0} samples {:.0} sub {:.2}, jump {jump:.4} depth {:.2} um, force {:.3?} verd {verd:?} res {worst:.1e}",
                p(0.5),
                p(0.99),
                its as f64 / n,
                passes as f64 / n,
                con as f64 / n,
                cand as f64 / n,
                sub as f64 / n,
                deep * 1e6,
                prev
            );
        }
    }
}
