//! The bodies of requests to Discord and Slack: a sentence and a link.

use serde_json::{Value, json};

use crate::webhooks::model::WebhookFormat;

/// The most characters of a sentence; Discord accepts 2,000 in a message.
const LONGEST: usize = 1_500;

/// Characters that Discord reads as formatting or mentions.
const MARKS: &[char] = &[
    '\\', '*', '_', '~', '`', '|', '>', '<', '[', ']', '(', ')', '#', '@', ':', '-',
];

/// Puts a backslash before everything that Discord would format.
fn escaped_for_discord(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if MARKS.contains(&letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Replaces the three characters that Slack reads as control characters.
fn escaped_for_slack(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Returns the body of a request; `None` for the standard form.
pub fn body(format: WebhookFormat, sentence: &str, link: &str) -> Option<Value> {
    let sentence: String = sentence.chars().take(LONGEST).collect();
    match format {
        WebhookFormat::Standard => None,
        WebhookFormat::Discord => Some(json!({
            "content": format!("{}\n{link}", escaped_for_discord(&sentence)),
            "allowed_mentions": {"parse": []},
        })),
        WebhookFormat::Slack => Some(json!({
            "text": format!("{}\n<{link}>", escaped_for_slack(&sentence)),
            "mrkdwn": false,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_format_or_mention() {
        let link = "https://example.org/games/1";
        let body = |format| body(format, "@everyone *wins* <&>", link).unwrap();
        let discord = body(WebhookFormat::Discord);
        assert_eq!(
            discord["content"],
            format!("\\@everyone \\*wins\\* \\<&\\>\n{link}")
        );
        assert_eq!(discord["allowed_mentions"]["parse"], json!([]));
        let slack = body(WebhookFormat::Slack);
        assert_eq!(
            slack["text"],
            format!("@everyone *wins* &lt;&amp;&gt;\n<{link}>")
        );
        assert_eq!(super::body(WebhookFormat::Standard, "", link), None);
    }
}
