//! Stub.
/// Stub.
pub fn schema() -> String {
    String::new()
}
