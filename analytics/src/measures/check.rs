//! Checks filters: which ones a measure needs, accepts or refuses.

use engine::content::Library;

use super::MEASURES;
use super::measure::Measure;
use crate::question::{EndFilter, FilterError, Filters, Inclusion, LEVELS, refuse};

/// True if a text has the form of a state digest.
fn is_digest(text: &str) -> bool {
    text.len() == 16
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Lists the filters that only some measures accept, each with whether it is given.
fn special(filters: &Filters) -> [(&'static str, bool); 4] {
    [
        ("levels", filters.levels.is_some()),
        ("digest", filters.digest.is_some()),
        ("at", filters.at.is_some()),
        ("over_the_board", filters.over_the_board != Inclusion::None),
    ]
}

impl Measure {
    /// Returns those of the filters that [`Measure::check`] accepts.
    pub fn accepted(&self, filters: &Filters, library: &Library) -> Filters {
        let mut kept = filters.clone();
        for _ in filters.given() {
            match self.check(&kept, library, None) {
                Ok(()) => break,
                Err(refused) => kept = kept.without(refused.field),
            }
        }
        kept
    }

    /// Refuses filters that the measure does not accept, unknown values, and contradictions.
    /// `bots` lists the known bots, if they are known.
    ///
    /// # Errors
    /// The first filter that is refused, with the allowed values.
    pub fn check(
        &self,
        filters: &Filters,
        library: &Library,
        bots: Option<&[&str]>,
    ) -> Result<(), FilterError> {
        filters.check(library, bots)?;
        for (filter, _) in special(filters).into_iter().filter(|(_, given)| *given) {
            if !self.takes.contains(&filter) {
                let takes = MEASURES.iter().filter(|own| own.takes.contains(&filter));
                let takes: Vec<&str> = takes.map(|own| own.name).collect();
                return refuse(
                    filter,
                    format!("only these measures have this filter: {}", takes.join(", ")),
                );
            }
        }
        let is_given = |name: &&str| filters.given().iter().any(|(given, _)| given == name);
        if let Some(first) = self.needs.first()
            && !self.needs.iter().any(is_given)
        {
            let names = self.needs.join(" or ");
            return refuse(first, format!("{} requires the filter {names}", self.name));
        }
        if self.is_of_whole_games
            && let Some(filter) = filters.first_nation_filter()
        {
            return refuse(
                filter,
                format!(
                    "{} compares the nations of a game, so it cannot select nations; remove this filter",
                    self.name
                ),
            );
        }
        if filters
            .levels
            .is_some_and(|levels| !(1..=LEVELS).contains(&levels))
        {
            return refuse("levels", format!("must be from 1 to {LEVELS}"));
        }
        if filters
            .digest
            .as_deref()
            .is_some_and(|digest| !is_digest(digest))
        {
            return refuse(
                "digest",
                "must have 16 hexadecimal digits, with lower-case letters",
            );
        }
        check_results(filters)
    }
}

/// Refuses filters on columns that over-the-board results do not have.
fn check_results(filters: &Filters) -> Result<(), FilterError> {
    if filters.over_the_board == Inclusion::None {
        return Ok(());
    }
    let path = filters.path.as_ref();
    let missing = [
        ("place", filters.place.is_some()),
        ("path", path.is_some_and(|path| !path.fields().is_empty())),
        ("against", filters.against.is_some()),
        ("opening", filters.opening.is_some()),
        ("know_how", filters.know_how.is_some()),
        ("without_know_how", filters.without_know_how.is_some()),
        ("min_rating", filters.min_rating.is_some()),
        ("max_rating", filters.max_rating.is_some()),
        ("min_table_rating", filters.min_table_rating.is_some()),
        ("time_control", filters.time_control.is_some()),
        ("ruleset", filters.ruleset.is_some()),
        ("reason", matches!(filters.reason, EndFilter::By(_))),
    ];
    match missing.into_iter().find(|(_, given)| *given) {
        Some((field, _)) => refuse(
            field,
            "over-the-board results do not have this value; remove this filter or over_the_board",
        ),
        None => Ok(()),
    }
}
