//! What a page draws of a world: the triangles of both parts, the point shell that collides and slices through the distance fields, in
//! the byte formats of `PROTOCOL.md`. Everything is in the part's own axes, those of its baked shape, in metres.

pub mod decimate;
mod mesh;
mod shell;
mod slice;

pub use slice::{MAX_POINTS, SliceAxis, slice};

use crate::many_bodies::ManyBodies;
use mesh::Surface;
use stiction::contact::penalty::ShellOn;
use stiction_bake::Progress;
use stiction_bake::bake::BakeError;
use stiction_bake::progress::Cancelled;
use stiction_scene::{SceneError, World};

/// Triangles of a part that a page gets without asking for more: enough for any screen, and a megabyte to send.
pub const BUDGET: usize = 60_000;

/// Triangles that a body of many gets at least.
const LEAST_OF_BODY: usize = 1000;

/// A box in a part's own axes, lowest and highest corner (m).
pub type Bounds = [[f64; 3]; 2];

/// What pages ask for of one world; made once for each generation and never changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Display {
    /// The triangles of the part in the hand: the body of `/api/mesh/GENERATION/held`.
    pub held: Vec<u8>,
    /// The triangles of the part that does not move: the body of `/api/mesh/GENERATION/fixed`.
    pub fixed: Vec<u8>,
    /// The points that collide, with their levels: the body of `/api/shell/GENERATION`.
    pub shell: Vec<u8>,
    /// The triangles of the shapes of a world of many bodies: the bodies of `/api/mesh/GENERATION/body/NUMBER`. The parts above have none then.
    pub bodies: Vec<Vec<u8>>,
    /// The box of the part in the hand, as it was before decimation.
    pub held_bounds: Bounds,
    /// The box of the part that does not move.
    pub fixed_bounds: Bounds,
}

impl Display {
    /// Everything that a page draws of a world. Parts of more than `budget` triangles are decimated. Meshes are made or read again, since
    /// shapes keep no triangles: some tenths of a second for a hundred thousand of them.
    ///
    /// # Errors
    /// [`SceneError`] where a mesh cannot be read any more, or the user stopped it ([`SceneError::cancelled`]).
    pub fn of(world: &World, budget: usize, progress: &dyn Progress) -> Result<Display, SceneError> {
        if let Some(many) = ManyBodies::of(world) {
            return Display::of_bodies(&many, budget, progress);
        }
        progress.stage("triangles for display", 2);
        let [held, fixed] =
            [("held", &world.scene.held().part, &world.held), ("fixed", &world.scene.fixed().part, &world.fixed)].map(
                |(name, part, shape)| {
                    let stopped = |c: Cancelled| SceneError::Bake { part: name, source: BakeError::Cancelled(c) };
                    let surface = Surface::of(name, part, shape.field.part())?;
                    let bytes = surface.encoded(budget, progress).map_err(stopped)?;
                    progress.advance(1);
                    Ok::<_, SceneError>((bytes, surface.bounds))
                },
            );
        let ((held, held_bounds), (fixed, fixed_bounds)) = (held?, fixed?);
        let collides = if world.scene.settings.shell_on == ShellOn::Held { &world.held } else { &world.fixed };
        let shell = shell::encode(&collides.shell);
        Ok(Display { held, fixed, shell, bodies: Vec::new(), held_bounds, fixed_bounds })
    }

    /// The shapes of many bodies, which share the triangles that a page gets.
    fn of_bodies(many: &ManyBodies, budget: usize, progress: &dyn Progress) -> Result<Display, SceneError> {
        progress.stage("triangles for display", many.shapes.len() as u64);
        let each = (budget / many.shapes.len().max(1)).max(LEAST_OF_BODY);
        let stopped = |c: Cancelled| SceneError::Bake { part: "body", source: BakeError::Cancelled(c) };
        let mut bodies = Vec::with_capacity(many.shapes.len());
        for shape in &many.shapes {
            bodies.push(Surface::of_mesh(&shape.mesh).encoded(each, progress).map_err(stopped)?);
            progress.advance(1);
        }
        let nothing = Bounds::default();
        let (held, fixed, shell) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Display { held, fixed, shell, bodies, held_bounds: nothing, fixed_bounds: nothing })
    }
}

/// Appends a count; what does not fit in 32 bits is refused long before.
fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

/// Appends numbers in single precision.
fn put_floats(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = f64>) {
    for x in numbers {
        out.extend((x as f32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests;
