//! The walk without memory.

use super::{Bounds, Ground, Hit, Look, Open, Progress};
use std::ops::Range;

/// Every point is looked up in the field, one after the other.
pub(super) struct Plain<'a, V> {
    pub ground: &'a Ground<'a>,
    pub visit: V,
}

impl<V: FnMut(&[Hit]) -> u64> Plain<'_, V> {
    #[inline(always)]
    fn look(&mut self, i: u32, progress: &mut Progress) {
        let Ground { shell, nodes, field, place, margin, far, slack, .. } = self.ground;
        let node = &nodes[i as usize];
        let position = place.apply(&shell.points()[node.point as usize].position);
        progress.walk.nodes += 1;
        progress.walk.samples += 1;
        progress.pay(1);
        // (2): most points are far away, and a far point need not be looked up in memory.
        let outside = self.ground.outside(&position);
        let mut distance = outside + slack;
        if !(outside > node.reach() + far) {
            let sample = field.sample(position);
            distance = sample.distance;
            if sample.distance < *margin {
                progress.walk.hits += 1;
                progress.pay((self.visit)(&[Hit { point: node.point, sample, position }]));
            }
        }
        progress.keep(i, Bounds { distance, value: f64::NEG_INFINITY });
    }
}

impl<V: FnMut(&[Hit]) -> u64> Look for Plain<'_, V> {
    fn roots(&mut self, roots: Range<u32>, progress: &mut Progress) {
        roots.for_each(|i| self.look(i, progress));
    }

    fn refine(&mut self, parents: &[Open], progress: &mut Progress) {
        for parent in parents {
            let node = &self.ground.nodes[parent.node as usize];
            progress.walk.nodes += 1;
            progress.keep(node.first_child, parent.bounds);
            (1..node.children).for_each(|k| self.look(node.first_child + k, progress));
        }
    }
}
