//! Counts what `tests/perft.json` has not yet: the digest and the `null` counts of new positions.
//!
//! `cargo run --release -p engine --example perft`
//!
//! Nothing is written when a digest or number that is there would be another today: a digest never
//! changes, for records carry it, and a count changes only by hand.

#[path = "../tests/support/perft.rs"]
mod perft;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let cases = perft::cases();
    let (mut completed, mut refused) = (Vec::new(), Vec::new());
    for case in &cases {
        match case.completed(&case.counted()) {
            Ok(case) => completed.push(case),
            Err(error) => refused.push(error),
        }
    }
    if !refused.is_empty() {
        bail!("nothing is written:\n{}", refused.join("\n"));
    }
    let added = cases.iter().zip(&completed).filter(|(was, is)| was != is);
    println!("{} of {} positions completed", added.count(), cases.len());
    let json = serde_json::to_string_pretty(&completed)?;
    std::fs::write(perft::file(), json + "\n")?;
    Ok(())
}
