//! Checks filters: refuses unknown values and contradictions, and lists the allowed values.
//!
//! Values that callers invent, such as names of players and leagues, are not checked.

use bots::without_budget;
use engine::content::Library;

use super::filter_values::{Inclusion, Opponents, RulesetVersion};
use super::filters::{Filters, NO_VARIANT};

/// A filter that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct FilterError {
    /// The name of the filter.
    pub field: &'static str,
    /// The reason, and the allowed values.
    pub detail: String,
}

pub(crate) type Checked = Result<(), FilterError>;

pub(crate) fn refuse(field: &'static str, detail: impl Into<String>) -> Checked {
    let detail = detail.into();
    Err(FilterError { field, detail })
}

/// Refuses an unknown value. `of` restricts the message, for example to an edition.
fn one_of<T: AsRef<str>>(
    field: &'static str,
    value: Option<&str>,
    known: impl IntoIterator<Item = T>,
    of: &str,
) -> Checked {
    let Some(value) = value else {
        return Ok(());
    };
    let known = known.into_iter().map(|name| name.as_ref().to_owned());
    let mut known: Vec<String> = known.collect();
    known.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    if known.iter().all(|name| name.parse::<u32>().is_err()) {
        known.sort_unstable();
    }
    known.dedup();
    if known.iter().any(|name| name == value) {
        return Ok(());
    }
    let detail = format!(
        "{value:?} is unknown{of}; known values are {}",
        known.join(", ")
    );
    refuse(field, detail)
}

impl Filters {
    /// Refuses filters that name unknown values or contradict each other.
    /// `bots` lists the known bots, if they are known.
    ///
    /// # Errors
    /// The first filter that is refused, with the allowed values.
    pub(crate) fn check(&self, library: &Library, bots: Option<&[&str]>) -> Checked {
        self.check_content(library)?;
        self.check_numbers(library)?;
        self.check_players(bots)?;
        match (self.since, self.until) {
            (Some(since), Some(until)) if since >= until => refuse(
                "until",
                format!("must be later than since ({since}), but is {until}"),
            ),
            _ => Ok(()),
        }
    }

    fn check_content(&self, library: &Library) -> Checked {
        let (edition, board) = (self.edition.as_deref(), self.board.as_deref());
        let editions = library.rulesets().map(|ruleset| &ruleset.data.edition);
        one_of("edition", edition, editions, "")?;
        let of_edition = |own: &str| edition.is_none_or(|edition| edition == own);
        let of = |name: &Option<String>| match name {
            Some(name) => format!(" in {name}"),
            None => String::new(),
        };
        let boards = || {
            let boards = library.boards();
            boards.filter(|board| of_edition(&board.data.edition))
        };
        one_of(
            "board",
            board,
            boards().map(|own| &own.data.id),
            &of(&self.edition),
        )?;
        let boards = || boards().filter(|own| board.is_none_or(|board| board == own.data.id));
        let nations: Vec<&str> = boards().flat_map(|board| board.nations()).collect();
        let place = if board.is_some() {
            &self.board
        } else {
            &self.edition
        };
        one_of("nation", self.nation.as_deref(), &nations, &of(place))?;
        one_of("against", self.against.as_deref(), &nations, &of(place))?;
        let counts = boards().flat_map(|board| board.data.starts.keys());
        let counts = counts.map(ToString::to_string);
        let asked = self.nations.map(|count| count.to_string());
        one_of("nations", asked.as_deref(), counts, &of(place))?;
        let played = |own: &str| boards().any(|board| board.data.edition == own);
        let rulesets = || {
            let rulesets = library.rulesets();
            rulesets.filter(|ruleset| played(&ruleset.data.edition))
        };
        let variants = rulesets().flat_map(|ruleset| ruleset.data.variants.keys());
        let variants = variants.map(String::as_str).chain([NO_VARIANT]);
        one_of("variant", self.variant.as_deref(), variants, &of(place))?;
        for (field, name) in self.know_how_columns() {
            let known = rulesets().flat_map(|ruleset| &ruleset.data.know_how);
            one_of(field, Some(name), known.map(|own| &own.id), &of(place))?;
        }
        let versions =
            rulesets().flat_map(|ruleset| library.ruleset_versions(&ruleset.data.edition));
        let names = versions.map(|ruleset| match &self.ruleset {
            Some(RulesetVersion::Hash(_)) => ruleset.hash.to_string(),
            _ => ruleset.data.version.to_string(),
        });
        match &self.ruleset {
            None | Some(RulesetVersion::Each) => Ok(()),
            Some(version) => one_of("ruleset", Some(&version.to_string()), names, &of(place)),
        }
    }

    fn check_numbers(&self, library: &Library) -> Checked {
        let most = library.boards().flat_map(|board| board.data.starts.keys());
        let most = u32::from(most.copied().max().unwrap_or_default());
        let most = self.nations.unwrap_or(most);
        if self.seat.is_some_and(|seat| seat >= most) {
            return refuse(
                "seat",
                format!("must be from 0 to {}", most.saturating_sub(1)),
            );
        }
        match self.by_round {
            Some(0) => return refuse("by_round", "must be 1 or more"),
            Some(_) if self.know_how_columns().next().is_none() => {
                return refuse(
                    "by_round",
                    "requires the filter know_how or without_know_how",
                );
            }
            _ => {}
        }
        if let (Some(least), Some(most)) = (self.min_rating, self.max_rating)
            && least > most
        {
            return refuse(
                "max_rating",
                format!("must be {least} (min_rating) or more"),
            );
        }
        if self.place.is_some_and(|place| place == 0 || place > most) {
            return refuse("place", format!("must be from 1 to {most}"));
        }
        let goals = library.rulesets().flat_map(|ruleset| {
            let data = &ruleset.data;
            let variants = data.variants.values();
            let variants = variants.flat_map(|variant| variant.goal.values());
            data.goal.values().chain(variants)
        });
        let goal = u32::from(goals.copied().max().unwrap_or_default());
        if self.at.is_some_and(|at| at == 0 || at > goal) {
            return refuse(
                "at",
                format!("must be from 1 to {goal}, the most personages that a nation can win"),
            );
        }
        Ok(())
    }

    fn check_players(&self, bots: Option<&[&str]>) -> Checked {
        if let Some(known) = bots {
            one_of("bot", self.bot.as_deref().map(without_budget), known, "")?;
        }
        if self.bot.is_some() && self.player.is_some() {
            return refuse("player", "cannot be combined with bot; use one of the two");
        }
        let with_bots = matches!(self.opponents, Some(Opponents::Bots | Opponents::Mixed));
        let with_people = matches!(self.opponents, Some(Opponents::People | Opponents::Mixed));
        match self.bots {
            Inclusion::None if self.bot.is_some() => refuse(
                "bot",
                "cannot be combined with bots=none; use bots=any or bots=only",
            ),
            Inclusion::None if with_bots => {
                refuse("opponents", "with bots=none, only people is possible")
            }
            Inclusion::Only if with_people => {
                refuse("opponents", "with bots=only, only bots is possible")
            }
            _ => Ok(()),
        }
    }
}
