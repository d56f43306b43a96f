//! Disjoint sets.

/// A forest of sets; the root of a set is its lowest member.
pub(crate) struct Union {
    parent: Vec<u32>,
}

impl Union {
    /// So many sets of one.
    pub fn new(n: usize) -> Self {
        Union { parent: (0..n as u32).collect() }
    }

    /// The lowest member of the set of `i`.
    pub fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            self.parent[i as usize] = self.parent[self.parent[i as usize] as usize];
            i = self.parent[i as usize];
        }
        i
    }

    /// Makes one set of two; whether they were two.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Numbers the sets from zero by their lowest member: the number of every member's set, and how many sets.
    pub fn number(&mut self) -> (Vec<u32>, usize) {
        let mut name = vec![0; self.parent.len()];
        let mut count = 0;
        for i in 0..self.parent.len() as u32 {
            let root = self.root(i);
            if root == i {
                name[i as usize] = count;
                count += 1;
            } else {
                name[i as usize] = name[root as usize];
            }
        }
        (name, count as usize)
    }
}
