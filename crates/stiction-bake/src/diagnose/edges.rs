//! Which faces meet at which edge.

/// A face at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    /// The lower point of the edge.
    pub lo: u32,
    /// The higher point of the edge.
    pub hi: u32,
    /// The face.
    pub face: u32,
    /// Whether the face walks the edge from the lower to the higher point.
    pub forward: bool,
}

impl Use {
    /// +1 if the face, flipped or not, walks from the lower to the higher point, -1 if back.
    pub fn sign(&self, flip: &[bool]) -> i32 {
        if self.forward != flip[self.face as usize] { 1 } else { -1 }
    }
}

/// All edges of faces with three distinct points each, ordered by their points.
pub(crate) struct Edges {
    uses: Vec<Use>,
    starts: Vec<u32>,
}

impl Edges {
    /// The edges of some faces.
    pub fn new(faces: &[[u32; 3]]) -> Self {
        let of_face = |(face, corners): (u32, &[u32; 3])| {
            let [a, b, c] = *corners;
            [(a, b), (b, c), (c, a)].map(|(a, b)| Use { lo: a.min(b), hi: a.max(b), face, forward: a < b })
        };
        let all = || (0u32..).zip(faces).flat_map(of_face);
        // By their lower points first, which are small numbers; few edges have the same one.
        let points = faces.iter().flatten().max().map_or(0, |&most| most as usize + 1);
        let mut next = vec![0u32; points + 1];
        all().for_each(|u| next[u.lo as usize + 1] += 1);
        for point in 0..points {
            next[point + 1] += next[point];
        }
        let mut uses = vec![Use { lo: 0, hi: 0, face: 0, forward: false }; 3 * faces.len()];
        for u in all() {
            let place = &mut next[u.lo as usize];
            uses[*place as usize] = u;
            *place += 1;
        }
        uses.chunk_by_mut(|a, b| a.lo == b.lo).for_each(<[Use]>::sort_unstable);
        let mut starts = Vec::with_capacity(uses.len() / 2 + 1);
        for (i, u) in uses.iter().enumerate() {
            if i == 0 || (uses[i - 1].lo, uses[i - 1].hi) != (u.lo, u.hi) {
                starts.push(i as u32);
            }
        }
        starts.push(uses.len() as u32);
        Edges { uses, starts }
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The faces of an edge.
    pub fn group(&self, edge: usize) -> &[Use] {
        &self.uses[self.starts[edge] as usize..self.starts[edge + 1] as usize]
    }

    /// The faces of every edge.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[Use]> + '_ {
        (0..self.len()).map(|e| self.group(e))
    }

    /// The three edges of one of the faces.
    pub fn of_face(&self, face: &[u32; 3]) -> [usize; 3] {
        [0, 1, 2].map(|k| {
            let (a, b) = (face[k], face[(k + 1) % 3]);
            let ends = (a.min(b), a.max(b));
            let first = |e: u32| (self.uses[e as usize].lo, self.uses[e as usize].hi);
            self.starts[..self.len()].partition_point(|&s| first(s) < ends)
        })
    }
}
