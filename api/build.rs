//! Keeps the program small: packs the examples of the specification, and tells the linker.

use std::env::{var, var_os};
use std::fs::{File, read};
use std::io::{Result, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

/// What the service has answered, which the specification shows.
const EXAMPLES: &str = "src/docs/examples.json";

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={EXAMPLES}");
    // Cargo sets it for every build script.
    let out = PathBuf::from(var_os("OUT_DIR").unwrap_or_default());
    let packed = File::create(out.join("examples.json.gz"))?;
    let mut packed = GzEncoder::new(packed, Compression::best());
    packed.write_all(&read(EXAMPLES)?)?;
    packed.finish()?;

    let is = |name: &str, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    // There rustc links with its own LLD, whose words these are: functions of the same code are kept once, and
    // relative relocations as bits, which glibc reads since 2.36 (2022).
    if is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu") {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all,-z,pack-relative-relocs");
    }
    Ok(())
}
