//! The live viewer's server: a loop whose hand is on a page, what it does as frames, and the page itself.
//!
//! [`serve`] is all of it. Threads: the loop ([`live`]), at 1 kHz, which nothing here can hold up; one that works out margins; the hub, which makes frames of what
//! the loop shows, once for all pages; the director, which builds worlds, records and loads recordings; and the server, which talks to pages. What
//! they share is in `state.rs`; the words they use with pages in [`wire`] and in `PROTOCOL.md`.
#![forbid(unsafe_code)]

mod connection;
mod director;
pub mod display;
pub mod guard;
mod hub;
mod lane_report;
pub mod live;
mod many_bodies;
mod margins;
mod page;
mod page_progress;
mod playback;
pub mod port;
mod recording_name;
mod roles;
pub mod sentence;
mod server;
mod setup;
mod sockets;
mod state;
pub mod survey;
pub mod verdict;
mod volume_words;
pub mod wire;

pub use director::FirstShown;
pub use page::is_built;
pub use server::{ViewError, ViewOptions, serve};
