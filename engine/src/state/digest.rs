//! The digest of a state: a hash over an explicit and frozen encoding, since records contain it.
//!
//! Later editions append their fields only in games that have them.

use xxhash_rust::xxh3::Xxh3;

use crate::ids::{MAX_CARD_KINDS, MAX_MANEUVERS, MAX_REGIONS, Regions};
use crate::state::{NationState, Question, SpecialPlace, State};
use crate::words::Unit;

impl State {
    /// Returns the stable 64-bit digest of the state: the XXH3 of an encoding that never changes.
    ///
    /// It is the same on every machine and in every version that reads the same record format.
    ///
    /// The encoding is, with numbers little-endian: round and turn (4 bytes each), drawn words (4),
    /// to_move, phase (1 each), bank (coins, temples, five personages); for each nation chips (3 x
    /// 4), coins (2), stone + 1 or 0, know-how (2), five personages, extra + 1 or 0, resigned,
    /// cities (8); for each region with units its number, each nation with units there and its
    /// legions and galleys, 255 at the end; three sets of producing regions and the temples (8
    /// each); the turn's field + 1 or 0, developed, discovered (2 each), destroyed, conquered (8),
    /// then the units left and units armed where not zero with their region; the question's number
    /// and content; the outcome's reason + 1 and ranks, or 0; in games with them, 1, the neutral
    /// temples (8), the holder of Bellona + 1 or 0, and whether a free unit may be set up; in games with a
    /// recruitment box or event cards, 2, the town walls (8), the cards in the deck (their number,
    /// never their order), the open row and the used cards (their number, then each), how often the
    /// used cards were shuffled, for each nation its box (2), its special unit (0, 1 in the box, or
    /// 2 + its region) and, for each card that it holds, its number + 1 and how many, 0 at the end;
    /// then of the turn the units that may be armed (2), whether the special unit may, its
    /// maneuvers, the extra borders (2), the cheaper temple, the free neighbours and the saved
    /// cities (8).
    pub fn digest(&self) -> u64 {
        let mut hash = DigestWriter::default();
        hash.u32(self.round);
        hash.u32(self.turn);
        hash.u32(self.drawn);
        hash.bytes(&[self.to_move.0, self.phase as u8]);
        hash.bytes(&[self.bank.coins, self.bank.temples]);
        hash.bytes(&self.bank.personages);
        let mut standing = Regions::EMPTY;
        for nation in &self.nations {
            for chips in nation.holdings.chips {
                hash.u32(chips);
            }
            hash.u16(nation.holdings.coins);
            hash.byte(nation.stone.map_or(0, |field| field as u8 + 1));
            hash.u16(nation.know_how.bits());
            hash.bytes(&nation.personages);
            hash.byte(nation.extra_personage.map_or(0, |kind| kind as u8 + 1));
            hash.byte(u8::from(nation.resigned));
            hash.u64(nation.cities.bits());
            standing |= nation.stands[0] | nation.stands[1];
        }
        for region in standing {
            hash.byte(region.0);
            for (index, units) in self.units[region.index()].iter().enumerate() {
                if *units != [0; Unit::COUNT] {
                    hash.byte(index as u8);
                    hash.bytes(units);
                }
            }
            hash.byte(255);
        }
        for set in self.produces {
            hash.u64(set.bits());
        }
        hash.u64(self.temples.bits());
        let turn = &self.turn_state;
        hash.byte(turn.field.map_or(0, |field| field as u8 + 1));
        hash.u16(turn.developed.bits());
        hash.u16(turn.discovered.bits());
        hash.byte(turn.destroyed);
        hash.u64(turn.conquered.bits());
        // Units with maneuvers left are in regions where the nation to move has units.
        let [legions, galleys] = self.nation(self.to_move).stands;
        for region in legions | galleys {
            let left = &turn.maneuvers_left[region.index()];
            if *left != [[0; MAX_MANEUVERS]; Unit::COUNT] {
                hash.byte(region.0);
                left.iter().for_each(|kind| hash.bytes(kind));
            }
        }
        hash.byte(255);
        if turn.armed != [0; MAX_REGIONS] {
            for (index, armed) in turn.armed.iter().enumerate() {
                if *armed != 0 {
                    hash.bytes(&[index as u8, *armed]);
                }
            }
        }
        hash.byte(255);
        match self.question {
            None | Some(Question::Turn { .. } | Question::StartCity { .. }) => hash.byte(0),
            Some(Question::Chip { asked, rest }) => hash.bytes(&[1, asked.0, rest.bits()]),
            Some(Question::Battle {
                asked,
                rest,
                region,
                unit,
                entered,
            }) => {
                hash.bytes(&[2, asked.0, rest.bits(), region.0, unit as u8]);
                hash.bytes(&entered);
            }
            Some(Question::Personage { options, .. }) => hash.bytes(&[3, options.bits()]),
            Some(Question::Cards { asked, due }) => hash.bytes(&[4, asked.0, due]),
            Some(Question::Fortress {
                asked,
                region,
                lost,
            }) => {
                hash.bytes(&[5, asked.0, region.0]);
                hash.bytes(&lost);
            }
        }
        match self.outcome {
            None => hash.byte(0),
            Some(outcome) => {
                hash.byte(outcome.reason as u8 + 1);
                hash.bytes(&outcome.ranks);
            }
        }
        if !self.neutral_temples.is_empty() || self.bellona.is_some() {
            hash.byte(1);
            hash.u64(self.neutral_temples.bits());
            hash.byte(self.bellona.map_or(0, |nation| nation.0 + 1));
            hash.byte(u8::from(turn.free_unit));
        }
        if self.has_box_or_cards() {
            self.digest_box_and_cards(&mut hash);
        }
        hash.finish()
    }

    fn has_box_or_cards(&self) -> bool {
        let in_use = |nation: &NationState| {
            nation.boxed != [0; Unit::COUNT]
                || nation.special.is_some()
                || nation.hand != [0; MAX_CARD_KINDS]
        };
        !self.walls.is_empty()
            || !self.cards.deck.is_empty()
            || !self.cards.open.is_empty()
            || !self.cards.used.is_empty()
            || self.nations.iter().any(in_use)
    }

    fn digest_box_and_cards(&self, hash: &mut DigestWriter) {
        hash.byte(2);
        hash.u64(self.walls.bits());
        hash.byte(self.cards.deck.len());
        for pile in [&self.cards.open, &self.cards.used] {
            hash.byte(pile.len());
            pile.cards().iter().for_each(|card| hash.byte(card.0));
        }
        hash.byte(self.cards.reshuffles);
        for nation in &self.nations {
            hash.bytes(&nation.boxed);
            hash.byte(match nation.special {
                None => 0,
                Some(SpecialPlace::Boxed) => 1,
                Some(SpecialPlace::At(region)) => 2 + region.0,
            });
            for (card, count) in (1..).zip(nation.hand) {
                if count > 0 {
                    hash.bytes(&[card, count]);
                }
            }
            hash.byte(0);
        }
        let turn = &self.turn_state;
        hash.bytes(&turn.armable);
        hash.bytes(&[u8::from(turn.special_armable), turn.special_left]);
        hash.bytes(&turn.extra_borders);
        hash.bytes(&[turn.cheaper_temple, turn.free_neighbours]);
        hash.u64(turn.safe.bits());
    }
}

/// Collects the encoding on the stack and hashes it in large pieces.
struct DigestWriter {
    buffer: [u8; 1024],
    length: usize,
    hash: Option<Xxh3>,
}

impl Default for DigestWriter {
    fn default() -> DigestWriter {
        DigestWriter {
            buffer: [0; 1024],
            length: 0,
            hash: None,
        }
    }
}

impl DigestWriter {
    #[inline]
    fn bytes<const N: usize>(&mut self, bytes: &[u8; N]) {
        if self.length + N > self.buffer.len() {
            self.flush();
        }
        self.buffer[self.length..self.length + N].copy_from_slice(bytes);
        self.length += N;
    }

    #[cold]
    fn flush(&mut self) {
        let hash = self.hash.get_or_insert_with(Xxh3::new);
        hash.update(&self.buffer[..self.length]);
        self.length = 0;
    }

    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    fn u16(&mut self, number: u16) {
        self.bytes(&number.to_le_bytes());
    }

    fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn finish(self) -> u64 {
        let rest = &self.buffer[..self.length];
        match self.hash {
            None => xxhash_rust::xxh3::xxh3_64(rest),
            Some(mut hash) => {
                hash.update(rest);
                hash.digest()
            }
        }
    }
}
