//! Chance: ChaCha8 keyed with the SHA-256 of the setup's seed, drawn by rejection sampling, so that
//! any program in any language can repeat a game's draws. What stays hidden while a game goes on has
//! a key of its own, for the SHA-256 of a seed is shown from the start: the decks of event cards take
//! the seed with ` deck` behind it ([`Chance::of_decks`]).

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// A game's source of chance. Its whole state is the seed and the number of words drawn.
#[derive(Clone, Debug)]
pub struct Chance {
    generator: ChaCha8Rng,
}

impl Chance {
    /// The source for a seed, from its beginning.
    pub fn new(seed: &str) -> Chance {
        Chance {
            generator: ChaCha8Rng::from_seed(Sha256::digest(seed.as_bytes()).into()),
        }
    }

    /// The source for a seed after `drawn` words.
    pub fn after(seed: &str, drawn: u32) -> Chance {
        let mut chance = Chance::new(seed);
        chance.generator.set_word_pos(u128::from(drawn));
        chance
    }

    /// The source of decks of event cards for a seed, after `drawn` words. It cannot be told from
    /// [`seed_commitment`], which is the key of [`Chance::new`].
    pub fn of_decks(seed: &str, drawn: u32) -> Chance {
        Chance::after(&format!("{seed} deck"), drawn)
    }

    /// How many 32-bit words have been drawn.
    pub fn drawn(&self) -> u32 {
        self.generator.get_word_pos() as u32
    }

    /// A whole number from 0 to `bound - 1`, each equally likely: words at or above the largest
    /// multiple of `bound` are drawn again, the rest are taken modulo `bound`.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a draw needs at least one outcome");
        let limit = u64::from(u32::MAX) + 1;
        let limit = limit - limit % u64::from(bound);
        loop {
            let word = self.generator.next_u32();
            if u64::from(word) < limit {
                return word % bound;
            }
        }
    }

    /// Puts a list in random order: Fisher-Yates from the last place down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// SHA-256 of a seed in hexadecimal: what is shown while the seed itself is secret.
pub fn seed_commitment(seed: &str) -> String {
    hex::encode(Sha256::digest(seed.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d40_the_commitment_that_is_public_does_not_tell_the_order_of_the_deck() {
        let seed = "4f6e6c79206174207468652074";
        let mut key = [0; 32];
        hex::decode_to_slice(seed_commitment(seed), &mut key).expect("64 digits");
        let from_public = ChaCha8Rng::from_seed(key);
        let shuffled = |mut chance: Chance| {
            let mut deck: Vec<u8> = (0..25).collect();
            chance.shuffle(&mut deck);
            deck
        };
        let guessed = shuffled(Chance {
            generator: from_public,
        });
        // What is shown at once, such as who starts, may be drawn from it.
        assert_eq!(guessed, shuffled(Chance::new(seed)));
        assert_ne!(guessed, shuffled(Chance::of_decks(seed, 0)));
    }
}
