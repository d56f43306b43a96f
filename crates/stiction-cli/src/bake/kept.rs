//! The cache on the way to a shape. Whatever is wrong with it is a warning: the shape can always be baked.

use crate::bars::Bars;
use crate::record::ShapeRecord;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use stiction::shape::Shape;
use stiction_bake::cache::Cache;
use stiction_bake::import::{ImportOptions, Imported};
use stiction_bake::{BakeOptions, file};

/// The place in the cache of one shape; none without a cache.
pub struct Kept(Option<(Cache, PathBuf)>);

impl Kept {
    /// The place for this mesh and these settings.
    pub fn new(wanted: bool, imported: &Imported, import: &ImportOptions, options: &BakeOptions) -> Kept {
        let folder = if wanted { Cache::default_folder() } else { None };
        Kept(folder.map(Cache::new).map(|cache| {
            let path = cache.path(imported, import, options);
            (cache, path)
        }))
    }

    /// The shape, if it is there, whole, and what its name says. All of it is checked, and the name of the mesh is that of
    /// today, so that the bytes are those of a new bake.
    pub fn take(&self, wanted: &ShapeRecord, bars: &Bars) -> Option<(Shape, ShapeRecord)> {
        let (_, path) = self.0.as_ref().filter(|(_, path)| path.exists())?;
        let mut shape = match file::load(path) {
            Ok(shape) => shape,
            Err(error) => {
                bars.say(&format!("warning: the cached shape cannot be used: {error}; baking again"));
                return None;
            }
        };
        let record = ShapeRecord::read(&shape.provenance);
        if !record.answers(wanted) {
            return None;
        }
        // Used just now: `stiction cache clean --older-than` goes by this.
        let _ = File::options().append(true).open(path).and_then(|f| f.set_modified(SystemTime::now()));
        let record = wanted.with_report_of(&record);
        shape.provenance = record.text();
        Some((shape, record))
    }

    /// Keeps a copy of a file.
    pub fn put(&self, written: &Path, bars: &Bars) {
        let Some((cache, path)) = &self.0 else { return };
        let copied = cache.prepare().and_then(|()| {
            file::write_whole(path, bars, |mut writer| std::io::copy(&mut File::open(written)?, &mut writer).map(drop))
        });
        if let Err(error) = copied.or_else(|e| if e.cancelled { Ok(()) } else { Err(e) }) {
            bars.say(&format!("warning: the shape was not kept in the cache: {error}"));
        }
    }
}
