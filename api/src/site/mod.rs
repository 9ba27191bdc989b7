//! The pages that people look at: HTML from the server, one style sheet, small modules of JavaScript.
//!
//! - They show what the public API returns, to the callers that may see it, so a page is an example for writers of
//!   clients. Games come through `GameId`; lists are of public games.
//! - Each page can be read without JavaScript. No page has a script or style in itself, or loads from elsewhere. The
//!   path of an asset contains the hash of all assets, and the asset is cached for ever.
//! - Every text is in [`texts`], in each language; [`choice`] chooses one. Rules and documentation are in English.
//!   Modules of JavaScript contain no texts: they insert parts that the server renders, or read `data-` attributes.

pub mod accounts;
pub mod analysis;
pub mod annotations;
pub mod assets;
pub mod badge;
mod chat;
pub mod choice;
pub mod dictionary;
pub mod docs;
pub mod embed;
pub mod errors;
pub mod events;
pub mod forms;
pub mod frame;
pub mod game;
pub mod games;
pub mod home;
pub mod icons;
pub mod leagues;
pub mod lobby;
pub mod log;
pub mod markdown;
mod notes;
pub mod orders;
pub mod play;
pub mod players;
pub mod preview;
pub mod regions;
pub mod rules;
pub mod snippet;
pub mod stats;
pub mod strip;
pub mod texts;

#[cfg(test)]
mod tests;

use actix_web::web;

use crate::http::problem::{Code, Problem};

/// The most bytes of a form.
const LONGEST_FORM: usize = 16 * 1024;

/// Every page besides the first, and what they load.
pub fn configure(service: &mut web::ServiceConfig) {
    service
        .service(assets::asset)
        .service(icons::favicon_file)
        .service(icons::icon_file)
        .service(icons::manifest)
        .service(icons::robots)
        .service(choice::choose_language)
        .app_data(
            web::FormConfig::default()
                .limit(LONGEST_FORM)
                .error_handler(|error, _| {
                    Problem::new(
                        Code::MalformedJson,
                        format!("the form cannot be read: {error}"),
                    )
                    .into()
                }),
        )
        .service(accounts::sign_in::sign_in_page)
        .service(accounts::sign_in::post_sign_in)
        .service(accounts::sign_in::recovery_page)
        .service(accounts::sign_in::post_recovery)
        .service(accounts::sign_in::post_sign_out)
        .service(accounts::sign_up::sign_up_page)
        .service(accounts::sign_up::post_sign_up)
        .service(accounts::notices::post_recovery_mail)
        .service(accounts::notices::confirmation_page)
        .service(accounts::notices::post_confirmation)
        .service(accounts::notices::unsubscribe_page)
        .service(accounts::notices::post_unsubscribe)
        .service(accounts::notices::push_worker)
        .service(accounts::notice_forms::post_mail)
        .service(accounts::notice_forms::post_notices)
        .service(accounts::notice_forms::post_push)
        .service(accounts::settings::settings_page)
        .service(accounts::settings::post_handle)
        .service(accounts::settings::post_privacy)
        .service(accounts::settings::post_password)
        .service(accounts::settings::post_recovery_codes)
        .service(accounts::settings::post_session)
        .service(accounts::settings::post_token)
        .service(accounts::settings::post_revocation)
        .service(accounts::apps::apps_page)
        .service(accounts::apps::post_app)
        .service(accounts::apps::post_app_deletion)
        .service(accounts::apps::post_disconnection)
        .service(accounts::consent::consent_page)
        .service(accounts::consent::post_consent)
        .service(accounts::consent::device_page)
        .service(accounts::consent::post_device)
        .service(accounts::settings::post_passkey_name)
        .service(accounts::settings::post_passkey_removal)
        .service(games::games_page)
        .service(embed::game_frame)
        .service(embed::standings_frame)
        .service(embed::oembed)
        .service(game::game_page)
        .service(game::live_parts)
        .service(game::record_text)
        .service(annotations::annotations_page)
        .service(annotations::post_annotations)
        .service(annotations::annotations_text)
        .configure(lobby::configure)
        .service(analysis::words_part)
        .service(play::choices_part)
        .service(regions::regions_part)
        .service(rules::editions_page)
        .service(rules::rules_page)
        .service(players::players_page)
        .service(players::player_page)
        .service(leagues::leagues_page)
        .configure(leagues::organize::configure)
        .service(leagues::league_page)
        .configure(leagues::import::configure)
        .service(leagues::print::print_page)
        .service(leagues::results_file)
        .service(leagues::league_file)
        .service(stats::stats_page)
        .service(stats::stats_file)
        .service(stats::versus::versus_page)
        .service(stats::measure_page)
        .service(docs::docs_page)
        .service(docs::search_index)
        .service(docs::docs_file)
        .service(docs::docs_page_by_name);
}
