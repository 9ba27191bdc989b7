//! Standing orders on the page of a game: the decisions of a seat in advance.
//! The module `orders.js` fills them in and sends them.

use engine::content::Library;
use engine::words::Unit;
use maud::{Markup, html};

use crate::games::bodies::GameSummary;
use crate::site::badge::Nations;

fn choice(value: &str, text: &str) -> Markup {
    html! { option value=(value) { (text) } }
}

/// The part by which orders are read and given. Modules show it to who plays a seat.
pub fn orders(library: &Library, game: &GameSummary, nations: &Nations) -> Markup {
    let texts = nations.texts();
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
            summary { (texts.text("orders-title")) }
            p class="hint" { (texts.text("orders-lead")) }
            ul id="order-list" {}
            p id="no-orders" class="hint" { (texts.text("orders-none")) }
            template id="order" { li { span {} " " button type="button" { (texts.text("orders-remove")) } } }
            form id="order-form" class="filter" {
                label { (texts.text("orders-against"))
                    select name="against" {
                        (choice("", texts.text("orders-anybody")))
                        @for name in nations.names() { (choice(name, &texts.nation(name))) }
                    }
                }
                label { (texts.text("orders-unit"))
                    select name="unit" {
                        (choice("", texts.text("orders-any-unit")))
                        @for unit in [Unit::Legion, Unit::Galley] { (choice(unit.name(), texts.kind_of_units(unit))) }
                    }
                }
                label { (texts.text("orders-region"))
                    select name="region" {
                        (choice("", texts.text("orders-anywhere")))
                        @for (id, name) in regions { (choice(id, name)) }
                    }
                }
                label { (texts.text("orders-answer"))
                    select name="battle" {
                        (choice("allow", texts.text("orders-battle-allow")))
                        (choice("demand", texts.text("orders-battle-demand")))
                        (choice("ask", texts.text("orders-battle-ask")))
                    }
                }
                button { (texts.text("orders-add")) }
            }
            @if has_cards {
                form id="fortress-form" class="filter" {
                    label { (texts.text("orders-fortress"))
                        select name="fortress" {
                            (choice("play", texts.text("orders-card-play")))
                            (choice("never", texts.text("orders-card-never")))
                            (choice("ask", texts.text("orders-card-ask")))
                        }
                    }
                    button { (texts.text("orders-add")) }
                }
            }
        }
    }
}
