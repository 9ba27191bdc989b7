//! Promotion and relegation: proposes the divisions of the next season.
//!
//! - As many members as the season's `moves` go down from each division but the last, and up from each but the first.
//! - Members who have left are omitted. If a division has lost members, fewer go down from it; if that is not enough,
//!   more come up.
//! - Active members without a division are added to the last one.

use crate::leagues::event::MemberGroup;
use crate::leagues::league::League;
use crate::leagues::standings::standings_of;

/// Proposes the divisions of the next season, by the standings of the last season that has divisions.
///
/// Returns the number of that season, the divisions with the best member first, and the `moves`.
/// `None` if no season has divisions.
pub fn next_divisions(league: &League) -> Option<(u16, Vec<MemberGroup>, u8)> {
    let seasons: Vec<_> = (1_u16..).zip(&league.seasons).collect();
    let (number, season) = seasons.into_iter().rev().find(|(number, season)| {
        // A season without tables has not been played: the one before decides.
        !season.groups.divisions.is_empty()
            && league.tables.iter().any(|table| table.season == *number)
    })?;
    let groups = &season.groups;
    let is_active = |id: &String| league.member(id).is_some_and(|member| member.active);
    let mut ranked: Vec<Vec<String>> = Vec::new();
    for division in &groups.divisions {
        let rows = standings_of(league, number, Some(&division.members)).unwrap_or_default();
        let mut order: Vec<String> = rows.into_iter().map(|row| row.member).collect();
        order.retain(is_active);
        ranked.push(order);
    }
    let sizes: Vec<usize> = (groups.divisions.iter())
        .map(|division| division.members.len())
        .collect();
    let mut divided = promote(&ranked, &sizes, usize::from(groups.moves));
    if let Some(last) = divided.last_mut() {
        let new = league.members.iter();
        let new = new.filter(|member| member.active && groups.division_of(&member.id).is_none());
        last.extend(new.map(|member| member.id.clone()));
    }
    let divisions = groups.divisions.iter().zip(divided);
    let divisions = divisions.map(|(before, members)| MemberGroup {
        name: before.name.clone(),
        members,
    });
    Some((number, divisions.collect(), groups.moves))
}

/// Lets members go up and down between divisions, given in the order of their standings.
///
/// `sizes` are the sizes of the divisions when the season began.
fn promote(ranked: &[Vec<String>], sizes: &[usize], moves: usize) -> Vec<Vec<String>> {
    let mut next = vec![Vec::new(); ranked.len()];
    // The members who have gone up from this division.
    let mut up = 0;
    let mut from_above: Vec<String> = Vec::new();
    for (number, own) in ranked.iter().enumerate() {
        let stay = &own[up..];
        let below = ranked.get(number + 1);
        let (down, promoted) = match below {
            None => (0, 0),
            Some(below) => {
                let vacant = sizes[number].saturating_sub(stay.len() + from_above.len());
                let down = moves.saturating_sub(vacant).min(stay.len());
                let promoted = (down + vacant).min(below.len());
                // No one goes down for whom no one comes up.
                (down.min(promoted), promoted)
            }
        };
        let (stay, relegated) = stay.split_at(stay.len() - down);
        next[number].extend(std::mem::take(&mut from_above));
        next[number].extend_from_slice(stay);
        if let Some(below) = below {
            next[number].extend_from_slice(&below[..promoted]);
        }
        from_above = relegated.to_vec();
        up = promoted;
    }
    next
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(numbers: &[&[u32]]) -> Vec<Vec<String>> {
        let names = |numbers: &&[u32]| numbers.iter().map(u32::to_string).collect();
        numbers.iter().map(names).collect()
    }

    #[test]
    fn the_best_go_up_and_the_last_go_down() {
        let ranked = names(&[&[1, 2, 3, 4], &[5, 6, 7, 8], &[9, 10, 11, 12]]);
        let next = promote(&ranked, &[4, 4, 4], 1);
        let expected = names(&[&[1, 2, 3, 5], &[4, 6, 7, 9], &[8, 10, 11, 12]]);
        assert_eq!(next, expected);
        assert_eq!(promote(&ranked, &[4, 4, 4], 0), ranked);
    }

    #[test]
    fn vacant_places_are_filled_from_below() {
        // One member of the first division has left: no one goes down.
        let ranked = names(&[&[1, 2, 3], &[5, 6, 7, 8], &[9, 10]]);
        let next = promote(&ranked, &[4, 4, 4], 1);
        assert_eq!(next, names(&[&[1, 2, 3, 5], &[6, 7, 8, 9], &[10]]));
        // Three have left: three come up.
        let ranked = names(&[&[1], &[5, 6, 7, 8], &[]]);
        let next = promote(&ranked, &[4, 4, 4], 1);
        assert_eq!(next, names(&[&[1, 5, 6, 7], &[8], &[]]));
    }

    proptest! {
        #[test]
        fn everybody_is_in_one_division(sizes in proptest::collection::vec(0_usize..9, 1..6),
            left in proptest::collection::vec(0_usize..4, 6), moves in 0_usize..5) {
            let mut number = 0;
            let mut ranked = Vec::new();
            for (size, left) in sizes.iter().zip(&left) {
                let count = size.saturating_sub(*left);
                ranked.push((number..number + count).map(|one| one.to_string()).collect::<Vec<_>>());
                number += count;
            }
            let next = promote(&ranked, &sizes, moves);
            let mut all: Vec<&String> = next.iter().flatten().collect();
            all.sort_unstable();
            let mut before: Vec<&String> = ranked.iter().flatten().collect();
            before.sort_unstable();
            prop_assert_eq!(all, before);
            for (number, division) in next.iter().enumerate() {
                // Members move by one division, and vacant places are filled where there is someone below.
                for member in division {
                    let from = ranked.iter().position(|own| own.contains(member)).unwrap();
                    prop_assert!(from.abs_diff(number) <= 1);
                }
                prop_assert!(division.len() <= sizes[number].max(ranked[number].len()) || number + 1 == next.len());
            }
        }
    }
}
