//! Finite elements on the tetrahedra of a mesh: their nodes, and the surface that contacts touch.

use crate::mesh::{BoundarySurface, TetMesh};
use stiction::named;
use stiction::spatial::Vec3;

/// The edges of a tetrahedron, in the order of the nodes at their middles.
pub(super) const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

named! {
    /// How displacements vary within an element.
    pub enum ElementOrder {
        /// Linearly, by four nodes, as in the paper: too stiff in bending unless a wall has many layers.
        Linear = "linear",
        /// Quadratically, by ten nodes.
        Quadratic = "quadratic",
    }
}

/// The surface of elements as flat triangles between their nodes: those of quadratic elements are divided into four.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementSurface {
    /// The node of the elements that a vertex is, in ascending order.
    pub nodes: Vec<u32>,
    /// Triangles, anticlockwise from outside, as numbers of vertices.
    pub triangles: Vec<[u32; 3]>,
}

/// Elements on the tetrahedra of a mesh. The first nodes are those of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Elements {
    order: ElementOrder,
    nodes: Vec<Vec3>,
    /// Edges of the mesh with a node at their middle, as sorted pairs in ascending order.
    edges: Vec<[u32; 2]>,
    corners: usize,
    /// The nodes of all elements, one after another.
    of: Vec<u32>,
    surface: ElementSurface,
}

impl Elements {
    /// Elements of an order on every tetrahedron of a mesh.
    pub fn new(mesh: &TetMesh, order: ElementOrder) -> Elements {
        let mut nodes = mesh.nodes().to_vec();
        let corners = nodes.len();
        let mut edges: Vec<[u32; 2]> = Vec::new();
        if order == ElementOrder::Quadratic {
            let sorted = |t: &[u32; 4], [i, j]: [usize; 2]| [t[i].min(t[j]), t[i].max(t[j])];
            edges = mesh.tetrahedra().iter().flat_map(|t| EDGES.map(|edge| sorted(t, edge))).collect();
            edges.sort_unstable();
            edges.dedup();
            nodes.extend(edges.iter().map(|[a, b]| 0.5 * (mesh.nodes()[*a as usize] + mesh.nodes()[*b as usize])));
        }
        let surface = ElementSurface { nodes: Vec::new(), triangles: Vec::new() };
        let mut elements = Elements { order, nodes, edges, corners, of: Vec::new(), surface };
        for t in mesh.tetrahedra() {
            elements.of.extend(t);
            if order == ElementOrder::Quadratic {
                for [i, j] in EDGES {
                    let middle = elements.middle(t[i], t[j]).unwrap_or(0);
                    elements.of.push(middle);
                }
            }
        }
        elements.surface = elements.surface_of(&BoundarySurface::of(mesh));
        elements
    }

    fn surface_of(&self, boundary: &BoundarySurface) -> ElementSurface {
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for triangle in &boundary.triangles {
            let [a, b, c] = triangle.map(|v| boundary.nodes[v as usize]);
            match (self.middle(a, b), self.middle(b, c), self.middle(c, a)) {
                (Some(ab), Some(bc), Some(ca)) => {
                    triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
                }
                _ => triangles.push([a, b, c]),
            }
        }
        let mut nodes: Vec<u32> = triangles.iter().flatten().copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let vertex = |node: &u32| nodes.binary_search(node).unwrap_or(0) as u32;
        let triangles = triangles.iter().map(|t| [vertex(&t[0]), vertex(&t[1]), vertex(&t[2])]).collect();
        ElementSurface { nodes, triangles }
    }

    /// How displacements vary within an element.
    pub fn order(&self) -> ElementOrder {
        self.order
    }

    /// All nodes (m, in the part's axes): those of the mesh, then the middles of edges.
    pub fn nodes(&self) -> &[Vec3] {
        &self.nodes
    }

    /// The number of nodes that are corners of tetrahedra; they come first.
    pub fn corner_count(&self) -> usize {
        self.corners
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.of.len() / self.per_element()
    }

    /// Whether there is no element: never, since a mesh has at least one tetrahedron.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Nodes of one element: 4 or 10.
    pub fn per_element(&self) -> usize {
        match self.order {
            ElementOrder::Linear => 4,
            ElementOrder::Quadratic => 10,
        }
    }

    /// The nodes of an element: four corners, then the middles of its edges.
    pub fn element(&self, element: usize) -> &[u32] {
        let per = self.per_element();
        &self.of[element * per..(element + 1) * per]
    }

    /// Where the corners of an element are.
    pub fn corners(&self, element: usize) -> [Vec3; 4] {
        let nodes = self.element(element);
        [0, 1, 2, 3].map(|k| self.nodes[nodes[k] as usize])
    }

    /// The node at the middle of an edge, if elements are quadratic and there is such an edge.
    pub fn middle(&self, a: u32, b: u32) -> Option<u32> {
        let k = self.edges.binary_search(&[a.min(b), a.max(b)]).ok()?;
        Some((self.corners + k) as u32)
    }

    /// The surface that contacts touch.
    pub fn surface(&self) -> &ElementSurface {
        &self.surface
    }
}
