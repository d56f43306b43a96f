mod support;
use stiction::spatial::{Pose, Vec6};
use stiction_volume::*;
use support::*;
#[test]
fn spin() {
    let mu=0.3; let edge=0.1;
    let contact = ContactCoefficients { mu_static: mu, mu_kinetic: mu, ..ContactCoefficients::default() };
    let plate = Body { twist: Vec6::new(0.,0.,0.,0.,0.,10.), ..Body::new(vec![cuboid([edge, edge, 0.01])], 0.4, Pose::translation(0.0, 0.0, 0.005-2e-5)) };
    let mut e = engine(VolumeSettings { contact, ..settings(1e-3) }, vec![floor(2.0), plate]);
    for i in 0..160 { let before=e.bodies()[1].spin; e.tick(&[]); if i%20==0 || i<4 { let c=&e.contacts()[0]; let s=&e.bodies()[1];
        println!("{i} N {} torsion {:e} ratio {} acc {} disp {:?} mem c {:?} area {} spin {:?} tilt {:?} state {:?}", c.normal_force, c.torsion, c.torsion/(mu*c.normal_force*edge*0.38259785), (s.spin-before).z*1e3, c.displacement, s.centre, c.moments.area, s.spin, (s.pose.rotation*stiction::spatial::Vec3::z()).xy(), c.state); } }
}
#[test]
fn slide() {
    for (name, block, two) in [("one", vec![cuboid([0.1, 0.1, 0.04])], false), ("halves", vec![cuboid_at([0.05, 0.1, 0.04], [-0.025, 0.0, 0.0]), cuboid_at([0.05, 0.1, 0.04], [0.025, 0.0, 0.0])], false), ("seam", vec![cuboid([0.1, 0.1, 0.04])], true)] {
        let floor = if two { Body::fixed(vec![cuboid_at([1.0, 1.0, 0.2], [-0.5, 0.0, 0.0]), cuboid_at([1.0, 1.0, 0.2], [0.5, 0.0, 0.0])], Pose::translation(0.0, 0.0, -0.1)) } else { Body::fixed(vec![cuboid([2.0, 1.0, 0.2])], Pose::translation(0.0, 0.0, -0.1)) };
        let start = Pose::translation(-0.2, 0.01, 0.02);
        let block = Body { twist: Vec6::new(1.5, 0.0, 0.0, 0.0, 0.0, 0.5), ..Body::new(block, 0.5, start) };
        let mut e = engine(settings(1e-3), vec![floor, block]);
        for i in 0..600 { e.tick(&[]); if i<12 || i%50==0 { let s=&e.bodies()[1]; println!("{name} {i} x {:?} v {:?} w {:?} n {} {:?}", s.centre, s.velocity, s.spin, e.contacts().len(), e.contacts().iter().map(|c| (c.normal_force, c.axes.n, c.torsion, c.share)).collect::<Vec<_>>()); } }
    }
}
