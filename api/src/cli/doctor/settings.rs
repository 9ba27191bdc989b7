//! Checks the configuration.

use crate::cli::config::file::{ConfigFile, shown};
use crate::cli::config::problems::{faults, unsafe_settings};
use crate::cli::doctor::report::Diagnosis;
use crate::cli::serve::Serve;

/// Checks the effective configuration of a server on this machine.
pub fn examine(serve: &Serve, file: &ConfigFile) -> Vec<Diagnosis> {
    let wrong = |problem: String| {
        Diagnosis::damaged(
            "configuration",
            problem,
            "correct it; `tabularium config check` lists all that is wrong",
        )
    };
    let problems = file.problems.iter().cloned();
    let mut found: Vec<Diagnosis> = problems.chain(faults(serve)).map(wrong).collect();
    found.extend(
        unsafe_settings(serve)
            .into_iter()
            .map(|one| Diagnosis::warning("configuration", one.detail, one.advice)),
    );
    if found.is_empty() {
        let path = shown(file.path.as_deref());
        found.push(Diagnosis::healthy(
            "configuration",
            format!("valid ({path})"),
        ));
    }
    found
}
