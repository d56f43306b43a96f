//! Which nodes share an element: the pattern of stiffness and mass.

use super::elements::Elements;

/// Rows of nodes, each with the nodes that it shares an element with, itself among them, ascending.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodePattern {
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl NodePattern {
    pub(super) fn of(elements: &Elements) -> NodePattern {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut starts = vec![0];
        let mut columns = Vec::new();
        // Elements of each node, so that no list of all pairs is needed.
        let mut beside: Vec<(u32, u32)> = Vec::with_capacity(elements.len() * elements.per_element());
        for e in 0..elements.len() {
            beside.extend(elements.element(e).iter().map(|&n| (n, e as u32)));
        }
        beside.sort_unstable();
        for own in beside.chunk_by(|a, b| a.0 == b.0) {
            pairs.clear();
            pairs.extend(own.iter().flat_map(|(n, e)| elements.element(*e as usize).iter().map(|m| (*n, *m))));
            pairs.sort_unstable();
            pairs.dedup();
            columns.extend(pairs.iter().map(|pair| pair.1));
            starts.push(columns.len());
        }
        NodePattern { starts, columns }
    }

    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The pairs of a row: where each is stored, and its column.
    pub(super) fn row(&self, node: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        (self.starts[node]..self.starts[node + 1]).map(|k| (k, self.columns[k]))
    }

    /// Where a pair is stored; it must be there.
    pub(super) fn find(&self, row: u32, column: u32) -> usize {
        let start = self.starts[row as usize];
        let own = &self.columns[start..self.starts[row as usize + 1]];
        start + own.partition_point(|&c| c < column)
    }
}
