//! Actions: one small decision of one nation, in the compact form that the engine works on. The
//! form on the wire is [`crate::forms::ActionBody`], the text form is in [`crate::notation`].

use crate::chips::{Gain, Payment};
use crate::ids::{Card, KnowHow, Nation, Region};
use crate::words::{Field, Personage, Piece, Resource, Unit};

/// One decision. A `pay` of `None` is the default payment: chips first, coins for what lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Moves on the rondel [A12]. `pay` is the whole payment for the further fields.
    MoveStone {
        /// Where to.
        field: Field,
        /// Chips and coins of any kind, one for each field beyond the free ones.
        pay: Payment,
    },
    /// Builds a temple in an own city [A15].
    BuildTemple {
        /// The city's region.
        region: Region,
        /// The payment.
        pay: Option<Payment>,
    },
    /// Builds a town wall in an own city [D15].
    BuildWall {
        /// The city's region.
        region: Region,
        /// The payment.
        pay: Option<Payment>,
    },
    /// Sets up one unit [A16].
    Arm {
        /// Where.
        region: Region,
        /// Which.
        unit: Piece,
        /// Whether it is the unit that the Bellona card gives for nothing [B17].
        free: bool,
        /// The payment.
        pay: Option<Payment>,
    },
    /// Buys a know-how [A18].
    Develop {
        /// Which.
        know_how: KnowHow,
        /// The payment.
        pay: Option<Payment>,
    },
    /// Moves units from the supply to the recruitment box [D17].
    Recruit {
        /// Which kind.
        unit: Unit,
        /// How many.
        count: u8,
        /// The payment.
        pay: Option<Payment>,
    },
    /// Moves units of one kind together, or a special unit, over one border [A24].
    March {
        /// Which.
        unit: Piece,
        /// How many.
        count: u8,
        /// From where.
        from: Region,
        /// To where.
        to: Region,
        /// Only units with this many maneuvers left; `None` takes those with the fewest first.
        left: Option<u8>,
    },
    /// Fights units of another nation in a region [A25].
    Battle {
        /// Which kind.
        unit: Unit,
        /// How many pairs are lost.
        count: u8,
        /// Where.
        region: Region,
        /// Whom.
        against: Nation,
    },
    /// Answers units that have just entered: how many pairs are lost, 0 for none [A25].
    AnswerBattle {
        /// How many pairs are lost.
        count: u8,
    },
    /// Conquers a city [A27].
    Conquer {
        /// The city's region.
        region: Region,
        /// Legions lost.
        legions: u8,
        /// Galleys lost.
        galleys: u8,
        /// The own city given up for its token [A28].
        give_up: Option<Region>,
    },
    /// Founds a city [A29].
    Found {
        /// Where.
        region: Region,
        /// What it produces; needed only where the site leaves a choice.
        resource: Option<Resource>,
        /// The payment.
        pay: Option<Payment>,
    },
    /// Trades one lot with the bank [A22] [B21].
    Trade {
        /// Chips and coins given.
        give: Payment,
        /// Chips taken.
        take: Gain,
    },
    /// Chooses the chip taken for lack of coins [A10] [B14].
    ChooseChip {
        /// Which.
        resource: Resource,
    },
    /// Chooses the personage for all know-hows [A21].
    ChoosePersonage {
        /// Which.
        personage: Personage,
    },
    /// Chooses a start city [A42] [A43].
    ChooseCity {
        /// Where.
        region: Region,
    },
    /// Takes an event card of the open row [D40].
    TakeCard {
        /// Which.
        card: Card,
    },
    /// Plays an event card [D41].
    PlayCard {
        /// Which.
        card: Card,
        /// Where, for cards that need it.
        region: Option<Region>,
        /// Which kind of unit, for cards that need it.
        unit: Option<Unit>,
    },
    /// Plays no card against a declared conquest [D43].
    Pass,
    /// Ends the turn [A11].
    EndTurn,
    /// Leaves the game for all nations of the player [A34].
    Resign,
}

impl Action {
    /// The `type` of the action on the wire.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Action::MoveStone { .. } => "move_stone",
            Action::BuildTemple { .. } => "build_temple",
            Action::BuildWall { .. } => "build_wall",
            Action::Arm { .. } => "arm",
            Action::Develop { .. } => "develop",
            Action::Recruit { .. } => "recruit",
            Action::March { .. } => "march",
            Action::Battle { .. } => "battle",
            Action::AnswerBattle { .. } => "answer_battle",
            Action::Conquer { .. } => "conquer",
            Action::Found { .. } => "found",
            Action::Trade { .. } => "trade",
            Action::ChooseChip { .. } => "choose_chip",
            Action::ChoosePersonage { .. } => "choose_personage",
            Action::ChooseCity { .. } => "choose_city",
            Action::TakeCard { .. } => "take_card",
            Action::PlayCard { .. } => "play_card",
            Action::Pass => "pass",
            Action::EndTurn => "end_turn",
            Action::Resign => "resign",
        }
    }
}
