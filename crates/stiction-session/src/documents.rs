//! The Rust blocks of the README and of the guide, compiled and run as doc tests. They are here because this crate has every crate
//! that they use. Commands and scenes in these pages are checked by `stiction-lab` (`src/document_tests.rs`), and also that no page is missing here.

#[doc = include_str!("../../../README.md")]
mod readme {}
#[doc = include_str!("../../../docs/guide/bake.md")]
mod bake {}
#[doc = include_str!("../../../docs/guide/device.md")]
mod device {}
#[doc = include_str!("../../../docs/guide/embed.md")]
mod embed {}
#[doc = include_str!("../../../docs/guide/feel.md")]
mod feel {}
#[doc = include_str!("../../../docs/guide/formation.md")]
mod formation {}
#[doc = include_str!("../../../docs/guide/method.md")]
mod method {}
#[doc = include_str!("../../../docs/guide/recording.md")]
mod recording {}
#[doc = include_str!("../../../docs/guide/report.md")]
mod report {}
#[doc = include_str!("../../../docs/guide/scene.md")]
mod scene {}
#[doc = include_str!("../../../docs/guide/view.md")]
mod view {}
#[doc = include_str!("../../../docs/guide/volume.md")]
mod volume {}
