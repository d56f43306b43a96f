//! Where a sampled function is zero: marching squares, linear along the edges of cells.
//!
//! A node is inside when its value is negative. Every cell contributes pieces that run from one of its edges to another
//! with the inside on the same hand, so that pieces join to paths: closed, or from border to border. Of the two ways to
//! join four crossings, the sign of the cell's mean decides.

use std::collections::HashMap;

/// A path in units of cells, x to the right and y up the rows; closed when it ends where it began.
pub type ContourLine = Vec<(f64, f64)>;

/// A crossing: the node its edge begins at, and whether the edge goes up (or right).
type Edge = (usize, usize, bool);

/// All zero lines of values on nodes, row after row.
pub fn zero_lines(values: &[f64], width: usize) -> Vec<ContourLine> {
    let height = values.len() / width;
    let mut next: HashMap<Edge, Edge> = HashMap::new();
    let mut starts: Vec<Edge> = Vec::new();
    for j in 0..height.saturating_sub(1) {
        for i in 0..width - 1 {
            for (from, to) in pieces(values, width, i, j).into_iter().flatten() {
                next.insert(from, to);
                starts.push(from);
            }
        }
    }
    let entered: std::collections::HashSet<Edge> = next.values().copied().collect();
    // Open lines first, from where they enter; what is left is closed.
    let (open, closed): (Vec<Edge>, Vec<Edge>) = starts.into_iter().partition(|edge| !entered.contains(edge));
    let mut lines = Vec::new();
    for start in open.into_iter().chain(closed) {
        let mut line = Vec::new();
        let mut edge = start;
        while let Some(to) = next.remove(&edge) {
            line.push(crossing(values, width, edge));
            edge = to;
        }
        if !line.is_empty() {
            line.push(crossing(values, width, edge));
            lines.push(line);
        }
    }
    lines
}

/// The pieces of a cell: from an edge where, going round the cell, one enters the inside, to one where one leaves it.
fn pieces(values: &[f64], width: usize, i: usize, j: usize) -> [Option<(Edge, Edge)>; 2] {
    let corner = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| values[j * width + i]);
    let edges = [(i, j, false), (i + 1, j, true), (i, j + 1, false), (i, j, true)];
    let inside = corner.map(|value| value < 0.0);
    let enters: Vec<usize> = (0..4).filter(|&k| !inside[k] && inside[(k + 1) % 4]).collect();
    let leaves: Vec<usize> = (0..4).filter(|&k| inside[k] && !inside[(k + 1) % 4]).collect();
    match (enters[..].first(), enters.len()) {
        (None, _) => [None, None],
        (Some(&enter), 1) => [Some((edges[enter], edges[leaves[0]])), None],
        _ => {
            // Opposite corners are inside. If so is the middle, a piece goes round an outside corner.
            let middle_inside = corner.iter().sum::<f64>() < 0.0;
            let leave = |enter: usize| if middle_inside { (enter + 3) % 4 } else { (enter + 1) % 4 };
            [Some((edges[enters[0]], edges[leave(enters[0])])), Some((edges[enters[1]], edges[leave(enters[1])]))]
        }
    }
}

fn crossing(values: &[f64], width: usize, (i, j, up): Edge) -> (f64, f64) {
    let a = values[j * width + i];
    let b = if up { values[(j + 1) * width + i] } else { values[j * width + i + 1] };
    let t = a / (a - b);
    if up { (i as f64, j as f64 + t) } else { (i as f64 + t, j as f64) }
}

/// The same line with fewer corners, none of which moved by more than `tolerance` off it.
pub fn simplify(line: &[(f64, f64)], tolerance: f64) -> ContourLine {
    let mut keep = vec![false; line.len()];
    let mut spans = Vec::new();
    if let Some(last) = line.len().checked_sub(1) {
        // A closed line is cut at its middle, so that both spans have ends apart.
        spans.extend([(0, last / 2), (last / 2, last)]);
        (keep[0], keep[last / 2], keep[last]) = (true, true, true);
    }
    while let Some((low, high)) = spans.pop() {
        let ((ax, ay), (bx, by)) = (line[low], line[high]);
        let long = (bx - ax).hypot(by - ay);
        let off = |&(x, y): &(f64, f64)| match long {
            0.0 => (x - ax).hypot(y - ay),
            _ => ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).abs() / long,
        };
        let worst = (low + 1..high).fold(low, |w, k| if w == low || off(&line[k]) > off(&line[w]) { k } else { w });
        if worst != low && off(&line[worst]) > tolerance {
            keep[worst] = true;
            spans.extend([(low, worst), (worst, high)]);
        }
    }
    line.iter().zip(keep).filter(|(_, keep)| *keep).map(|(&point, _)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(width: usize, height: usize, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        (0..height).flat_map(|j| (0..width).map(move |i| (i as f64, j as f64))).map(|(x, y)| f(x, y)).collect()
    }

    #[test]
    fn the_line_of_a_circle_is_one_closed_circle() {
        let values = sampled(80, 60, |x, y| (x - 40.3).hypot(y - 29.8) - 21.7);
        let lines = zero_lines(&values, 80);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        for line in [lines[0].clone(), simplify(&lines[0], 0.1)] {
            assert!(line.iter().all(|(x, y)| ((x - 40.3).hypot(y - 29.8) - 21.7).abs() < 0.02));
            // Its length is that of the circle, its area too.
            let area: f64 = line.windows(2).map(|p| 0.5 * (p[0].0 * p[1].1 - p[0].1 * p[1].0)).sum();
            assert!((area.abs() / (std::f64::consts::PI * 21.7 * 21.7) - 1.0).abs() < 0.02);
        }
        assert!(simplify(&lines[0], 0.1).len() < lines[0].len() / 2);
    }

    #[test]
    fn a_line_that_leaves_the_picture_is_open_and_saddles_are_joined_once() {
        let lines = zero_lines(&sampled(20, 20, |x, _| x - 7.25), 20);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].len() == 20 && lines[0].iter().all(|p| p.0 == 7.25));
        // A chessboard: all crossings are on exactly one line.
        let board = sampled(9, 9, |x, y| if (x + y) as i32 % 2 == 0 { -1.0 } else { 1.2 });
        let crossings: usize =
            zero_lines(&board, 9).iter().map(|l| if l.first() == l.last() { l.len() - 1 } else { l.len() }).sum();
        assert_eq!(crossings, 2 * 9 * 8);
    }
}
