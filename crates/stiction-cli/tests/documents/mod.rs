//! The pages for people, the README, the guide and the rest of `docs`, taken apart for tests of what they say; the laboratory's
//! tests use this file too.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

/// A page, with its path from the root of the repository.
pub struct DocumentPage {
    /// Its path from the root of the repository.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A fenced block of code.
pub struct FencedBlock {
    /// The words after its fence.
    pub language: String,
    /// What is between the fences.
    pub text: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().into()
}

/// A page by its path from the root of the repository.
pub fn page(path: &str) -> DocumentPage {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    DocumentPage { path: path.into(), text }
}

/// All pages but `docs/results.md`, which is made from files.
pub fn pages() -> Vec<DocumentPage> {
    let mut paths = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(String::from).to_vec();
    for folder in ["docs", "docs/guide"] {
        let files = fs::read_dir(root().join(folder)).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
        paths.extend(files.filter(|f| f.ends_with(".md") && f != "results.md").map(|f| format!("{folder}/{f}")));
    }
    paths.iter().map(|path| page(path)).collect()
}

impl DocumentPage {
    /// The fenced blocks, and the prose between them.
    pub fn parts(&self) -> (Vec<FencedBlock>, String) {
        let (mut blocks, mut prose, mut inside) = (Vec::new(), String::new(), None::<FencedBlock>);
        for line in self.text.lines() {
            match (line.strip_prefix("```"), inside.as_mut()) {
                (Some(_), Some(_)) => blocks.extend(inside.take()),
                (Some(words), None) => inside = Some(FencedBlock { language: words.into(), text: String::new() }),
                (None, Some(block)) => block.text += &format!("{line}\n"),
                (None, None) => prose += &format!("{line}\n"),
            }
        }
        assert!(inside.is_none(), "{}: a block has no end", self.path);
        (blocks, prose)
    }

    /// The texts of the blocks in a language.
    pub fn blocks(&self, language: &str) -> Vec<String> {
        self.parts().0.into_iter().filter(|b| b.language == language).map(|b| b.text).collect()
    }

    /// The texts between single backticks, outside blocks.
    pub fn code_spans(&self) -> Vec<String> {
        self.parts().1.split('`').skip(1).step_by(2).map(String::from).collect()
    }

    /// The pages of the guide that this page links to, in order.
    pub fn guide_links(&self) -> Vec<String> {
        let links = self.text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        let mut out: Vec<String> = Vec::new();
        for link in links.filter(|link| link.starts_with("docs/guide/")) {
            if !out.iter().any(|known| known == link) {
                out.push(link.into());
            }
        }
        out
    }
}

/// The words of a command line as a shell sees them: single quotes and comments, no more.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '#' if !quoted && word.is_none() => break,
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
