//! Completes `tests/perft.json`: the digest and the `null` counts of new positions.
//!
//! `cargo run --release -p engine --example perft`
//!
//! Writes nothing if an existing digest or number differs. A digest never changes, since records contain it. A count
//! is changed only by hand.

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
