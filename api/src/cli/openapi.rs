//! `tabularium openapi`: prints the specification.

use crate::server::docs;

/// Print the OpenAPI specification.
///
/// Example: tabularium openapi > openapi/openapi.json
#[derive(Debug, clap::Args)]
pub struct OpenApi {}

impl OpenApi {
    /// Prints it.
    pub fn run(self) -> anyhow::Result<()> {
        print!("{}", docs::text()?);
        Ok(())
    }
}
