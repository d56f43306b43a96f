fn main() {
    let args: Vec<String> = std::env::args().collect();
    let from: u64 = args[2].parse().unwrap();
    let to: u64 = args[3].parse().unwrap();
    let set: Vec<stiction_scene::Setting> = args[4..].iter().map(|s| s.parse().unwrap()).collect();
    let scene = stiction_scene::Scene::read(std::path::Path::new(&args[1]), &set).unwrap();
    let world = scene.build(None, &stiction_bake::progress::Silent).unwrap();
    let mut run = world.run().unwrap();
    for n in 0..to {
        let t = *run.step();
        if n >= from {
            println!(
                "{n} {:?} n {} st {} sl {} sep {} F {:.4?} N {:.3?} fr {:.3?} load {:.3?} step {:?} depth {:.2e} it {} res {:.1e} rank {} lim {:.3} {:?}",
                t.verdict,
                t.contacts,
                t.stuck,
                t.sliding,
                t.separating,
                t.device.as_slice(),
                t.normal.as_slice(),
                t.friction.as_slice(),
                t.load.as_slice(),
                t.step.as_slice(),
                t.depth,
                t.iterations,
                t.residual,
                t.rank,
                t.limit,
                t.flags.names().collect::<Vec<_>>()
            );
        }
    }
    println!("K {:.4}", run.engine().problem().load().stiffness);
}
