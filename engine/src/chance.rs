//! Chance: all draws of a game, derived from the seed of its setup so that any program can repeat them.
//!
//! ChaCha8 is keyed with the SHA-256 of the seed, and numbers are drawn by rejection sampling. Decks of event cards
//! stay hidden during a game, while the SHA-256 of the seed is public from the start. So they have a key of their own:
//! the SHA-256 of the seed followed by ` deck` ([`Chance::of_decks`]).

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// A game's source of chance. Its state is the seed and the number of words drawn.
#[derive(Clone, Debug)]
pub struct Chance {
    generator: ChaCha8Rng,
}

impl Chance {
    /// Returns the source for a seed, from its beginning.
    pub fn new(seed: &str) -> Chance {
        Chance {
            generator: ChaCha8Rng::from_seed(Sha256::digest(seed.as_bytes()).into()),
        }
    }

    /// Returns the source for a seed after `drawn` words.
    pub fn after(seed: &str, drawn: u32) -> Chance {
        let mut chance = Chance::new(seed);
        chance.generator.set_word_pos(u128::from(drawn));
        chance
    }

    /// Returns the source for the decks of event cards after `drawn` words.
    ///
    /// It cannot be derived from [`seed_commitment`], which is the key of [`Chance::new`].
    pub fn of_decks(seed: &str, drawn: u32) -> Chance {
        Chance::after(&format!("{seed} deck"), drawn)
    }

    /// The number of 32-bit words drawn so far.
    pub fn drawn(&self) -> u32 {
        self.generator.get_word_pos() as u32
    }

    /// Draws a whole number from 0 to `bound - 1`, each equally likely.
    ///
    /// Words at or above the largest multiple of `bound` are drawn again; the rest are taken modulo `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
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

    /// Shuffles a list: Fisher-Yates from the last element down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// Returns the SHA-256 of a seed in hexadecimal, which is public while the seed is secret.
pub fn seed_commitment(seed: &str) -> String {
    hex::encode(Sha256::digest(seed.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d40_the_public_commitment_does_not_reveal_the_order_of_the_deck() {
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
        // Public draws, such as the first nation, may derive from it.
        assert_eq!(guessed, shuffled(Chance::new(seed)));
        assert_ne!(guessed, shuffled(Chance::of_decks(seed, 0)));
    }
}
