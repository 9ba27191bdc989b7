//! Sends mails by SMTP.

use std::fmt;
use std::time::Duration;

use clap::Args;
use lettre::message::header::{ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::message::{Mailbox, Message};
use lettre::{Address, SmtpTransport, Transport};
use reqwest::Url;

use crate::notices::letter::MailText;

/// The longest time of an operation of the mail server.
const PATIENCE: Duration = Duration::from_secs(15);

/// The mail server and the sender.
#[derive(Clone, Debug, Default, Args)]
pub struct MailOptions {
    /// The mail server, such as smtps://USER:PASSWORD@mail.example.org.
    /// smtp://HOST?tls=required uses STARTTLS. smtp:// without it is only for this machine. By default no mail is sent.
    #[arg(long, env = "TABULARIUM_MAIL_SERVER", value_name = "URL")]
    pub mail_server: Option<MailServer>,
    /// The sender of mails, such as games@example.org. It is needed with `--mail-server`.
    #[arg(long, env = "TABULARIUM_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,
}

/// The URL of a mail server. It may contain a password, so that messages hide it.
///
/// Any text is accepted here; [`Mailer::new`] validates it.
#[derive(Clone, PartialEq, Eq)]
pub struct MailServer(String);

impl From<&str> for MailServer {
    fn from(text: &str) -> MailServer {
        MailServer(text.to_owned())
    }
}

impl fmt::Debug for MailServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::db::url::without_passwords(&self.0))
    }
}

/// Why mails cannot be sent as configured. No message repeats the URL, because it may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailOptionsError {
    /// The URL of the server is invalid.
    #[error(
        "mail_server: this is no mail server; write smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST?tls=required"
    )]
    Server,
    /// The connection would not be encrypted.
    #[error(
        "mail_server: it would receive passwords and mails without encryption; write smtps:// or add ?tls=required"
    )]
    Unencrypted,
    /// The sender is missing or invalid.
    #[error("mail_from: write an address, such as games@example.org")]
    From,
}

/// Whether an answer to a mail is final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailFailure {
    /// The reason.
    pub reason: String,
    /// Whether another attempt cannot help.
    pub permanent: bool,
}

/// A mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The address of the receiver.
    pub to: String,
    /// Subject and text.
    pub text: MailText,
    /// The URL that ends such mails with one click.
    pub unsubscribe: Option<String>,
    /// The id of the first notice, for the header `Message-ID`.
    pub id: String,
}

/// Sends mails.
#[derive(Clone, Debug)]
pub struct Mailer {
    transport: SmtpTransport,
    from: Mailbox,
}

impl MailOptions {
    /// Returns what sends mails; `None` if no server is configured.
    pub fn mailer(&self) -> Result<Option<Mailer>, MailOptionsError> {
        let server = self.mail_server.as_ref();
        server
            .map(|server| Mailer::new(server, self.mail_from.as_deref()))
            .transpose()
    }
}

impl Mailer {
    /// Creates what sends mails by a server.
    pub fn new(server: &MailServer, from: Option<&str>) -> Result<Mailer, MailOptionsError> {
        let url = Url::parse(&server.0).map_err(|_| MailOptionsError::Server)?;
        let host = url.host_str().unwrap_or_default();
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        let is_local = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        let tls = url.query_pairs().find(|(name, _)| name == "tls");
        let is_encrypted = url.scheme() == "smtps" || tls.is_some_and(|(_, tls)| tls == "required");
        if host.is_empty() || !["smtp", "smtps"].contains(&url.scheme()) {
            return Err(MailOptionsError::Server);
        }
        if !is_encrypted && !is_local {
            return Err(MailOptionsError::Unencrypted);
        }
        let transport = SmtpTransport::from_url(&server.0).map_err(|_| MailOptionsError::Server)?;
        let from = from.and_then(|from| from.parse().ok());
        Ok(Mailer {
            transport: transport.timeout(Some(PATIENCE)).build(),
            from: from.ok_or(MailOptionsError::From)?,
        })
    }

    /// Sends a mail. Takes up to some seconds: call it on a thread that may block.
    pub fn send(&self, mail: &Mail) -> Result<(), MailFailure> {
        let message = self.message(mail).map_err(|reason| MailFailure {
            reason,
            permanent: true,
        })?;
        let sent = self.transport.send(&message);
        sent.map(drop).map_err(|error| MailFailure {
            permanent: error.is_permanent(),
            reason: error.to_string(),
        })
    }

    fn message(&self, mail: &Mail) -> Result<Message, String> {
        let to: Address = mail.to.parse().map_err(|_| "invalid address".to_owned())?;
        let domain = self.from.email.domain();
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.text.subject.clone())
            .date_now()
            .message_id(Some(format!("<{}@{domain}>", mail.id)))
            .header(MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN)
            .raw_header(raw("Auto-Submitted", "auto-generated".to_owned()));
        if let Some(url) = &mail.unsubscribe {
            // RFC 8058: mail programs unsubscribe by a POST without a visit.
            message = message
                .raw_header(raw("List-Unsubscribe", format!("<{url}>")))
                .raw_header(raw(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                ));
        }
        let message = message.body(mail.text.body.clone());
        message.map_err(|error| error.to_string())
    }
}

fn raw(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

/// Checks the form of an address.
pub fn check_address(address: &str) -> Result<(), &'static str> {
    match address.parse::<Address>() {
        Ok(_) if address.len() <= 254 && address.is_ascii() => Ok(()),
        _ => Err("this is not an e-mail address: write one such as name@example.org"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_servers_are_accepted_except_on_this_machine() {
        let from = Some("Tabularium <games@example.org>");
        let refused = |url: &str| Mailer::new(&url.into(), from).err();
        for good in [
            "smtps://me:secret@mail.example.org",
            "smtp://me:secret@mail.example.org?tls=required",
            "smtp://127.0.0.1:2525",
            "smtp://localhost:2525",
        ] {
            assert_eq!(refused(good), None, "{good}");
        }
        for plain in [
            "smtp://me:secret@mail.example.org",
            "smtp://mail.example.org?tls=opportunistic",
        ] {
            assert_eq!(
                refused(plain),
                Some(MailOptionsError::Unencrypted),
                "{plain}"
            );
        }
        for bad in ["mail.example.org", "https://mail.example.org", "smtps://"] {
            assert_eq!(refused(bad), Some(MailOptionsError::Server), "{bad}");
        }
        let without = Mailer::new(&"smtp://localhost".into(), None).err();
        assert_eq!(without, Some(MailOptionsError::From));
        let server = MailServer::from("smtps://me:secret@mail.example.org");
        assert_eq!(format!("{server:?}"), "smtps://me:***@mail.example.org");
    }

    #[test]
    fn mails_can_be_unsubscribed_with_one_click() {
        let mailer = Mailer::new(&"smtp://localhost".into(), Some("games@example.org")).unwrap();
        let mail = |unsubscribe: Option<&str>| Mail {
            to: "dido@example.org".to_owned(),
            text: MailText {
                subject: "Your turn".to_owned(),
                body: "It is your turn.\n".to_owned(),
            },
            unsubscribe: unsubscribe.map(str::to_owned),
            id: "1".to_owned(),
        };
        let text = |mail| String::from_utf8(mailer.message(&mail).unwrap().formatted()).unwrap();
        let whole = text(mail(Some("https://example.org/unsubscribe?code=1")));
        for line in [
            "List-Unsubscribe: <https://example.org/unsubscribe?code=1>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "Message-ID: <1@example.org>",
        ] {
            assert!(whole.lines().any(|one| one == line), "{line}\n{whole}");
        }
        assert!(!text(mail(None)).contains("List-Unsubscribe"));
        assert!(check_address("dido@example.org").is_ok());
        for bad in [
            "",
            "dido",
            "dido@",
            "a b@example.org",
            "a@b.org\r\nBcc: c@d.org",
        ] {
            assert!(check_address(bad).is_err(), "{bad}");
        }
    }
}
