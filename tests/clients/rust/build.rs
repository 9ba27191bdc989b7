//! Generates the client from the specification in OpenAPI 3.0 that `TABULARIUM_SPECIFICATION` names.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=TABULARIUM_SPECIFICATION");
    println!("cargo::rerun-if-changed=build.rs");
    let path = std::env::var("TABULARIUM_SPECIFICATION")?;
    println!("cargo::rerun-if-changed={path}");
    let specification: openapiv3::OpenAPI = serde_json::from_reader(File::open(path)?)?;
    // With builders, so that a new optional parameter does not break callers.
    let mut settings = GenerationSettings::default();
    settings.with_interface(InterfaceStyle::Builder);
    let client = Generator::new(&settings).generate_tokens(&specification)?;
    let client = prettyplease::unparse(&syn::parse2(client)?);
    fs::write(
        Path::new(&std::env::var("OUT_DIR")?).join("client.rs"),
        client,
    )?;
    Ok(())
}
