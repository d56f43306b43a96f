//! Patches: faces joined over edges that exactly two faces share, wound alike.
//!
//! Winding spreads from the first face of a patch over such edges. Then the patch is wound as most of its area was;
//! an exact tie keeps the first face. Where three faces meet, winding does not spread: they are not one surface. Where
//! four or more meet, either solids touch, and their patches are closed without that edge; or surfaces cross exactly
//! along it, as boxes on one lattice do, and their patches are not. Then faces that go straight on are joined, and
//! winding spreads from one to the other, unless that would make a patch that cannot be wound at all.

use super::edges::{Edges, Use};
use crate::Mesh;

/// More faces at one edge than this are not paired.
const MOST_AT_EDGE: usize = 64;

/// The patches of a mesh.
pub(super) struct Patches {
    /// For every face its patch.
    pub of: Vec<u32>,
    /// For every face whether it is wound against its patch.
    pub flip: Vec<bool>,
    /// For every patch its faces.
    pub faces: Vec<Vec<u32>>,
    /// For every patch whether its faces can be wound alike: not so for a Möbius strip.
    pub orientable: Vec<bool>,
    /// For every patch whether it has no boundary of its own: as many faces walk every edge forth as back.
    pub closed: Vec<bool>,
    /// For every patch its area in m².
    pub area: Vec<f64>,
}

/// Area of a triangle in m².
pub(super) fn area(mesh: &Mesh, face: usize) -> f64 {
    let [a, b, c] = mesh.triangle(face);
    0.5 * (b - a).cross(&(c - a)).norm()
}

impl Patches {
    /// The patches of a welded mesh.
    pub fn new(mesh: &Mesh, edges: &Edges) -> Self {
        let mut links: Vec<[Use; 2]> = edges.groups().filter(|g| g.len() == 2).map(|g| [g[0], g[1]]).collect();
        let simple = Self::joined(mesh, edges, &links);
        let before = links.len();
        links.extend(edges.groups().filter(|g| g.len() > 3).flat_map(|g| straight(mesh, &simple, g)));
        if links.len() == before {
            return simple;
        }
        let crossed = Self::joined(mesh, edges, &links);
        let twisted = |p: &Self| p.orientable.iter().filter(|o| !**o).count();
        if twisted(&crossed) > twisted(&simple) { simple } else { crossed }
    }

    /// The patches that these links between faces make.
    fn joined(mesh: &Mesh, edges: &Edges, links: &[[Use; 2]]) -> Self {
        let n = mesh.faces.len();
        let mut neighbours: Vec<[(u32, bool); 3]> = vec![[(u32::MAX, false); 3]; n];
        let mut slots = vec![0u8; n];
        for pair in links {
            for (me, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let slot = &mut slots[me.face as usize];
                neighbours[me.face as usize][*slot as usize] = (other.face, me.forward == other.forward);
                *slot += 1;
            }
        }
        let mut out = Patches {
            of: vec![u32::MAX; n],
            flip: vec![false; n],
            faces: Vec::new(),
            orientable: Vec::new(),
            closed: Vec::new(),
            area: Vec::new(),
        };
        for seed in 0..n as u32 {
            if out.of[seed as usize] == u32::MAX {
                out.spread(mesh, &neighbours, seed);
            }
        }
        for pair in links.iter().filter(|p| p[0].sign(&out.flip) == p[1].sign(&out.flip)) {
            out.orientable[out.of[pair[0].face as usize] as usize] = false;
        }
        out.closed = out.without_boundary(edges);
        out
    }

    /// Finds the patch of a face and winds it.
    fn spread(&mut self, mesh: &Mesh, neighbours: &[[(u32, bool); 3]], seed: u32) {
        let patch = self.faces.len() as u32;
        let mut faces = vec![seed];
        self.of[seed as usize] = patch;
        let (mut next, mut total, mut against) = (0, 0.0, 0.0);
        while next < faces.len() {
            let face = faces[next] as usize;
            next += 1;
            let size = area(mesh, face);
            total += size;
            against += if self.flip[face] { size } else { 0.0 };
            for &(other, turn) in &neighbours[face] {
                if other != u32::MAX && self.of[other as usize] == u32::MAX {
                    self.of[other as usize] = patch;
                    self.flip[other as usize] = self.flip[face] != turn;
                    faces.push(other);
                }
            }
        }
        if against > 0.5 * total {
            faces.iter().for_each(|&f| self.flip[f as usize] ^= true);
        }
        faces.sort_unstable();
        self.faces.push(faces);
        self.orientable.push(true);
        self.area.push(total);
    }

    /// Which patches have no boundary.
    fn without_boundary(&self, edges: &Edges) -> Vec<bool> {
        let mut closed = vec![true; self.faces.len()];
        let mut signs: Vec<(u32, i32)> = Vec::new();
        for group in edges.groups() {
            signs.clear();
            signs.extend(group.iter().map(|u| (self.of[u.face as usize], u.sign(&self.flip))));
            signs.sort_unstable();
            for own in signs.chunk_by(|a, b| a.0 == b.0) {
                if own.iter().map(|s| s.1).sum::<i32>() != 0 {
                    closed[own[0].0 as usize] = false;
                }
            }
        }
        closed
    }

    /// Turns a whole patch over.
    pub fn turn(&mut self, patch: usize) {
        self.faces[patch].iter().for_each(|&f| self.flip[f as usize] ^= true);
    }
}

/// Pairs of faces that go straight on into each other at an edge of four faces or more: of those whose patch is not
/// closed by itself, an even number, the straightest pair first.
fn straight(mesh: &Mesh, patches: &Patches, group: &[Use]) -> Vec<[Use; 2]> {
    let open: Vec<Use> =
        group.iter().filter(|u| !patches.closed[patches.of[u.face as usize] as usize]).copied().collect();
    if open.len() % 2 == 1 || open.len() > MOST_AT_EDGE {
        return Vec::new();
    }
    let along = mesh.points[group[0].hi as usize] - mesh.points[group[0].lo as usize];
    let away = |u: &Use| {
        let apex = mesh.faces[u.face as usize].iter().find(|&&i| i != u.lo && i != u.hi).copied().unwrap_or(u.lo);
        let out = mesh.points[apex as usize] - mesh.points[u.lo as usize];
        (out - along * (along.dot(&out) / along.norm_squared())).try_normalize(0.0).unwrap_or_default()
    };
    let away: Vec<_> = open.iter().map(away).collect();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for j in 0..open.len() {
        pairs.extend((0..j).map(|i| (away[i].dot(&away[j]), i, j)));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken = vec![false; open.len()];
    let mut out = Vec::new();
    for (_, i, j) in pairs {
        if !taken[i] && !taken[j] {
            (taken[i], taken[j]) = (true, true);
            out.push([open[i], open[j]]);
        }
    }
    out
}
