//! `tabularium openapi`: prints the OpenAPI specification.

use crate::server::docs;

/// Print the OpenAPI specification.
///
/// Example: tabularium openapi > openapi/openapi.json
#[derive(Debug, clap::Args)]
pub struct OpenApi {}

impl OpenApi {
    /// Prints the specification.
    pub fn run(self) -> anyhow::Result<()> {
        print!("{}", docs::text()?);
        Ok(())
    }
}
