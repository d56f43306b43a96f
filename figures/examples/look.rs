//! A picture of a scene of two parts, to look at while one models it: `look SCENE FILE.png [ax,ay,az,tx,ty,tz,angle] [held x,y,z]`.

use stiction::spatial::{Pose, Vec3};
use stiction_figures::render::{Canvas, Eye, png, soft};
use stiction_scene::Scene;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let numbers = |i: usize| -> Vec<f64> {
        args.get(i).map(|s| s.split(',').filter_map(|x| x.parse().ok()).collect()).unwrap_or_default()
    };
    let scene = Scene::read(&Scene::find(&args[1]).unwrap(), &[]).unwrap();
    let [held, fixed] = [scene.held(), scene.fixed()].map(|b| b.part.geometry.faces().unwrap().unwrap());
    let view = numbers(3);
    let box_ = fixed.bounds().unwrap();
    let (middle, size) = ((box_.min + box_.max) * 0.5, (box_.max - box_.min).norm());
    let eye = match view[..] {
        [a, b, c, d, e, f, angle] => Eye { from: Vec3::new(a, b, c), to: Vec3::new(d, e, f), angle },
        _ => Eye { from: middle + Vec3::new(-0.9, 1.2, 0.6) * size, to: middle, angle: 0.6 },
    };
    let mut canvas = Canvas::new([1400, 1000], eye);
    soft(&fixed).draw(&mut canvas, &scene.world_from_fixed(), [0.50, 0.53, 0.56], 1.0);
    let mut pose = scene.start();
    if let [x, y, z] = numbers(4)[..] {
        pose = Pose::from_parts(Vec3::new(x, y, z).into(), pose.rotation);
    }
    soft(&held).draw(&mut canvas, &pose, [0.85, 0.45, 0.10], 1.0);
    std::fs::write(&args[2], png(&canvas)).unwrap();
    println!("{} faces, {} held; {:?}", fixed.faces.len(), held.faces.len(), box_);
}
