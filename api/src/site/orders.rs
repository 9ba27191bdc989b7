//! Standing orders on the page of a game that is played: what a seat says ahead. The module `orders.js` fills
//! them in and sends them.

use charts::words;
use engine::content::Library;
use engine::words::Unit;
use maud::{Markup, html};

use crate::games::bodies::GameSummary;
use crate::site::badge::Nations;
use crate::site::english;

fn choice(value: &str, text: &str) -> Markup {
    html! { option value=(value) { (text) } }
}

/// The part by which orders are read and given. Modules show it to who plays a seat.
pub fn orders(library: &Library, game: &GameSummary, nations: &Nations) -> Markup {
    let board = library.board_version(&game.board, &game.board_hash);
    let mut regions: Vec<(&str, &str)> = match board {
        Some(board) => {
            let regions = board.data.regions.iter();
            regions
                .map(|region| (region.id.as_str(), region.name.as_str()))
                .collect()
        }
        None => Vec::new(),
    };
    regions.sort_unstable_by_key(|(_, name)| *name);
    let ruleset = library.ruleset(&game.edition);
    let has_cards = ruleset.is_some_and(|ruleset| ruleset.data.cards.is_some());
    html! {
        details id="orders" hidden {
            summary { (english::ORDERS_TITLE) }
            p class="hint" { (english::ORDERS_LEAD) }
            ul id="order-list" {}
            p id="no-orders" class="hint" { (english::ORDERS_NONE) }
            template id="order" { li { span {} " " button type="button" { (english::ORDERS_REMOVE) } } }
            form id="order-form" class="filter" {
                label { (english::ORDERS_AGAINST)
                    select name="against" {
                        (choice("", english::ORDERS_ANYBODY))
                        @for name in nations.names() { (choice(name, &words(name))) }
                    }
                }
                label { (english::ORDERS_UNIT)
                    select name="unit" {
                        (choice("", english::ORDERS_ANY_UNIT))
                        @for unit in [Unit::Legion, Unit::Galley] { (choice(unit.name(), english::plural(unit))) }
                    }
                }
                label { (english::ORDERS_REGION)
                    select name="region" {
                        (choice("", english::ORDERS_ANYWHERE))
                        @for (id, name) in regions { (choice(id, name)) }
                    }
                }
                label { (english::ORDERS_ANSWER)
                    select name="battle" { @for (value, text) in english::ORDERS_BATTLE { (choice(value, text)) } }
                }
                button { (english::ORDERS_ADD) }
            }
            @if has_cards {
                form id="fortress-form" class="filter" {
                    label { (english::ORDERS_FORTRESS)
                        select name="fortress" { @for (value, text) in english::ORDERS_CARD { (choice(value, text)) } }
                    }
                    button { (english::ORDERS_ADD) }
                }
            }
        }
    }
}
