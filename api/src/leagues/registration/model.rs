//! Requests and answers about settings and registration.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::accounts::names;
use crate::leagues::event::{Joining, RegistrationQuestion};
use crate::leagues::model::LeagueAccountBody;

/// A registration of the caller's account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"answers": ["Fridays"]}))]
pub struct NewRegistration {
    /// The answers, in the order of the questions, each up to 500 bytes. An empty text is no answer.
    #[serde(default, deserialize_with = "read_answers")]
    #[schema(max_items = 10)]
    pub answers: Vec<String>,
    /// The code of an invitation link. With it, the account becomes a member immediately.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub code: Option<String>,
}

fn read_answers<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    struct AnswerText(#[serde(deserialize_with = "names::read_note")] String);
    let answers = Vec::<AnswerText>::deserialize(reader)?;
    Ok(answers.into_iter().map(|answer| answer.0).collect())
}

/// What a registration has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationState {
    /// An organizer has to admit the account.
    Requested,
    /// The account is a member.
    Member,
    /// The account was a member and has left.
    Left,
}

/// The outcome of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RegistrationOutcome {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// Whether the account is a member.
    pub state: RegistrationState,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnswerBody {
    /// The question as it was asked.
    pub question: String,
    /// The answer; empty if there is none.
    pub answer: String,
}

/// A registration, for organizers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RegistrationBody {
    /// The account.
    pub account: LeagueAccountBody,
    /// What the registration has led to.
    pub state: RegistrationState,
    /// The answers.
    pub answers: Vec<AnswerBody>,
    /// When the account sent them; null if it sent none.
    pub at: Option<Timestamp>,
}

/// The registrations of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RegistrationsBody {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The registrations: first the requests, then those of members who answered questions.
    pub items: Vec<RegistrationBody>,
}

/// The invitation link of a league. It is shown only once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvitationLink {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The code.
    pub code: String,
    /// The path of the page where accounts join with the code.
    #[schema(
        example = "/leagues/0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77/join?code=9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d"
    )]
    pub path: String,
}

/// What the registration page of a league shows.
#[derive(Clone, Debug, PartialEq)]
pub struct RegistrationForm {
    /// The name of the league.
    pub name: String,
    /// The description by the organizers.
    pub description: Option<String>,
    /// Who may become a member.
    pub joining: Joining,
    /// The questions.
    pub questions: Vec<RegistrationQuestion>,
    /// Whether the league is archived.
    pub archived: bool,
    /// Whether the code is that of the current invitation link.
    pub has_code: bool,
    /// Whether the caller's account is invited.
    pub invited: bool,
    /// What an earlier registration of the caller's account has led to.
    pub state: Option<RegistrationState>,
}
