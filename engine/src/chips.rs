//! Chips and coins: payments, prices and what a nation holds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::words::Resource;

/// Numbers of chips and coins: a payment, a price or one side of a trade. On the wire and in the
/// notation zeros are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Payment {
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

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl Payment {
    /// Nothing.
    pub const NOTHING: Payment = Payment {
        marble: 0,
        iron: 0,
        gold: 0,
        coins: 0,
    };

    /// Chips of one kind.
    pub const fn of(resource: Resource, count: u8) -> Payment {
        let mut pay = Payment::NOTHING;
        match resource {
            Resource::Marble => pay.marble = count,
            Resource::Iron => pay.iron = count,
            Resource::Gold => pay.gold = count,
        }
        pay
    }

    /// The chips by [`Resource`].
    pub const fn chips(self) -> [u8; Resource::COUNT] {
        [self.marble, self.iron, self.gold]
    }

    /// Chips by [`Resource`] and coins as one value.
    pub const fn from_parts(chips: [u8; Resource::COUNT], coins: u8) -> Payment {
        Payment {
            marble: chips[0],
            iron: chips[1],
            gold: chips[2],
            coins,
        }
    }

    /// So many times the payment. A ruleset is checked to keep it below 256 for as many units as
    /// there are; beyond that it stays at 255.
    pub fn times(self, count: u8) -> Payment {
        Payment {
            marble: self.marble.saturating_mul(count),
            iron: self.iron.saturating_mul(count),
            gold: self.gold.saturating_mul(count),
            coins: self.coins.saturating_mul(count),
        }
    }

    /// Chips and coins together.
    pub fn total(self) -> u32 {
        self.chips().into_iter().map(u32::from).sum::<u32>() + u32::from(self.coins)
    }

    /// All ways to give `total` chips and coins of any kinds from what is held.
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

/// In words: `6 marble, 1 coin`.
impl fmt::Display for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coins = if self.coins == 1 { "coin" } else { "coins" };
        let names = Resource::ALL.iter().map(|resource| resource.name());
        let counts = self.chips().into_iter().chain([self.coins]);
        let named = names.chain([coins]).zip(counts);
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
    /// The default payment of a price: chips first, coins for what lacks [A4].
    pub fn default_payment(&self, price: Payment) -> Option<Payment> {
        let mut chips = [0; Resource::COUNT];
        let mut lacking = u32::from(price.coins);
        for (index, wanted) in price.chips().into_iter().enumerate() {
            chips[index] = self.chips[index].min(u32::from(wanted)) as u8;
            lacking += u32::from(wanted - chips[index]);
        }
        let affordable = lacking <= u32::from(self.coins);
        affordable.then(|| Payment::from_parts(chips, lacking as u8))
    }

    /// Whether `pay` is one way to pay `price` and is held.
    pub fn can_pay_with(&self, price: Payment, pay: Payment) -> bool {
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

    /// Every way to pay `price` other than the default one.
    pub(crate) fn other_payments(&self, price: Payment, mut each: impl FnMut(Payment)) {
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

    /// Takes `pay` away; it must be held.
    pub(crate) fn spend(&mut self, pay: Payment) {
        debug_assert!(self.holds(pay));
        for (held, given) in self.chips.iter_mut().zip(pay.chips()) {
            *held -= u32::from(given);
        }
        self.coins -= u16::from(pay.coins);
    }
}
