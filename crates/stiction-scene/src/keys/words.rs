//! Stub.
/// Stub.
pub fn reference() -> String {
    String::new()
}
