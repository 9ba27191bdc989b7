//! `tabularium docs`: writes the documentation as static files.

use std::path::PathBuf;

use crate::server::docs::texts;
use crate::site::docs::export::export;
use crate::site::docs::reference::Specification;

/// Write the documentation as static files.
///
/// Example: tabularium docs --to target/docs
#[derive(Debug, clap::Args)]
pub struct Docs {
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The address of a server. Links to its pages lead there; without a server they are plain text.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

impl Docs {
    /// Writes the files.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        let specification = Specification(|| texts().new.clone());
        let pages = export(&self.to, self.server.as_deref(), specification)?;
        println!("{pages} pages are in {}", self.to.display());
        Ok(())
    }
}
