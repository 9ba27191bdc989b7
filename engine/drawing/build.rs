//! Packs the fonts: they are most of what pictures in pixels cost the program.

use std::env::var_os;
use std::fs::{File, read};
use std::io::{Result, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    // Cargo sets it for every build script.
    let out = PathBuf::from(var_os("OUT_DIR").unwrap_or_default());
    for font in ["FiraSansCondensed-Medium", "FiraSansCondensed-Bold"] {
        let path = format!("data/{font}.ttf");
        println!("cargo:rerun-if-changed={path}");
        let packed = File::create(out.join(format!("{font}.ttf.gz")))?;
        let mut packed = GzEncoder::new(packed, Compression::best());
        packed.write_all(&read(path)?)?;
        packed.finish()?;
    }
    Ok(())
}
