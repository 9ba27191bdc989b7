//! Chips and coins, with a type for each use: [`Price`], [`Payment`], [`Gain`] and [`Holdings`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::words::Resource;

/// Declares numbers of chips and coins.
macro_rules! amounts {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            /// Marble chips.
            #[serde(skip_serializing_if = "is_zero")]
            pub marble: u8,
            /// Iron chips.
            #[serde(skip_serializing_if = "is_zero")]
            pub iron: u8,
            /// Gold chips.
            #[serde(skip_serializing_if = "is_zero")]
            pub gold: u8,
            /// Coins.
            #[serde(skip_serializing_if = "is_zero")]
            pub coins: u8,
        }

        impl $name {
            /// Nothing.
            pub const NOTHING: $name = $name::from_parts([0; Resource::COUNT], 0);

            /// Chips of one kind.
            pub const fn only(resource: Resource, count: u8) -> $name {
                let mut chips = [0; Resource::COUNT];
                chips[resource.index()] = count;
                $name::from_parts(chips, 0)
            }

            /// Chips by [`Resource`] and coins as one value.
            pub const fn from_parts(chips: [u8; Resource::COUNT], coins: u8) -> $name {
                let [marble, iron, gold] = chips;
                $name { marble, iron, gold, coins }
            }

            /// The chips by [`Resource`].
            pub const fn chips(self) -> [u8; Resource::COUNT] {
                [self.marble, self.iron, self.gold]
            }

            /// Chips and coins together.
            pub fn total(self) -> u32 {
                self.chips().into_iter().map(u32::from).sum::<u32>() + u32::from(self.coins)
            }
        }

        /// In words: `6 marble, 1 coin`.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                in_words(self.chips(), self.coins, f)
            }
        }
    };
}

amounts! {
    /// What something costs: chips of these kinds, and coins.
    ///
    /// A coin can replace any of the chips, but nothing replaces the coins. Zeros are omitted on the wire.
    Price
}

amounts! {
    /// What a nation pays: the whole payment of a price, or one side of a trade.
    ///
    /// Zeros are omitted on the wire and in the notation.
    Payment
}

amounts! {
    /// What a nation receives from the bank: at the start, or as the other side of a trade.
    ///
    /// Zeros are omitted on the wire and in the notation.
    Gain
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

fn in_words(chips: [u8; Resource::COUNT], coins: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let coin = if coins == 1 { "coin" } else { "coins" };
    let names = Resource::ALL.iter().map(|resource| resource.name());
    let named = names.chain([coin]).zip(chips.into_iter().chain([coins]));
    let mut before = "";
    for (name, count) in named.filter(|(_, count)| *count > 0) {
        write!(f, "{before}{count} {name}")?;
        before = ", ";
    }
    match before {
        "" => f.write_str("nothing"),
        _ => Ok(()),
    }
}

impl Price {
    /// Returns the price of `count` units.
    ///
    /// A loaded ruleset keeps it below 256 for as many units as there are; beyond that it stays at 255.
    pub fn times(self, count: u8) -> Price {
        let chips = self.chips().map(|chips| chips.saturating_mul(count));
        Price::from_parts(chips, self.coins.saturating_mul(count))
    }
}

/// Returns the price that a payment pays, for messages.
impl From<Payment> for Price {
    fn from(pay: Payment) -> Price {
        Price::from_parts(pay.chips(), pay.coins)
    }
}

impl Payment {
    /// Whether it is nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Payment::NOTHING
    }

    /// Lists all payments of `total` chips and coins of any kinds from the holdings.
    pub(crate) fn any_kinds(total: u8, held: &Holdings, mut each: impl FnMut(Payment)) {
        let most = |index: usize, left: u8| held.chips[index].min(u32::from(left)) as u8;
        for marble in (0..=most(0, total)).rev() {
            let left = total - marble;
            for iron in (0..=most(1, left)).rev() {
                let left = left - iron;
                for gold in (0..=most(2, left)).rev() {
                    let coins = left - gold;
                    if u16::from(coins) <= held.coins {
                        each(Payment::from_parts([marble, iron, gold], coins));
                    }
                }
            }
        }
    }
}

impl Gain {
    /// Lists all gains of `total` chips of any kinds. The bank has them without limit [A1].
    pub(crate) fn any_chips(total: u8, mut each: impl FnMut(Gain)) {
        for marble in (0..=total).rev() {
            for iron in (0..=total - marble).rev() {
                each(Gain::from_parts([marble, iron, total - marble - iron], 0));
            }
        }
    }
}

/// What a nation holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holdings {
    /// Chips by [`Resource`].
    pub chips: [u32; Resource::COUNT],
    /// Coins.
    pub coins: u16,
}

impl Holdings {
    /// Returns the default payment of a price: chips first, coins for the rest [A4].
    pub fn default_payment(&self, price: Price) -> Option<Payment> {
        let mut chips = [0; Resource::COUNT];
        let mut lacking = u32::from(price.coins);
        for (index, wanted) in price.chips().into_iter().enumerate() {
            chips[index] = self.chips[index].min(u32::from(wanted)) as u8;
            lacking += u32::from(wanted - chips[index]);
        }
        let affordable = lacking <= u32::from(self.coins);
        affordable.then(|| Payment::from_parts(chips, lacking as u8))
    }

    /// Returns whether `pay` pays `price` and is held.
    pub(crate) fn can_pay_with(&self, price: Price, pay: Payment) -> bool {
        let mut lacking = u32::from(price.coins);
        for (wanted, given) in price.chips().into_iter().zip(pay.chips()) {
            if given > wanted {
                return false;
            }
            lacking += u32::from(wanted - given);
        }
        lacking == u32::from(pay.coins) && self.holds(pay)
    }

    /// Whether all of `pay` is held.
    pub fn holds(&self, pay: Payment) -> bool {
        u16::from(pay.coins) <= self.coins
            && self
                .chips
                .iter()
                .zip(pay.chips())
                .all(|(held, given)| u32::from(given) <= *held)
    }

    /// Lists every payment of `price` except the default one.
    pub(crate) fn other_payments(&self, price: Price, mut each: impl FnMut(Payment)) {
        let Some(default) = self.default_payment(price) else {
            return;
        };
        let [marble, iron, gold] = price.chips();
        for m in 0..=marble {
            for i in 0..=iron {
                for g in 0..=gold {
                    let lacking = u32::from(price.coins)
                        + u32::from(marble - m)
                        + u32::from(iron - i)
                        + u32::from(gold - g);
                    let Ok(coins) = u8::try_from(lacking) else {
                        continue;
                    };
                    let pay = Payment::from_parts([m, i, g], coins);
                    if pay != default && self.holds(pay) {
                        each(pay);
                    }
                }
            }
        }
    }

    /// Removes `pay`, which must be held.
    pub(crate) fn spend(&mut self, pay: Payment) {
        debug_assert!(self.holds(pay));
        for (held, given) in self.chips.iter_mut().zip(pay.chips()) {
            *held -= u32::from(given);
        }
        self.coins -= u16::from(pay.coins);
    }
}
