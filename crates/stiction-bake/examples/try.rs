use std::time::Instant;
use stiction_bake::field::*;
use stiction_bake::*;
struct P(std::sync::Mutex<(Instant, &'static str)>);
impl Progress for P {
    fn stage(&self, n: &'static str, s: u64) {
        let mut t = self.0.lock().unwrap();
        eprintln!("  {} {:?}", t.1, t.0.elapsed());
        *t = (Instant::now(), n);
        eprintln!("{n} {s}");
    }
    fn advance(&self, _: u64) {}
    fn cancelled(&self) -> bool {
        false
    }
}
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let n: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let cube = std::env::args().nth(3).is_some();
    let mesh = if path == "gear" || path == "gear200" {
        let f = if path == "gear" { 1 } else { 2 };
        let g = stiction_bake::solids::SpurGear {
            flank_pieces: 10 * f,
            arc_pieces: 4 * f,
            layers: 20 * f,
            rings: 10 * f,
            ..stiction_bake::solids::SpurGear::standard(0.002, 30, 0.02)
        };
        stiction_bake::solids::Solid::Gear(g).mesh().unwrap()
    } else {
        import::read(path.as_ref(), &Default::default()).unwrap().mesh
    };
    eprintln!("{} triangles", mesh.faces.len());
    let t = Instant::now();
    let m = diagnose::mend(&mesh);
    eprintln!(
        "mend {:?} watertight {} oriented {} hole {} sheets {}",
        t.elapsed(),
        m.watertight,
        m.oriented,
        m.hole,
        m.sheet.iter().filter(|s| **s).count()
    );
    let t = Instant::now();
    let (f, r) = field::build(
        &m,
        &FieldOptions { fineness: Fineness::Resolution(n), cube, thicken: Some(0.0), ..Default::default() },
        &P(std::sync::Mutex::new((Instant::now(), "start"))),
    )
    .unwrap();
    eprintln!("total {:?} {r:?}", t.elapsed());
    let o = BakeOptions {
        field: FieldOptions { fineness: Fineness::Resolution(n), cube, thicken: Some(0.0), ..Default::default() },
        ..Default::default()
    };
    drop(f);
    if !cube {
        let b = bake(&mesh, &o, "x".into(), &Silent).unwrap();
        eprintln!("{:?}", b.report);
        let t = Instant::now();
        file::save("/tmp/x.shape".as_ref(), &b.shape, &Silent).unwrap();
        eprintln!("save {:?}", t.elapsed());
        drop(b);
        let t = Instant::now();
        let s = file::load("/tmp/x.shape".as_ref()).unwrap();
        eprintln!("load {:?} {}", t.elapsed(), s.shell.points().len());
    }
}
