//! Which meshes a glTF shows, and where.

use crate::import::Placement;
use gltf::json::Root;
use gltf::json::scene::Node;
use stiction::spatial::{Mat3, Vec3};

/// A mesh that is shown.
pub(super) struct Instance {
    pub(super) mesh: usize,
    pub(super) placement: Placement,
}

/// All instances of the scene: the default one, or else all scenes together, or else, without scenes, every node that
/// is nobody's child; without nodes, every mesh where it is.
pub(super) fn instances(root: &Root) -> Result<Vec<Instance>, String> {
    let identity = Placement { linear: Mat3::identity(), translation: Vec3::zeros() };
    if root.nodes.is_empty() {
        return Ok((0..root.meshes.len()).map(|mesh| Instance { mesh, placement: identity }).collect());
    }
    let mut found = Vec::new();
    let mut seen = vec![false; root.nodes.len()];
    // Depth first without recursion: files nest as deep as they like.
    let mut open: Vec<(usize, Placement)> = roots(root)?.into_iter().rev().map(|n| (n, identity)).collect();
    while let Some((number, parent)) = open.pop() {
        let node = root.nodes.get(number).ok_or_else(|| format!("node {number} is referred to but not there"))?;
        if std::mem::replace(&mut seen[number], true) {
            return Err(format!("node {number} has two parents, or is its own ancestor"));
        }
        let placement = parent.after(&local(node));
        if let Some(mesh) = node.mesh {
            found.push(Instance { mesh: mesh.value(), placement });
        }
        let children = node.children.as_deref().unwrap_or_default();
        open.extend(children.iter().rev().map(|c| (c.value(), placement)));
    }
    Ok(found)
}

fn roots(root: &Root) -> Result<Vec<usize>, String> {
    let mut numbers: Vec<usize> = match root.scene {
        Some(scene) => {
            let number = scene.value();
            let scene = root.scenes.get(number).ok_or_else(|| format!("its scene {number} is not there"))?;
            scene.nodes.iter().map(|n| n.value()).collect()
        }
        None if !root.scenes.is_empty() => root.scenes.iter().flat_map(|s| &s.nodes).map(|n| n.value()).collect(),
        None => {
            let mut is_child = vec![false; root.nodes.len()];
            for child in root.nodes.iter().filter_map(|n| n.children.as_ref()).flatten() {
                if let Some(flag) = is_child.get_mut(child.value()) {
                    *flag = true;
                }
            }
            (0..root.nodes.len()).filter(|&n| !is_child[n]).collect()
        }
    };
    // A root that two scenes share is shown once.
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// A node's own transform: a matrix by columns, or T R S.
fn local(node: &Node) -> Placement {
    if let Some(m) = node.matrix.map(|m| m.map(f64::from)) {
        let linear = Mat3::new(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]);
        return Placement { linear, translation: Vec3::new(m[12], m[13], m[14]) };
    }
    let translation = Vec3::from(node.translation.unwrap_or_default().map(f64::from));
    let scale = Vec3::from(node.scale.unwrap_or([1.0; 3]).map(f64::from));
    let rotation = node.rotation.map_or(Mat3::identity(), |q| rotation(q.0.map(f64::from)));
    Placement { linear: rotation * Mat3::from_diagonal(&scale), translation }
}

/// The rotation of a quaternion (x, y, z, w) of any length; files store it in single precision.
fn rotation([x, y, z, w]: [f64; 4]) -> Mat3 {
    let n = x * x + y * y + z * z + w * w;
    if !(n > 0.0) {
        return Mat3::identity();
    }
    let s = 2.0 / n;
    Mat3::new(
        1.0 - s * (y * y + z * z),
        s * (x * y - z * w),
        s * (x * z + y * w),
        s * (x * y + z * w),
        1.0 - s * (x * x + z * z),
        s * (y * z - x * w),
        s * (x * z - y * w),
        s * (y * z + x * w),
        1.0 - s * (x * x + y * y),
    )
}
