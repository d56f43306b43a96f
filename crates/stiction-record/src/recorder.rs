//! The recorder: a thread that writes what loops feed it, so that they never wait.

use crate::feed::Shared;
use crate::{
    Entry, Feed, Header, RecordError, RecordOutput, RecorderCounts, RecorderStatus, RecorderWatch, WriteOptions, Writer,
};
use rtrb::{Consumer, RingBuffer};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long the writer's thread sleeps when there is nothing to do. The loop wakes nobody: that would be a system call.
const NAP: Duration = Duration::from_millis(5);
/// Entries taken from a feed before the next feed has its turn.
const TURN: usize = 256;

/// A recording in work. Dropping it ends the file as [`finish`](Self::finish) does.
pub struct Recorder {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<(), RecordError>>>,
}

impl Recorder {
    /// Records into a new file, from `N` loops.
    ///
    /// # Errors
    /// [`RecordError`] where the file is there already or cannot be made, or the header makes no sense.
    pub fn create<const N: usize>(
        path: &Path,
        header: &Header,
        options: WriteOptions,
    ) -> Result<(Self, [Feed; N]), RecordError> {
        header.check()?;
        let file = File::create_new(path).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::AlreadyExists => RecordError::Exists(path.into()),
            _ => RecordError::Open { path: path.into(), cause },
        })?;
        // The name has to survive a loss of power as well; where folders cannot be synced, it does so by itself.
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        // A file without a header is of no use to anybody.
        Self::start(file, header, options).inspect_err(|_| drop(std::fs::remove_file(path)))
    }

    /// Records into `sink`, from `N` loops.
    ///
    /// # Errors
    /// [`RecordError`] where the header makes no sense or cannot be written, or there is no thread to be had.
    pub fn start<const N: usize>(
        sink: impl RecordOutput + Send + 'static,
        header: &Header,
        options: WriteOptions,
    ) -> Result<(Self, [Feed; N]), RecordError> {
        let writer = Writer::new(sink, header, options)?;
        let shared = Arc::new(Shared::default());
        let mut rings = Vec::with_capacity(N);
        let feeds = std::array::from_fn(|_| {
            let (mut ring, mut other_end) = RingBuffer::new(options.ring.max(1));
            // Every page of it is touched here, so that the loop never waits for the system to provide one.
            while ring.push(Entry::default()).is_ok() {}
            while other_end.pop().is_ok() {}
            rings.push(other_end);
            Feed { ring, hands: header.hands, columns: header.columns.len(), shared: shared.clone() }
        });
        let theirs = shared.clone();
        let thread = std::thread::Builder::new().name("stiction-record".into()).spawn(move || {
            let result = write(writer, rings, &theirs);
            theirs.closed.store(true, SeqCst);
            let end = result.as_ref().map(|_| ()).map_err(ToString::to_string);
            *theirs.end.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
            result
        });
        Ok((Recorder { shared, thread: Some(thread.map_err(RecordError::Thread)?) }, feeds))
    }

    /// Status of the recording.
    pub fn status(&self) -> RecorderStatus {
        self.watch().status()
    }

    /// A handle that reads the status from any thread.
    pub fn watch(&self) -> RecorderWatch {
        RecorderWatch(self.shared.clone())
    }

    /// Writes what was fed so far, ends the file, and waits for that.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the recording ended early.
    pub fn finish(mut self) -> Result<RecorderCounts, RecordError> {
        self.end()?;
        Ok(self.shared.counts())
    }

    fn end(&mut self) -> Result<(), RecordError> {
        self.shared.stop.store(true, SeqCst);
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(RecordError::Write {
                written: self.shared.counts().written,
                cause: "the recorder's thread panicked: this is a bug".into(),
            }),
            None => Ok(()),
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Who wants to know calls `finish`.
        let _ = self.end();
    }
}

/// The thread: takes what there is, naps, and ends when told to or when all loops are gone.
fn write<S: RecordOutput>(
    mut writer: Writer<S>,
    mut rings: Vec<Consumer<Entry>>,
    shared: &Shared,
) -> Result<(), RecordError> {
    loop {
        // Asked before the rings are emptied: what was pushed before the stop is written.
        let last = shared.stop.load(SeqCst) || rings.iter().all(Consumer::is_abandoned);
        if last {
            shared.closed.store(true, SeqCst);
        }
        let result = drain(&mut writer, &mut rings).and_then(|()| writer.flush_old());
        let result = if last { result.and_then(|()| writer.finish()) } else { result };
        shared.written.store(writer.written(), Relaxed);
        shared.bytes.store(writer.bytes(), Relaxed);
        if last || result.is_err() {
            return result;
        }
        std::thread::sleep(NAP);
    }
}

/// Empties the rings, but not for ever: loops that feed faster than this writes must not keep it from looking up.
fn drain<S: RecordOutput>(writer: &mut Writer<S>, rings: &mut [Consumer<Entry>]) -> Result<(), RecordError> {
    let most = rings.iter().map(|ring| ring.buffer().capacity()).max().unwrap_or(0);
    for _ in 0..=most / TURN {
        let mut any = false;
        for ring in &mut *rings {
            for _ in 0..TURN {
                let Ok(entry) = ring.pop() else { break };
                writer.add(&entry)?;
                any = true;
            }
        }
        if !any {
            break;
        }
    }
    Ok(())
}
