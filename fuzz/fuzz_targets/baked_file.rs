//! Any bytes as a baked shape: decoded, and if that works, sampled and walked. Built with `--cfg fuzzing`, checksums are not
//! compared, so that what lies behind them is reached.
#![no_main]

use stiction::collide::{Pose, Query, Traversal};
use stiction::shape::file::decode;
use stiction::spatial::Vec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(shape) = decode(&mut &bytes[..], bytes.len() as u64) else { return };
    let bounds = shape.field.lattice().bounds();
    for i in 0..32u32 {
        let part = |k: u32| f64::from((i * k) % 17) / 8.0 - 0.5;
        let p = bounds.min + (bounds.max - bounds.min).component_mul(&Vec3::new(part(3), part(5), part(7)));
        let sample = shape.field.sample(p);
        assert!(sample.distance.is_finite() && sample.gradient.iter().all(|g| g.is_finite()));
        if let Some(allowance) = &shape.allowance {
            let (value, gradient) = allowance.sample(p);
            assert!(value >= 0.0 && value <= allowance.largest() * (1.0 + 1e-12));
            assert!(gradient.iter().all(|g| g.is_finite()));
        }
    }
    let mut walk = Traversal::with_capacity(shape.shell.points().len());
    let _ = walk.touching(&shape.shell, &shape.field, &Pose::identity(), Query::within(0.0), |_| {});
});
