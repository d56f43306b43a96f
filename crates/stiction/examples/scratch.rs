#![allow(missing_docs)]
use std::time::Instant;
use stiction::contact::*;
use stiction::friction::*;
use stiction::spatial::*;
struct R(u64);
impl R {
    fn u(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 53) as f64
    }
    fn s(&mut self) -> f64 {
        2.0 * self.u() - 1.0
    }
    fn d(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.s(), self.s(), self.s());
            if v.norm() < 1.0 && v.norm() > 0.1 {
                return v.normalize();
            }
        }
    }
}
fn gen_problem(r: &mut R, walls: usize, k: usize, t: f64, noise: f64, cone: Cone) -> (Load, Vec<Contact>) {
    let ns = [Vec3::z(), Vec3::x(), Vec3::y(), -Vec3::x(), -Vec3::y(), -Vec3::z()];
    let mut cs = vec![];
    let h = 0.05;
    let kn = 2e4 / (k as f64 / walls as f64);
    let mut kmat = -Mat6::from_diagonal(&Vec6::new(1e3, 1e3, 1e3, 10., 10., 10.));
    for i in 0..k {
        let n0 = ns[i % walls];
        let t0 = if n0.x.abs() > 0.5 { Vec3::y() } else { Vec3::x() };
        let t1 = n0.cross(&t0);
        let p = -n0 * h + t0 * h * r.s() + t1 * h * r.s();
        let n = (n0 + r.d() * noise * r.s()).normalize();
        let mut tt = t0 - n * n.dot(&t0);
        tt /= tt.norm();
        let depth = 1e-4 * r.u();
        let f = kn * depth;
        let j = join(n, p.cross(&n));
        kmat -= j * j.transpose() * kn;
        cs.push(Contact {
            id: ContactId(i as u64),
            point: p,
            normal: n,
            tangent: tt,
            gap: -depth,
            normal_force: f,
            mu_static: 0.5,
            mu_kinetic: 0.5,
        });
    }
    let y = join(r.d(), r.d() * h * 10.0 * 0.5);
    let mut w = Vec6::zeros();
    for c in &cs {
        let l = c.mu_static * c.normal_force;
        let vel = y.fixed_rows::<3>(0) + y.fixed_rows::<3>(3).cross(&c.point);
        let (u, v) = (c.tangent.dot(&vel), c.tangent_v().dot(&vel));
        let (a, b) = match cone {
            Cone::Disk => {
                let n = (u * u + v * v).sqrt();
                (l * u / n, l * v / n)
            }
            Cone::Polygon { sides, fit } => {
                let rad = if fit == Fit::Circumscribed { l / (std::f64::consts::PI / sides as f64).cos() } else { l };
                let mut best = (f64::MIN, 0., 0.);
                for j in 0..sides {
                    let an = 2.0 * std::f64::consts::PI * j as f64 / sides as f64;
                    let val = u * an.cos() + v * an.sin();
                    if val > best.0 {
                        best = (val, rad * an.cos(), rad * an.sin());
                    }
                }
                (best.1, best.2)
            }
        };
        let f = c.tangent * a + c.tangent_v() * b;
        w += join(f, c.point.cross(&f));
    }
    (
        Load {
            wrench: -w * t,
            stiffness: kmat,
            mass: Mat6::from_diagonal(&Vec6::new(1., 1., 1., 1.6e-3, 1.6e-3, 1.6e-3)),
        },
        cs,
    )
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let k: usize = args.get(1).map_or(98, |s| s.parse().unwrap());
    let filt = args.get(2).cloned().unwrap_or_default();
    let reps: usize = (200000 / k).clamp(20, 2000);
    let reps = args.get(3).map_or(reps, |s| s.parse().unwrap());
    for (mname, method) in [
        ("lp", Method::Lp),
        ("qp-mass", Method::Qp(Metric::Mass)),
        ("qp-stiff", Method::Qp(Metric::Stiffness)),
        ("hold", Method::Hold),
    ] {
        for (cname, cone) in [("4", Cone::paper(4)), ("8", Cone::paper(8)), ("disk", Cone::Disk)] {
            if method == Method::Lp && cone == Cone::Disk {
                continue;
            }
            for mem in [false, true] {
                if mem && method != Method::Hold {
                    continue;
                }
                for (lname, lo, hi) in [("holds", 0.05, 0.95), ("edge", 0.99, 1.01), ("slips", 1.05, 3.0)] {
                    for walls in [1, 2, 3, 6] {
                        let tag = format!("{mname}/{cname}/{}/{lname}/{walls}", if mem { "mem" } else { "no" });
                        if !tag.contains(&filt) {
                            continue;
                        }
                        let mut r = R(7);
                        let mut p = ContactProblem::with_capacity(k);
                        let mut s =
                            FrictionSolver::new(Settings { method, cone, warm_start: false, ..Settings::default() }, k)
                                .unwrap();
                        let mut times = vec![];
                        let mut its = vec![];
                        let mut v = [0; 4];
                        let mut stalls = 0;
                        let mut wrong = 0;
                        for _ in 0..reps {
                            let t = lo + (hi - lo) * r.u();
                            let (l, c) = gen_problem(&mut r, walls, k, t, 0.0, cone);
                            s.reset();
                            if mem {
                                // give memory: commit a random small step
                                p.rebuild(
                                    &l,
                                    c.iter().map(|x| {
                                        let mut x = *x;
                                        x.normal_force = 0.0;
                                        x.gap = -1e-5;
                                        if std::env::var("NOISE").is_ok() {
                                            x.point += r.d() * 0.02;
                                        }
                                        x.normal_force = 1.0;
                                        x
                                    }),
                                )
                                .unwrap();
                                s.solve(&p).unwrap();
                                let q = join(r.d() * 3e-7, r.d() * 3e-6);
                                s.commit(&p, &q).unwrap();
                            }
                            p.rebuild(&l, c.iter().copied()).unwrap();
                            let a = Instant::now();
                            let o = s.solve(&p).unwrap();
                            let e = a.elapsed().as_nanos() as f64 / 1e3;
                            let (ver, it, st) = (o.verdict, o.iterations, o.stalled);
                            if let Certificate::Optimal { gap } = o.certificate {
                                let _ = gap;
                            }
                            times.push(e);
                            its.push(it);
                            v[ver as usize] += 1;
                            if st {
                                stalls += 1;
                                if std::env::var("TR").is_ok() {
                                    println!("STALL");
                                    return;
                                }
                            }
                            if method == Method::Lp && ((t < 1.0 - 1e-9) != (ver == Verdict::Holds)) {
                                wrong += 1;
                            }
                        }
                        times.sort_by(f64::total_cmp);
                        its.sort();
                        println!(
                            "{mname:9}{cname:5}{} {lname:6} walls {walls} p50 {:8.2} p99 {:8.2} us  it mean {:5.1} p50 {} p99 {} max {} free/hold/slip/und {:?} stalls {stalls} wrong {wrong}",
                            if mem { "mem" } else { "   " },
                            times[reps / 2],
                            times[reps * 99 / 100],
                            its.iter().sum::<u32>() as f64 / reps as f64,
                            its[reps / 2],
                            its[reps * 99 / 100],
                            its[reps - 1],
                            v
                        );
                    }
                }
            }
        }
    }
}
