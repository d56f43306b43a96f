//! Writing: every section twice, first for its length and checksum, then for good.

use super::{
    ALLOWANCE, CHUNK, CONVEX, DENSE, EDGE_ALLOWANCE, FORMAT, MAGIC, MASS, PROVENANCE, ROW, SHELL, SHELL_ALLOWANCE,
    SPARSE, START,
};
use crate::shape::{Aabb, Allowance, ConvexParts, DistanceField, EdgeAllowance, Lattice, Shape, Sparse};
use crate::spatial::Vec3;
use std::io::{self, Write};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Writes a shape. The same shape gives the same bytes.
///
/// # Errors
/// What the writer says; `InvalidInput` for mass properties or convex parts that are not finite.
pub fn encode(shape: &Shape, writer: &mut impl Write) -> io::Result<()> {
    shape.mass.check().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    if let Some(convex) = &shape.convex {
        convex.check().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    }
    let field = match shape.field {
        DistanceField::Dense(_) => DENSE,
        DistanceField::Sparse(_) => SPARSE,
    };
    let mut tags = vec![PROVENANCE, MASS, SHELL, field];
    tags.extend(shape.allowance.as_ref().map(|_| ALLOWANCE));
    let edges = shape.allowance.as_ref().and_then(Allowance::edges);
    tags.extend(edges.map(|_| EDGE_ALLOWANCE));
    if !shape.shell.allowances().is_empty() {
        tags.push(SHELL_ALLOWANCE);
    }
    tags.extend(shape.convex.as_ref().map(|_| CONVEX));
    let mut header = Vec::from(MAGIC);
    header.extend(FORMAT.to_le_bytes());
    header.extend((tags.len() as u32).to_le_bytes());
    let mut offset = (START + tags.len() * ROW + 8) as u64;
    for &tag in &tags {
        let (mut hash, mut length) = (Xxh3::new(), 0);
        let mut sink = |bytes: &[u8]| {
            hash.update(bytes);
            length += bytes.len() as u64;
            Ok(())
        };
        Output::new(&mut sink).section(shape, tag)?;
        header.extend(tag);
        header.extend(0u32.to_le_bytes());
        header.extend(offset.to_le_bytes());
        header.extend(length.to_le_bytes());
        header.extend(hash.digest().to_le_bytes());
        offset += length;
    }
    header.extend(xxh3_64(&header).to_le_bytes());
    writer.write_all(&header)?;
    let mut sink = |bytes: &[u8]| writer.write_all(bytes);
    let mut output = Output::new(&mut sink);
    tags.into_iter().try_for_each(|tag| output.section(shape, tag))
}

struct Output<'s> {
    sink: &'s mut dyn FnMut(&[u8]) -> io::Result<()>,
    buffer: Vec<u8>,
}

impl<'s> Output<'s> {
    fn new(sink: &'s mut dyn FnMut(&[u8]) -> io::Result<()>) -> Self {
        Output { sink, buffer: vec![0; CHUNK] }
    }

    fn section(&mut self, shape: &Shape, tag: [u8; 4]) -> io::Result<()> {
        match tag {
            PROVENANCE => (self.sink)(shape.provenance.as_bytes()),
            MASS => self.mass(shape),
            SHELL => self.shell(shape),
            ALLOWANCE => shape.allowance.as_ref().map_or(Ok(()), |allowance| self.allowance(allowance)),
            EDGE_ALLOWANCE => {
                let edges = shape.allowance.as_ref().and_then(Allowance::edges);
                edges.map_or(Ok(()), |edges| self.edge_allowance(edges))
            }
            SHELL_ALLOWANCE => {
                self.u32s([shape.shell.allowances().len() as u32, 0])?;
                self.array(shape.shell.allowances(), |x| x.to_le_bytes())
            }
            CONVEX => shape.convex.as_ref().map_or(Ok(()), |convex| self.convex(convex)),
            _ => match &shape.field {
                DistanceField::Dense(field) => {
                    self.lattice_and_part(shape)?;
                    self.array(field.values(), |x| x.to_le_bytes())
                }
                DistanceField::Sparse(field) => self.sparse(shape, field),
            },
        }
    }

    fn mass(&mut self, shape: &Shape) -> io::Result<()> {
        let mass = &shape.mass;
        self.f64s([mass.volume])?;
        self.vector(&mass.centre)?;
        (0..3).try_for_each(|i| self.vector(&mass.inertia.row(i).transpose()))
    }

    fn shell(&mut self, shape: &Shape) -> io::Result<()> {
        let shell = &shape.shell;
        self.u32s([shell.points().len() as u32, shell.levels().len() as u32])?;
        self.array(shell.levels(), |n| n.to_le_bytes())?;
        self.array(shell.points(), |point| {
            let (p, n) = (point.position, point.normal);
            pack::<8, 48>([p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_le_bytes))
        })?;
        self.array(shell.nodes(), |node| {
            let [point, first, children] = [node.point, node.first_child, node.children].map(u32::to_le_bytes);
            pack::<4, 16>([point, first, children, node.radius.to_le_bytes()])
        })
    }

    fn sparse(&mut self, shape: &Shape, field: &Sparse) -> io::Result<()> {
        self.lattice_and_part(shape)?;
        self.f64s([field.band()])?;
        self.u32s([(field.blocks().len() / Sparse::BLOCK) as u32, 0])?;
        self.array(field.coarse(), |x| x.to_le_bytes())?;
        self.array(field.slots(), |x| x.to_le_bytes())?;
        self.array(field.blocks(), |x| x.to_le_bytes())
    }

    fn allowance(&mut self, allowance: &Allowance) -> io::Result<()> {
        self.lattice(allowance.lattice())?;
        self.array(allowance.values(), |x| x.to_le_bytes())
    }

    fn edge_allowance(&mut self, edges: &EdgeAllowance) -> io::Result<()> {
        self.lattice(edges.lattice())?;
        self.u32s([(edges.nodes().len() / EdgeAllowance::BLOCK) as u32, 0])?;
        self.array(edges.slots(), |x| x.to_le_bytes())?;
        self.array(edges.nodes(), |x| x.to_le_bytes())
    }

    fn convex(&mut self, convex: &ConvexParts) -> io::Result<()> {
        self.u32s([convex.parts.len() as u32, 0])?;
        self.f64s([convex.closeness.volume_share, convex.closeness.largest_distance_m])?;
        let counts: Vec<u32> = convex.parts.iter().map(|part| part.len() as u32).collect();
        self.array(&counts, |n| n.to_le_bytes())?;
        convex.parts.iter().flatten().try_for_each(|corner| self.vector(corner))
    }

    fn lattice_and_part(&mut self, shape: &Shape) -> io::Result<()> {
        self.lattice(shape.field.lattice())?;
        let Aabb { min, max } = shape.field.part();
        self.vector(min)?;
        self.vector(max)
    }

    fn lattice(&mut self, lattice: &Lattice) -> io::Result<()> {
        self.vector(&lattice.origin)?;
        self.f64s([lattice.spacing])?;
        let [x, y, z] = lattice.cells;
        self.u32s([x, y, z, 0])
    }

    fn vector(&mut self, v: &Vec3) -> io::Result<()> {
        self.f64s([v.x, v.y, v.z])
    }

    fn f64s<const N: usize>(&mut self, numbers: [f64; N]) -> io::Result<()> {
        self.array(&numbers, |x| x.to_le_bytes())
    }

    fn u32s<const N: usize>(&mut self, numbers: [u32; N]) -> io::Result<()> {
        self.array(&numbers, |x| x.to_le_bytes())
    }

    fn array<T: Copy, const N: usize>(&mut self, all: &[T], bytes: impl Fn(T) -> [u8; N]) -> io::Result<()> {
        for some in all.chunks(CHUNK / N) {
            let buffer = &mut self.buffer[..some.len() * N];
            let (slots, _) = buffer.as_chunks_mut::<N>();
            for (slot, element) in slots.iter_mut().zip(some) {
                *slot = bytes(*element);
            }
            (self.sink)(buffer)?;
        }
        Ok(())
    }
}

/// Numbers one after the other.
fn pack<const N: usize, const SUM: usize>(parts: impl IntoIterator<Item = [u8; N]>) -> [u8; SUM] {
    let mut all = [0; SUM];
    let (slots, _) = all.as_chunks_mut::<N>();
    slots.iter_mut().zip(parts).for_each(|(slot, part)| *slot = part);
    all
}
