//! Playing together: new games, open tables, the caller's games, the table of a game, and invitations.
//!
//! The modules of JavaScript use the public API. They take a seat with the token that this browser stores for the
//! game, if there is one, and otherwise as the account that is signed in.

pub mod join;
pub mod mine;
pub mod new;
pub mod parts;
pub mod table;

use actix_web::web;

/// Adds the pages.
pub fn configure(service: &mut web::ServiceConfig) {
    service
        .service(new::play_page)
        .service(mine::my_games)
        .service(table::table_page)
        .service(join::join_page)
        .service(join::qr_code);
}
