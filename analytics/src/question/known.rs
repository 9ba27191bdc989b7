//! Checks filters: refuses unknown values and contradictions, and lists the allowed values.
//!
//! Values that callers invent, such as names of players and leagues, are not checked.

use bots::without_budget;
use engine::content::Library;

use super::filter_values::{Opponents, RulesetVersion, Which};
use super::filters::{Filters, NO_VARIANT};

/// A filter that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct BadFilter {
    /// The name of the filter.
    pub field: &'static str,
    /// The reason, and the allowed values.
    pub detail: String,
}

pub(crate) type Checked = Result<(), BadFilter>;

pub(crate) fn bad(field: &'static str, detail: impl Into<String>) -> Checked {
    let detail = detail.into();
    Err(BadFilter { field, detail })
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
    let detail = format!("{value:?} is unknown{of}; there are {}", known.join(", "));
    bad(field, detail)
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
            (Some(since), Some(until)) if since >= until => bad(
                "until",
                format!("nothing is before {until} and not before {since}"),
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
        let nations = boards().flat_map(|board| board.nations());
        let place = if board.is_some() {
            &self.board
        } else {
            &self.edition
        };
        one_of("nation", self.nation.as_deref(), nations, &of(place))?;
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
        let versions =
            rulesets().flat_map(|ruleset| library.ruleset_versions(&ruleset.data.edition));
        let told = versions.map(|ruleset| match &self.ruleset {
            Some(RulesetVersion::Hash(_)) => ruleset.hash.to_string(),
            _ => ruleset.data.version.to_string(),
        });
        match &self.ruleset {
            None | Some(RulesetVersion::Each) => Ok(()),
            Some(version) => one_of("ruleset", Some(&version.to_string()), told, &of(place)),
        }
    }

    fn check_numbers(&self, library: &Library) -> Checked {
        let most = library.boards().flat_map(|board| board.data.starts.keys());
        let most = u32::from(most.copied().max().unwrap_or_default());
        let most = self.nations.unwrap_or(most);
        if self.seat.is_some_and(|seat| seat >= most) {
            return bad("seat", format!("seats are 0 to {}", most.saturating_sub(1)));
        }
        if self.place.is_some_and(|place| place == 0 || place > most) {
            return bad("place", format!("places are 1 to {most}"));
        }
        let goals = library.rulesets().flat_map(|ruleset| {
            let data = &ruleset.data;
            let variants = data.variants.values();
            let variants = variants.flat_map(|variant| variant.goal.values());
            data.goal.values().chain(variants)
        });
        let goal = u32::from(goals.copied().max().unwrap_or_default());
        if self.at.is_some_and(|at| at == 0 || at > goal) {
            return bad("at", format!("nations win 1 to {goal} personages"));
        }
        Ok(())
    }

    fn check_players(&self, bots: Option<&[&str]>) -> Checked {
        if let Some(known) = bots {
            one_of("bot", self.bot.as_deref().map(without_budget), known, "")?;
        }
        if self.bot.is_some() && self.player.is_some() {
            return bad("player", "a nation has one player: give player or bot");
        }
        let with_bots = matches!(self.opponents, Some(Opponents::Bots | Opponents::Mixed));
        let with_people = matches!(self.opponents, Some(Opponents::People | Opponents::Mixed));
        match self.bots {
            Which::None if self.bot.is_some() => bad(
                "bot",
                "no bot plays with bots=none; leave bots out or give any or only",
            ),
            Which::None if with_bots => bad(
                "opponents",
                "no bot plays with bots=none; give opponents=people",
            ),
            Which::Only if with_people => bad(
                "opponents",
                "only bots play with bots=only; give opponents=bots",
            ),
            _ => Ok(()),
        }
    }
}
