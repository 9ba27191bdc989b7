//! The report: findings with their severity, as text or JSON.

use std::fmt::Write;

use jiff::Timestamp;
use serde::Serialize;

/// How bad a finding is. The number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is wrong.
    Healthy = 0,
    /// It works, and something should be done.
    Warning = 1,
    /// Something does not work, or data are damaged.
    Damaged = 2,
}

/// A result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// What was checked, such as `disk`.
    pub subject: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was found.
    pub detail: String,
    /// What to do; `None` if nothing is wrong.
    pub advice: Option<String>,
}

impl Diagnosis {
    /// Nothing is wrong.
    pub fn healthy(subject: &'static str, detail: impl Into<String>) -> Diagnosis {
        Diagnosis {
            subject,
            severity: Severity::Healthy,
            detail: detail.into(),
            advice: None,
        }
    }

    /// Something should be done.
    pub fn warning(
        subject: &'static str,
        detail: impl Into<String>,
        advice: impl Into<String>,
    ) -> Diagnosis {
        Diagnosis {
            severity: Severity::Warning,
            advice: Some(advice.into()),
            ..Diagnosis::healthy(subject, detail)
        }
    }

    /// Something does not work.
    pub fn damaged(
        subject: &'static str,
        detail: impl Into<String>,
        advice: impl Into<String>,
    ) -> Diagnosis {
        Diagnosis {
            severity: Severity::Damaged,
            ..Diagnosis::warning(subject, detail, advice)
        }
    }
}

/// All findings.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this program.
    pub version: &'static str,
    /// The database or the server, without passwords.
    pub target: String,
    /// When it was examined.
    pub at: Timestamp,
    /// The worst severity.
    pub severity: Severity,
    /// The results of the checks.
    pub checks: Vec<Diagnosis>,
}

impl Report {
    /// Creates a report at the present time.
    pub fn new(target: String, checks: Vec<Diagnosis>) -> Report {
        let worst = checks.iter().map(|check| check.severity).max();
        Report {
            version: env!("CARGO_PKG_VERSION"),
            target,
            at: Timestamp::now(),
            severity: worst.unwrap_or(Severity::Healthy),
            checks,
        }
    }

    /// Returns the exit code.
    pub fn code(&self) -> i32 {
        self.severity as i32
    }

    /// Returns the report as a page of text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, examined by tabularium {}\n\n",
            self.target, self.version
        );
        for check in &self.checks {
            let severity = match check.severity {
                Severity::Healthy => "ok",
                Severity::Warning => "warning",
                Severity::Damaged => "damaged",
            };
            // Writing to a text does not fail.
            let _ = writeln!(text, "{severity:<8} {:<13} {}", check.subject, check.detail);
            if let Some(advice) = &check.advice {
                let _ = writeln!(text, "{:22} -> {advice}", "");
            }
        }
        let count = |severity| {
            let such = self
                .checks
                .iter()
                .filter(|check| check.severity == severity);
            such.count()
        };
        let (warnings, damaged) = (count(Severity::Warning), count(Severity::Damaged));
        let _ = writeln!(
            text,
            "\n{}",
            match (damaged, warnings) {
                (0, 0) => "healthy".to_owned(),
                (0, warnings) => format!("{warnings} warnings"),
                (damaged, warnings) => format!("{damaged} damaged, {warnings} warnings"),
            }
        );
        text
    }
}

/// Describes a number of bytes, such as `12.3 MB`.
pub fn bytes(count: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let unit = units.into_iter().find(|(_, size)| count as f64 >= *size);
    match unit {
        Some((unit, size)) => format!("{:.1} {unit}", count as f64 / size),
        None => format!("{count} bytes"),
    }
}

/// Describes a time in microseconds, such as `3 days` or `20 seconds`.
pub fn time(micros: i64) -> String {
    let seconds = micros.max(0) / 1_000_000;
    let units = [("days", 86_400), ("hours", 3_600), ("minutes", 60)];
    // Two of a unit are needed for a sufficient precision.
    let unit = units.into_iter().find(|(_, size)| seconds >= 2 * size);
    match unit {
        Some((unit, size)) => format!("{} {unit}", seconds / size),
        None => format!("{seconds} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_finding_decides_the_exit_code() {
        let ok = Diagnosis::healthy("disk", "12 GB are free");
        let warning = Diagnosis::warning("backup", "none", "make one");
        let damaged = Diagnosis::damaged("key", "retired", "rotate it");
        for (checks, code, summary) in [
            (vec![ok.clone()], 0, "\nhealthy\n"),
            (vec![ok.clone(), warning.clone()], 1, "\n1 warnings\n"),
            (vec![warning, damaged, ok], 2, "\n1 damaged, 1 warnings\n"),
        ] {
            let report = Report::new("a.db".to_owned(), checks);
            assert_eq!(report.code(), code);
            let text = report.text();
            assert!(text.ends_with(summary), "{text}");
        }
    }

    #[test]
    fn sizes_and_times_are_described() {
        assert_eq!(
            [999, 1_500, 2_000_000].map(bytes),
            ["999 bytes", "1.5 kB", "2.0 MB"]
        );
        let seconds = |count: i64| time(count * 1_000_000);
        assert_eq!(
            [-5, 100, 3_700, 90_000, 200_000].map(seconds),
            [
                "0 seconds",
                "100 seconds",
                "61 minutes",
                "25 hours",
                "2 days"
            ]
        );
    }
}
