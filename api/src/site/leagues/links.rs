//! Links to leagues and to their members.

use maud::{Markup, html};
use uuid::Uuid;

use crate::leagues::model::{LeagueBody, MemberBody};

/// The query of a link to a league, as it is shown.
/// It has the season, unless it is the current one, and the time of the standings.
pub fn asked(league: &LeagueBody, season: u16, as_of: Option<&str>) -> String {
    let last = league.seasons.last().map(|season| season.season);
    let season = Some(season).filter(|season| Some(*season) != last);
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(season) = season {
        query.append_pair("season", &season.to_string());
    }
    if let Some(as_of) = as_of {
        query.append_pair("as_of", as_of);
    }
    match query.finish() {
        query if query.is_empty() => query,
        query => format!("?{query}"),
    }
}

/// The name of a member, as a link if there is an account.
pub fn named(member: &MemberBody) -> Markup {
    html! {
        @match Uuid::try_parse(&member.id) {
            Ok(id) => a href={ "/players/" (id) } { (member.name) },
            Err(_) => (member.name),
        }
    }
}
