use clap::Args;
#[derive(Args)]
/// x
pub struct Friction {}
impl Friction {
    pub fn run(&self) -> Result<(), crate::Failure> {
        Ok(())
    }
}
