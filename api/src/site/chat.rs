//! The chat on the page of a game. The module `chat.js` reads and sends its messages.

use maud::{Markup, html};

use crate::chat::service::LONGEST_TEXT;
use crate::site::texts::Texts;

/// What the account that is signed in may do in the chat. What a guest may do is known to the browser.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChatRights {
    /// Send messages.
    pub writes: bool,
    /// Turn the chat on and off.
    pub organizes: bool,
}

/// The tab of the chat.
pub fn chat(texts: Texts, rights: ChatRights) -> Markup {
    html! {
        section class="tab script" id="chat" aria-labelledby="chat-title"
            data-writes=[rights.writes.then_some("")] data-organizes=[rights.organizes.then_some("")]
            data-organizer=(texts.text("chat-organizer")) data-gone=(texts.text("chat-gone"))
            data-report=(texts.text("chat-report")) data-ask=(texts.text("chat-report-ask")) data-reported=(texts.text("chat-reported"))
            data-hidden=(texts.text("chat-hidden")) data-off=(texts.text("chat-turn-off")) data-on=(texts.text("chat-turn-on")) {
            h2 id="chat-title" { (texts.text("chat-title")) span id="unread" {} }
            div class="messages" tabindex="0" role="log" aria-labelledby="chat-title" { ol id="messages" {} }
            p id="no-messages" class="hint" { (texts.text("chat-none")) }
            p id="chat-is-off" class="hint" hidden { (texts.text("chat-is-off")) }
            form id="message-form" class="filter" hidden {
                label { (texts.text("chat-message"))
                    input name="text" required maxlength=(LONGEST_TEXT) autocomplete="off";
                }
                button { (texts.text("chat-send")) }
            }
            p id="chat-refused" role="alert" class="bad" hidden {}
            p { button type="button" id="chat-switch" hidden {} }
            p class="hint" { (texts.text("chat-hint")) }
        }
    }
}
