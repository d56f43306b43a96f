//! Files of unilateral contact problems with Coulomb friction, as JSON: the format of the public problems beside the repository.
//!
//! ```json
//! { "name": "…", "contacts": 2, "mu": [0.5, 0.5], "q": [6 numbers], "blocks": [[0, 0, [9 numbers]], [0, 1, [9 numbers]], …] }
//! ```
//!
//! A block is W_ij, row by row; blocks that are not listed are zero. Components of a contact: normal, tangent, tangent. W is symmetrised, and how far it was from it is told.

use nalgebra::Matrix3;
use serde::Deserialize;
use std::path::Path;
use stiction::contact::ContactId;
use stiction::delassus::{ConeError, ConeProblem, Delassus, DenseOperator, UnilateralContact};
use stiction::spatial::Vec3;

/// The most contacts that are read: W of as many takes 1.8 GB.
const MOST: usize = 5000;
/// How far a matrix may be from symmetric, as a share of its largest entry: files are printed with few digits.
const ASYMMETRY: f64 = 1e-2;

/// Errors from reading a file of a contact problem.
#[derive(Debug, thiserror::Error)]
pub enum ConeFileError {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The text is not JSON of this form.
    #[error("it is not a contact problem: {0}. Expected an object with \"contacts\", \"mu\", \"q\" and \"blocks\"")]
    Form(#[from] serde_json::Error),
    /// There are too many contacts.
    #[error("it has {0} contacts, and at most {MOST} are read")]
    TooMany(usize),
    /// A list has the wrong length.
    #[error("\"{list}\" has {found} numbers, but {contacts} contacts need {wanted}")]
    Length {
        /// Which list.
        list: &'static str,
        /// How many there are.
        found: usize,
        /// Contacts of the file.
        contacts: usize,
        /// How many there must be.
        wanted: usize,
    },
    /// A block is outside of W.
    #[error("block {number} is at ({row}, {column}), outside of {contacts} contacts, which count from 0")]
    OutOfRange {
        /// Its place in the list, from 0.
        number: usize,
        /// i.
        row: usize,
        /// j.
        column: usize,
        /// Contacts of the file.
        contacts: usize,
    },
    /// A block is there twice.
    #[error("the block ({row}, {column}) is there twice")]
    Twice {
        /// i.
        row: usize,
        /// j.
        column: usize,
    },
    /// The problem itself is not one.
    #[error(transparent)]
    Problem(#[from] ConeError),
}

#[derive(Deserialize)]
struct Raw {
    #[serde(default)]
    name: String,
    contacts: usize,
    mu: Vec<f64>,
    q: Vec<f64>,
    blocks: Vec<(usize, usize, [f64; 9])>,
}

/// A contact problem of a file.
#[derive(Clone, Debug)]
pub struct ConeFile {
    /// What the file calls it.
    pub name: String,
    /// The problem, W symmetrised.
    pub problem: ConeProblem<DenseOperator>,
    /// How far W was from symmetric: the largest |W - Wᵀ| as a share of the largest |W|.
    pub asymmetry: f64,
}

impl ConeFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, or what is wrong with it.
    pub fn read(path: &Path) -> Result<Self, ConeFileError> {
        Self::parse(&std::fs::read_to_string(path)?)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ConeFileError> {
        let Raw { name, contacts: n, mu, q, blocks } = serde_json::from_str(text)?;
        if n > MOST {
            return Err(ConeFileError::TooMany(n));
        }
        for (list, found, wanted) in [("mu", mu.len(), n), ("q", q.len(), 3 * n)] {
            if found != wanted {
                return Err(ConeFileError::Length { list, found, contacts: n, wanted });
            }
        }
        let mut seen = vec![false; n * n];
        for (number, &(row, column, _)) in blocks.iter().enumerate() {
            if row >= n || column >= n {
                return Err(ConeFileError::OutOfRange { number, row, column, contacts: n });
            }
            if std::mem::replace(&mut seen[row * n + column], true) {
                return Err(ConeFileError::Twice { row, column });
            }
        }
        let mut problem = ConeProblem::new(DenseOperator::with_capacity(n));
        let mut asymmetry = 0.0;
        let fill = |w: &mut DenseOperator| {
            w.begin(n)?;
            for (i, j, numbers) in &blocks {
                w.add(*i, *j, &Matrix3::from_row_slice(numbers));
            }
            asymmetry = w.symmetrise();
            if asymmetry <= ASYMMETRY { Ok(()) } else { Err(ConeError::Asymmetric { off: asymmetry }) }
        };
        let listed = mu.iter().zip(q.chunks_exact(3)).enumerate().map(|(i, (mu, q))| UnilateralContact {
            id: ContactId(i as u64),
            mu: *mu,
            free: Vec3::new(q[0], q[1], q[2]),
        });
        problem.rebuild(fill, listed)?;
        Ok(ConeFile { name, problem, asymmetry })
    }
}

/// The text of a file with a problem.
pub fn cone_file_text<W: Delassus>(name: &str, problem: &ConeProblem<W>) -> String {
    let (n, w) = (problem.len(), problem.operator());
    let blocks = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let blocks: Vec<_> = blocks
        .map(|(i, j)| {
            let block = w.block(i, j);
            (i, j, [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|k| block[(k / 3, k % 3)]))
        })
        .filter(|(_, _, block)| block.iter().any(|x| *x != 0.0))
        .collect();
    let mu: Vec<f64> = problem.contacts().iter().map(|c| c.mu).collect();
    let q: Vec<f64> = problem.contacts().iter().flat_map(|c| [c.free.x, c.free.y, c.free.z]).collect();
    serde_json::json!({ "name": name, "contacts": n, "mu": mu, "q": q, "blocks": blocks }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"name": "two", "contacts": 2, "mu": [0.5, 0.0], "q": [-1, 0, 1, -1, 0, 1],
        "blocks": [[0, 0, [2, 0, 0, 0, 2, 0, 0, 0, 2]], [1, 1, [2, 0, 0, 0, 2, 0, 0, 0, 2]], [0, 1, [1, 0, 0, 0, 0, 0, 0, 0, 0]], [1, 0, [1, 0, 0, 0, 0, 0, 0, 0, 0]]]}"#;

    #[test]
    fn a_problem_is_written_and_read_to_the_bit() {
        let file = ConeFile::parse(GOOD).unwrap();
        let again = ConeFile::parse(&cone_file_text("two", &file.problem)).unwrap();
        assert_eq!((again.name.as_str(), again.asymmetry), ("two", 0.0));
        assert_eq!(file.problem.contacts(), again.problem.contacts());
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            assert_eq!(file.problem.operator().block(i, j), again.problem.operator().block(i, j));
        }
    }

    #[test]
    fn each_way_to_break_a_file_has_its_message() {
        let cases = [
            ("", "not a contact problem"),
            ("[]", "not a contact problem"),
            (&GOOD.replace("\"mu\"", "\"nu\""), "missing field `mu`"),
            (&GOOD.replace("\"contacts\": 2", "\"contacts\": 3"), "\"mu\" has 2 numbers, but 3 contacts need 3"),
            (&GOOD.replace("[-1, 0, 1, -1, 0, 1]", "[-1, 0, 1]"), "\"q\" has 3 numbers, but 2 contacts need 6"),
            (&GOOD.replace("[[0, 0,", "[[0, 7,"), "block 0 is at (0, 7)"),
            (&GOOD.replace("[1, 1,", "[0, 0,"), "(0, 0) is there twice"),
            (&GOOD.replace("[0.5,", "[-0.5,"), "cannot be negative"),
            (&GOOD.replace("[0.5,", "[1e200,"), "not a finite number"),
            (&GOOD.replace("[-1, 0,", "[1e999, 0,"), "out of range"),
            (&GOOD.replace("[0, 1, [1,", "[0, 1, [5,"), "not symmetric"),
            (&GOOD.replace("[0, 0, [2,", "[0, 0, [-2,"), "negative entry"),
            (&GOOD.replace("\"contacts\": 2", "\"contacts\": 99999999"), "at most"),
            (&GOOD[..GOOD.len() / 2], "not a contact problem"),
        ];
        for (text, words) in cases {
            let message = ConeFile::parse(text).unwrap_err().to_string();
            assert!(message.contains(words), "{words:?} is not in {message:?}");
        }
    }
}
