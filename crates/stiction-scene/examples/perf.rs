fn main() {
    let args: Vec<String> = std::env::args().collect();
    let set: Vec<stiction_scene::Setting> = args[2..].iter().map(|s| s.parse().unwrap()).collect();
    let scene = stiction_scene::Scene::read(std::path::Path::new(&args[1]), &set).unwrap();
    let world = scene.build(None, &stiction_bake::progress::Silent).unwrap();
    println!("{:?}", world.warnings);
    let mut run = world.run().unwrap();
    println!("bound {}", run.engine().step_bound());
    let mut times = vec![];
    let mut n = 0u64;
    while !run.finished() {
        let t0 = std::time::Instant::now();
        let t = *run.step();
        times.push(t0.elapsed().as_secs_f64() * 1e6);
        n += 1;
        if n % 250 == 0 {
            println!(
                "{n} {:?} n {} st {} sl {} sep {} F {:.3?} depth {:.2e} it {} passes {} samples {} res {:.1e} {:?} hand {:.4?} part {:.5?}",
                t.verdict,
                t.contacts,
                t.stuck,
                t.sliding,
                t.separating,
                t.device.as_slice(),
                t.depth,
                t.iterations,
                t.passes,
                t.samples,
                t.residual,
                t.flags.names().collect::<Vec<_>>(),
                t.hand.translation.vector.as_slice(),
                t.part.translation.vector.as_slice()
            );
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "p50 {:.1} p90 {:.1} p99 {:.1} max {:.1}",
        times[times.len() / 2],
        times[times.len() * 9 / 10],
        times[times.len() * 99 / 100],
        times[times.len() - 1]
    );
    println!("{:#?}", run.summary());
}
