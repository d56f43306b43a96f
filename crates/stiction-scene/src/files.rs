//! Files that a scene names: meshes, what glTF files keep beside them, and recorded motions. On disk, or at hand because a recording carries them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_bake::import::{self, ImportError, ImportOptions, Imported};

/// Contents of files by the names that a scene has for them.
pub type FileContents = BTreeMap<String, Arc<[u8]>>;

/// A file that a scene names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneFile {
    /// The name as the scene has it.
    pub name: String,
    /// Where the file is, or was when the scene was recorded.
    pub path: PathBuf,
    /// Contents that are at hand, by name: what is among them is not read from the disk.
    contents: Arc<FileContents>,
}

impl SceneFile {
    /// The content of the file.
    ///
    /// # Errors
    /// If it is not at hand and cannot be read, or is no regular file.
    pub fn read(&self) -> io::Result<Arc<[u8]>> {
        self.beside("").map(|(_, bytes)| bytes)
    }

    /// The mesh in the file.
    ///
    /// # Errors
    /// [`ImportError`] if it cannot be read, or is no mesh.
    pub fn mesh(&self, options: &ImportOptions) -> Result<Imported, ImportError> {
        self.mesh_with(options, &|_, _| {})
    }

    /// Puts the content of the file into `into`, and that of the buffers that a glTF file keeps beside it.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(crate) fn collect(&self, import: Option<&ImportOptions>, into: &mut FileContents) -> io::Result<()> {
        into.insert(self.name.clone(), self.read()?);
        let Some(import) = import else { return Ok(()) };
        let buffers = RefCell::new(into);
        let keep = |name: &str, bytes: &Arc<[u8]>| {
            buffers.borrow_mut().insert(name.into(), Arc::clone(bytes));
        };
        self.mesh_with(import, &keep).map(drop).map_err(io::Error::other)
    }

    fn mesh_with(&self, options: &ImportOptions, buffer: &dyn Fn(&str, &Arc<[u8]>)) -> Result<Imported, ImportError> {
        let read = self.read();
        let bytes = read.map_err(|cause| ImportError::unreadable(&self.path, &cause))?;
        import::read_bytes(&bytes, &self.path.display().to_string(), import::hint(&self.path), options, &|address| {
            let (name, bytes) = self.beside(address)?;
            buffer(&name, &bytes);
            Ok(bytes.to_vec())
        })
    }

    /// Name and content of a file whose address starts at this one; of this one for an empty address.
    fn beside(&self, address: &str) -> io::Result<(String, Arc<[u8]>)> {
        let next = |path: &Path| if address.is_empty() { path.into() } else { path.with_file_name(address) };
        let name = next(Path::new(&self.name)).to_string_lossy().into_owned();
        match self.contents.get(&name) {
            Some(bytes) => Ok((name, Arc::clone(bytes))),
            None => import::read_file(&next(&self.path)).map(|bytes| (name, bytes.into())),
        }
    }
}

/// Where the files that a scene names are looked for, and those that were found.
pub struct FileFinder<'a> {
    folder: &'a Path,
    contents: Arc<FileContents>,
    found: RefCell<Vec<SceneFile>>,
}

impl<'a> FileFinder<'a> {
    /// Looks among contents that are at hand first, then in the scene's folder.
    pub fn new(folder: &'a Path, contents: &Arc<FileContents>) -> Self {
        FileFinder { folder, contents: Arc::clone(contents), found: RefCell::default() }
    }

    /// The file of a name, which may start from the current folder too if `anywhere`.
    ///
    /// # Errors
    /// The place where it should be, and what is wrong.
    pub fn find(&self, name: &str, anywhere: bool) -> Result<SceneFile, (PathBuf, String)> {
        let beside = self.folder.join(name);
        let path = if self.contents.contains_key(name) || beside.is_file() {
            beside
        } else if anywhere && Path::new(name).is_file() {
            name.into()
        } else {
            let cause = if beside.is_dir() {
                "is a folder"
            } else {
                "there is no such file; names start from the scene's folder"
            };
            return Err((beside, cause.into()));
        };
        let file = SceneFile { name: name.into(), path, contents: Arc::clone(&self.contents) };
        let mut found = self.found.borrow_mut();
        if !found.contains(&file) {
            found.push(file.clone());
        }
        Ok(file)
    }

    /// All files that were found.
    pub fn into_found(self) -> Vec<SceneFile> {
        self.found.into_inner()
    }
}
