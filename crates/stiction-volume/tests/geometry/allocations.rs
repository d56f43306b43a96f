//! Nothing allocates once its memory is there.

use crate::random::Random;
use crate::shapes;
use stiction::spatial::Pose;
use stiction_testing::alloc::allocations_of;
use stiction_volume::geometry::{GjkMemory, IntersectionWorkspace, contact_plane, first_normal, proximity};
use stiction_volume::patch::{Displacement, FlatIntersection, MOST_OUTLINE, PlaneAxes, Vec2};

#[test]
fn geometry_and_integrals_allocate_nothing() {
    let mut random = Random(51);
    for _ in 0..2000 {
        let (a, b) = (shapes::any_convex(&mut random).1, shapes::any_convex(&mut random).1);
        let (pa, pb) = (random.pose(1.0), random.pose(1.0));
        let most = a.planes().len() + b.planes().len();
        let (mut common, mut flat) = (IntersectionWorkspace::new(most), FlatIntersection::default());
        let mut memory = GjkMemory::default();
        let mut outline = [Vec2::zeros(); MOST_OUTLINE];
        let mut step = |pa: &Pose, pb: &Pose| {
            proximity(&a, pa, &b, pb, &mut memory);
            if !common.intersect(&a, pa, &b, pb) {
                return;
            }
            let normal = first_normal(&common, &a, pa, &b, pb);
            let plane = contact_plane(&a, pa, &b, pb, &normal, 0.0, &mut memory);
            let axes = PlaneAxes::new(plane.point, plane.normal);
            flat.project(&common, &axes);
            let displacement = Displacement { r: Vec2::new(1e-3, 2e-3), theta: 0.1 };
            if let Some(moments) = flat.moments(&common) {
                std::hint::black_box(flat.directed(&common, &moments, &displacement));
            }
            std::hint::black_box(flat.outline(&mut outline));
        };
        assert_eq!(allocations_of(|| step(&pa, &pb)), 0);
        assert_eq!(allocations_of(|| step(&pa, &pa)), 0);
    }
}
