//! Tells the linker to keep the released program small.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    // There rustc links with its own LLD, whose words these are: functions of the same code are kept once, and
    // relative relocations as bits, which glibc reads since 2.36 (2022).
    if is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu") {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all,-z,pack-relative-relocs");
    }
}
