//! Contact areas of a lane for display: plain data of a fixed size, copied out of the engine without allocating.

use stiction::friction::SlipState;
use stiction::simulation::ContactArea;
use stiction::spatial::Vec3;

/// Most contact areas of a lane that are shown; of more, as many spread evenly.
pub const MOST_AREAS: usize = 256;
/// Most corners of all contact areas of a lane together.
pub const MOST_CORNERS: usize = 2048;

/// A contact area for display, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaView {
    /// The low 32 bits of the contact's number.
    pub id: u32,
    /// The numbers of the two bodies.
    pub bodies: [u16; 2],
    /// 0 separated, 1 stuck, 2 sliding.
    pub state: u32,
    /// Number of corners of its outline.
    pub corners: u32,
    /// Normal, centre of pressure and friction on the second body in the world, then normal force, torsion and depth.
    pub numbers: [f32; 12],
}

impl AreaView {
    const NONE: AreaView = AreaView { id: 0, bodies: [0; 2], state: 0, corners: 0, numbers: [0.0; 12] };

    fn of(area: &ContactArea) -> Self {
        let mut numbers = [0.0; 12];
        for (to, from) in numbers.chunks_exact_mut(3).zip([&area.normal, &area.centre, &area.friction]) {
            to.copy_from_slice(&single(from));
        }
        numbers[9..].copy_from_slice(&[area.normal_force as f32, area.torsion as f32, area.depth as f32]);
        let bodies = area.bodies.map(|body| u16::try_from(body).unwrap_or(u16::MAX));
        AreaView { id: area.id as u32, bodies, state: area.state as u32, corners: area.outline.len() as u32, numbers }
    }
}

fn single(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// The contact areas of a lane in a tick.
#[derive(Clone, Copy, Debug)]
pub struct AreasView {
    /// Number of all areas, also of those that are not shown.
    pub total: u32,
    /// Number of those that slide.
    pub sliding: u32,
    shown: u32,
    corners_shown: u32,
    areas: [AreaView; MOST_AREAS],
    corners: [[f32; 3]; MOST_CORNERS],
}

impl AreasView {
    /// No areas.
    pub const NONE: AreasView = AreasView {
        total: 0,
        sliding: 0,
        shown: 0,
        corners_shown: 0,
        areas: [AreaView::NONE; MOST_AREAS],
        corners: [[0.0; 3]; MOST_CORNERS],
    };

    /// Takes the areas of a tick, which `show` shows one by one, each time that it is called.
    pub fn take(&mut self, show: impl Fn(&mut dyn FnMut(&ContactArea))) {
        let (mut total, mut sliding, mut corners) = (0, 0, 0);
        show(&mut |area| {
            total += 1;
            sliding += u32::from(area.state == SlipState::Sliding);
            corners += area.outline.len();
        });
        let stride = (total as usize).div_ceil(MOST_AREAS).max(corners.div_ceil(MOST_CORNERS)).max(1);
        let (mut number, mut shown, mut last) = (0, 0, 0);
        show(&mut |area| {
            let wanted = number % stride == 0;
            number += 1;
            // An area with more corners than there is room for is left out, and not cut.
            let room = self.corners.get_mut(last..last + area.outline.len());
            if let Some((to, corners)) = self.areas.get_mut(shown).filter(|_| wanted).zip(room) {
                *to = AreaView::of(area);
                corners.iter_mut().zip(area.outline).for_each(|(to, corner)| *to = single(corner));
                (shown, last) = (shown + 1, last + area.outline.len());
            }
        });
        (self.total, self.sliding, self.shown, self.corners_shown) = (total, sliding, shown as u32, last as u32);
    }

    /// The areas that are shown.
    pub fn areas(&self) -> &[AreaView] {
        &self.areas[..(self.shown as usize).min(MOST_AREAS)]
    }

    /// The corners of their outlines (m, world), one area after the other.
    pub fn corners(&self) -> &[[f32; 3]] {
        &self.corners[..(self.corners_shown as usize).min(MOST_CORNERS)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(sides: &[usize]) -> AreasView {
        let outline: Vec<Vec3> = (0..200).map(|i| Vec3::new(f64::from(i), 0.0, 0.5)).collect();
        let mut view = AreasView::NONE;
        view.take(|each: &mut dyn FnMut(&ContactArea)| {
            for (i, sides) in sides.iter().enumerate() {
                each(&ContactArea {
                    bodies: [i, 70_000],
                    id: (1 << 40) + i as u64,
                    outline: &outline[..*sides],
                    normal: Vec3::z(),
                    centre: Vec3::new(1.0, 2.0, 3.0),
                    normal_force: 9.5,
                    friction: Vec3::x(),
                    torsion: -0.25,
                    depth: 0.125,
                    state: if i % 2 == 1 { SlipState::Sliding } else { SlipState::Stuck },
                });
            }
        });
        view
    }

    #[test]
    fn an_area_has_all_its_numbers_and_corners() {
        let view = show(&[4, 3]);
        assert_eq!((view.total, view.sliding, view.areas().len(), view.corners().len()), (2, 1, 2, 7));
        let area = view.areas()[1];
        assert_eq!((area.id, area.bodies, area.state, area.corners), (1, [1, u16::MAX], SlipState::Sliding as u32, 3));
        assert_eq!(area.numbers, [0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 9.5, -0.25, 0.125]);
        assert_eq!(view.corners()[4], [0.0, 0.0, 0.5], "the first corner of the second area");
    }

    #[test]
    fn more_areas_than_fit_are_spread_evenly() {
        let view = show(&[4; 700]);
        assert_eq!((view.total, view.sliding), (700, 350), "all of them count");
        assert_eq!(view.areas().len(), 234);
        assert_eq!(view.areas()[233].bodies[0], 699);
    }

    #[test]
    fn corners_that_do_not_fit_leave_out_whole_areas() {
        for sides in [vec![12; 250], vec![150; 40], [vec![3; 200], vec![150; 20]].concat()] {
            let view = show(&sides);
            let corners: usize = view.areas().iter().map(|area| area.corners as usize).sum();
            assert_eq!(corners, view.corners().len());
            assert!(corners <= MOST_CORNERS && corners > MOST_CORNERS / 4, "{corners} corners of {sides:?}");
        }
    }
}
