//! The problems that each kind of operation can return, for the specification.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use utoipa::IntoResponses;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::http::problem::{Code, MEDIA_TYPE, Problem};

/// Problems of every operation that uses the database or reads a body.
const COMMON: &[Code] = &[
    Code::Unauthenticated,
    Code::AccountSuspended,
    Code::RateLimited,
    Code::Internal,
    Code::Damaged,
    Code::Unavailable,
    Code::ClockWrong,
    Code::Overloaded,
];
/// Problems of the endpoints of OAuth, whose other errors are those of OAuth: [`COMMON`] without those of tokens.
const AUTHORIZATION: &[Code] = &[
    Code::RateLimited,
    Code::Internal,
    Code::Damaged,
    Code::Unavailable,
    Code::ClockWrong,
    Code::Overloaded,
];
/// Problems of every path.
const METHOD: &[Code] = &[Code::MethodNotAllowed];
/// Problems of every operation except health checks and metrics.
const GATE: &[Code] = &[
    Code::Unauthenticated,
    Code::AccountSuspended,
    Code::RateLimited,
    Code::Overloaded,
];
/// Problems of a query: unknown or invalid parameters.
const QUERY: &[Code] = &[Code::InvalidParameter];
/// Problems of the query and the headers of a change.
const CHANGE_QUERY: &[Code] = &[Code::InvalidParameter, Code::InvalidHeader];
/// Problems of a JSON body, a query and headers.
const BODY: &[Code] = &[
    Code::InvalidHeader,
    Code::MalformedJson,
    Code::TooLarge,
    Code::UnsupportedMediaType,
    Code::InvalidBody,
    Code::InvalidParameter,
];
/// Problems of an idempotency key.
const KEY: &[Code] = &[
    Code::InvalidParameter,
    Code::InvalidHeader,
    Code::ConcurrentChange,
    Code::IdempotencyConflict,
];
/// Problems of an idempotency key where the answer may contain a secret.
const SECRET_KEY: &[Code] = &[
    Code::InvalidParameter,
    Code::InvalidHeader,
    Code::ConcurrentChange,
    Code::AlreadyDone,
    Code::IdempotencyConflict,
];
/// Problems of a token that must belong to the game.
const TOKEN: &[Code] = &[Code::Unauthenticated, Code::Forbidden];
/// Problems of a change to a game.
const CHANGE: &[Code] = &[
    Code::NotFound,
    Code::GameOver,
    Code::ConcurrentChange,
    Code::StaleView,
];
/// Problems of a change to a league.
const LEAGUE: &[Code] = &[
    Code::NotFound,
    Code::LimitReached,
    Code::LeagueClosed,
    Code::LeagueArchived,
    Code::StaleView,
];
/// Problems that the rules cause.
const RULES: &[Code] = &[Code::NotYourTurn, Code::GameOver, Code::IllegalAction];

/// Defines a type for each kind of operation, with the problems that it can return.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $($codes:expr),+;)+) => {$(
        $(#[$doc])*
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                responses([$(&$codes[..],)+ METHOD].concat())
            }
        }
    )+};
}

problems! {
    /// Renders data that are in memory.
    Rendering: QUERY, [Code::Internal], GATE;
    /// Looks up data that are in memory.
    LookingUp: QUERY, [Code::NotFound, Code::Internal], GATE;
    /// Looks up data that are in memory, in one of several media types.
    LookingUpRendered: QUERY, [Code::NotFound, Code::NotAcceptable, Code::Internal], GATE;
    /// Returns the metrics.
    Counting: QUERY, [Code::NotFound, Code::Unavailable];
    /// Reads data of a game.
    Reading: QUERY, [Code::NotFound], COMMON;
    /// Reads data of a game in one of several media types.
    Rendered: QUERY, [Code::NotFound, Code::NotAcceptable], COMMON;
    /// Reports the health of the service.
    Watching: QUERY, [Code::Internal, Code::Unavailable];
    /// Reads the record of a game in one of several media types.
    ReadingRecord: QUERY, [Code::NotFound, Code::NotAcceptable, Code::TextsHidden], COMMON;
    /// Reads the proof of a game.
    ReadingProof: QUERY, [Code::NotFound, Code::TextsHidden], COMMON;
    /// Reads a list.
    Listing: QUERY, COMMON;
    /// Reads a list in one of several media types.
    ListingRendered: QUERY, [Code::NotAcceptable], COMMON;
    /// Computes a measure in one of several media types.
    Measuring: QUERY, [Code::NotAcceptable], COMMON;
    /// Reads the strengths of a player.
    ReadingStrengths: QUERY, [Code::NotFound], COMMON;
    /// Compares two samples.
    Comparing: QUERY, [Code::NotFound, Code::NotAcceptable], COMMON;
    /// Reads data that are private to a seat.
    ReadingOwn: QUERY, [Code::NotFound], TOKEN, COMMON;
    /// Creates a game or a league.
    Creating: BODY, SECRET_KEY, TOKEN, COMMON;
    /// Claims a seat.
    Claiming: BODY, SECRET_KEY, TOKEN, CHANGE,
        [Code::SeatTaken, Code::AlreadySeated, Code::LimitReached], COMMON;
    /// Leaves a seat.
    LeavingSeat: KEY, TOKEN, CHANGE, [Code::AlreadyStarted], COMMON;
    /// Replaces the player of a seat.
    ReplacingPlayer: BODY, KEY, TOKEN, CHANGE,
        [Code::AlreadyStarted, Code::AlreadySeated, Code::SeatResigned, Code::LimitReached], COMMON;
    /// Bids for the seats of a game.
    Bidding: BODY, KEY, TOKEN, CHANGE, [Code::AlreadyStarted, Code::NotStarted, Code::NotYourBid], COMMON;
    /// Changes the standing orders of a seat.
    SettingOrders: BODY, KEY, TOKEN, CHANGE, COMMON;
    /// Changes the organizer of a game.
    SettingOrganizer: BODY, KEY, TOKEN, CHANGE, [Code::OrganizedByLeague], COMMON;
    /// Abandons a game.
    Abandoning: KEY, TOKEN, CHANGE, [Code::AlreadyStarted], COMMON;
    /// Creates a rematch.
    CreatingRematch: CHANGE_QUERY, TOKEN, [Code::NotFound, Code::NotFinished, Code::ConcurrentChange], COMMON;
    /// Creates an invitation code.
    CreatingInvitation: SECRET_KEY, TOKEN, [Code::NotFound, Code::AlreadyStarted, Code::GameOver], COMMON;
    /// Reads the game of an invitation code.
    ReadingInvitation: QUERY, [Code::NotFound, Code::AlreadyStarted, Code::GameOver], COMMON;
    /// Claims a seat with an invitation code.
    ClaimingByCode: BODY, SECRET_KEY, TOKEN, [Code::NotFound, Code::AlreadyStarted, Code::GameOver, Code::NoFreeSeat,
        Code::SeatTaken, Code::AlreadySeated, Code::LimitReached], COMMON;
    /// Ends a game by adjudication.
    Adjudicating: BODY, KEY, TOKEN, CHANGE, [Code::NotStarted], COMMON;
    /// Sends a message to the chat of a game.
    SendingMessage: BODY, KEY, TOKEN, [Code::NotFound, Code::ChatOff, Code::LimitReached], COMMON;
    /// Annotates a game.
    Annotating: BODY, TOKEN, [Code::NotFound, Code::NotFinished, Code::LimitReached, Code::TextsHidden], COMMON;
    /// Turns the chat of a game on or off.
    SwitchingChat: BODY, KEY, TOKEN, [Code::NotFound], COMMON;
    /// Undoes actions.
    Undoing: BODY, KEY, TOKEN, CHANGE,
        [Code::NotStarted, Code::UndoPending, Code::UndoRefused, Code::NothingToUndo], COMMON;
    /// Declines or withdraws an undo request.
    DecliningUndo: KEY, TOKEN, CHANGE, [Code::NotStarted], COMMON;
    /// Submits actions.
    Acting: BODY, KEY, TOKEN, CHANGE, RULES, [Code::NotStarted, Code::LimitReached, Code::CardDrawn], COMMON;
    /// Registers an account.
    Registering: BODY, SECRET_KEY, TOKEN, [Code::HandleTaken], COMMON;
    /// Creates a token.
    CreatingToken: BODY, SECRET_KEY, TOKEN, [Code::LimitReached], COMMON;
    /// Registers an app.
    AddingApp: BODY, KEY, TOKEN, [Code::LimitReached], COMMON;
    /// Answers an app, whose errors are those of OAuth.
    Authorizing: [Code::TooLarge], AUTHORIZATION;
    /// Reads data of the caller's account.
    ReadingMine: QUERY, TOKEN, COMMON;
    /// Reads data of the caller's account in one of several media types.
    ReadingMineRendered: QUERY, [Code::NotAcceptable], TOKEN, COMMON;
    /// Changes the caller's account.
    ChangingMine: BODY, TOKEN, [Code::HandleTaken], COMMON;
    /// Deletes a resource of the caller's account or game.
    Deleting: CHANGE_QUERY, TOKEN, [Code::NotFound], COMMON;
    /// Signs in.
    SigningIn: BODY, [Code::Forbidden, Code::WrongPassword], COMMON;
    /// Changes the password of the caller's account.
    ChangingPassword: BODY, TOKEN, [Code::WrongPassword], COMMON;
    /// Replaces the recovery codes of the caller's account.
    CreatingRecoveryCodes: BODY, TOKEN, [Code::WrongPassword], COMMON;
    /// Changes the notices of the caller's account.
    ChangingNotices: BODY, TOKEN, COMMON;
    /// Changes the e-mail address of the caller's account.
    ChangingAddress: BODY, TOKEN, [Code::WrongPassword], COMMON;
    /// Confirms an e-mail address.
    ConfirmingAddress: BODY, COMMON;
    /// Requests a mail to recover a password.
    RecoveringPassword: BODY, [Code::Forbidden], COMMON;
    /// Begins a ceremony with a passkey.
    BeginningCeremony: BODY, [Code::Forbidden, Code::HandleTaken, Code::PasskeysUnavailable], COMMON;
    /// Signs in or up with a passkey.
    SigningInWithPasskey: BODY, [Code::Forbidden, Code::HandleTaken, Code::WrongPasskey, Code::PasskeysUnavailable], COMMON;
    /// Adds a passkey to the caller's account.
    AddingPasskey: BODY, TOKEN, [Code::WrongPasskey, Code::PasskeysUnavailable, Code::LimitReached], COMMON;
    /// Removes a passkey of the caller's account.
    RemovingPasskey: CHANGE_QUERY, TOKEN, [Code::NotFound, Code::LastSignIn], COMMON;
    /// Moves a guest's seat to the caller's account.
    AdoptingSeat: BODY, KEY, TOKEN, [Code::NotFound, Code::AlreadySeated, Code::GameOver], COMMON;
    /// Deletes resources of the caller's account.
    DeletingMine: CHANGE_QUERY, TOKEN, COMMON;
    /// Deletes the caller's account.
    DeletingMe: CHANGE_QUERY, TOKEN, [Code::NotFound, Code::ConcurrentChange, Code::LastOrganizer], COMMON;
    /// Reads one resource of the caller's account.
    ReadingOneOfMine: QUERY, [Code::NotFound], TOKEN, COMMON;
    /// Adds a resource to the caller's account.
    AddingMine: BODY, SECRET_KEY, TOKEN, [Code::NotFound, Code::LimitReached], COMMON;
    /// Accepts an invitation for the caller's account.
    AcceptingInvitation: BODY, KEY, TOKEN,
        [Code::NotFound, Code::AlreadyStarted, Code::NoFreeSeat, Code::GameOver], COMMON;
    /// Changes one resource of the caller's account.
    ChangingOneOfMine: BODY, TOKEN, [Code::NotFound], COMMON;
    /// Sends a delivery to a webhook.
    SendingDelivery: KEY, TOKEN, [Code::NotFound, Code::WebhookDisabled], COMMON;
    /// Replaces a secret.
    ReplacingSecret: SECRET_KEY, TOKEN, [Code::NotFound], COMMON;
    /// Reads a league in one of several media types.
    ReadingLeagueRendered: QUERY, [Code::NotFound, Code::NotAcceptable], TOKEN, COMMON;
    /// Begins a season of a league.
    BeginningSeason: BODY, KEY, TOKEN, LEAGUE, COMMON;
    /// Adds a member to a league, or invites an account.
    AddingMember: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyMember, Code::AlreadyInvited], COMMON;
    /// Removes a member of a league, or an invitation.
    RemovingMember: KEY, TOKEN, LEAGUE, [Code::AlreadyLeft], COMMON;
    /// Gives a member of a league an account.
    ClaimingMember: BODY, KEY, TOKEN, LEAGUE, COMMON;
    /// Adds an organizer to a league.
    AddingOrganizer: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyOrganizer], COMMON;
    /// Removes an organizer of a league.
    RemovingOrganizer: KEY, TOKEN, LEAGUE, [Code::LastOrganizer], COMMON;
    /// Changes divisions, teams or line-ups of a league.
    ChangingGroups: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::AlreadyStarted], COMMON;
    /// Pauses clocks, ends a pause, or takes a holiday.
    Pausing: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::TableNotRunning], COMMON;
    /// Ends a holiday.
    EndingHoliday: KEY, TOKEN, LEAGUE, COMMON;
    /// Challenges a member of a ladder.
    Challenging: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted], COMMON;
    /// Withdraws a challenge.
    WithdrawingChallenge: KEY, TOKEN, LEAGUE, [Code::NotStarted], COMMON;
    /// Pairs tables of a league.
    Pairing: BODY, TOKEN, LEAGUE, [Code::NotStarted, Code::SeasonClosed], COMMON;
    /// Creates tables of a league.
    CreatingTables: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::SeasonClosed], COMMON;
    /// Enters a result in a league.
    EnteringResult: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::AlreadyCounted, Code::SeasonClosed], COMMON;
    /// Imports members or results into a league.
    ImportingLeague: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted], COMMON;
    /// Corrects a table of a league.
    CorrectingTable: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyCounted, Code::TableVoid], COMMON;
    /// Moves a deadline of a league.
    MovingDeadline: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::TableNotRunning], COMMON;
    /// Gives an account a role in a league.
    SettingRole: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyOrganizer, Code::LastOrganizer], COMMON;
    /// Changes the settings of a league.
    ChangingLeague: BODY, KEY, TOKEN, LEAGUE, [Code::NotFinished], COMMON;
    /// Deletes a league.
    DeletingLeague: KEY, TOKEN, LEAGUE, [Code::LeagueNotEmpty], COMMON;
    /// Closes a season of a league.
    ClosingSeason: KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::NotFinished, Code::SeasonClosed], COMMON;
    /// Registers for a league.
    RegisteringMember: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyMember, Code::AlreadyRequested], COMMON;
    /// Creates the invitation link of a league.
    CreatingLink: CHANGE_QUERY, [Code::ConcurrentChange], TOKEN, LEAGUE, COMMON;
    /// Withdraws the invitation link of a league.
    WithdrawingLink: KEY, TOKEN, LEAGUE, COMMON;
    /// Reports a result in a league.
    ReportingResult: BODY, KEY, TOKEN, LEAGUE, [Code::NotStarted, Code::AlreadyCounted, Code::AlreadyReported,
        Code::SeasonClosed], COMMON;
    /// Answers a report of a result.
    AnsweringReport: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyAnswered, Code::AlreadyCounted, Code::SeasonClosed], COMMON;
    /// Disputes a result.
    Disputing: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyAnswered, Code::AlreadyReported], COMMON;
    /// Answers a dispute.
    AnsweringDispute: BODY, KEY, TOKEN, LEAGUE, [Code::AlreadyAnswered], COMMON;
    /// Reports a name or a text.
    Reporting: BODY, KEY, TOKEN, [Code::NotFound, Code::LimitReached, Code::AlreadyReported], COMMON;
    /// Acts as an administrator.
    Moderating: BODY, KEY, TOKEN, [Code::NotFound, Code::HandleTaken, Code::LastOrganizer], COMMON;
    /// Imports records.
    ImportingRecords: [Code::MalformedJson, Code::InvalidBody, Code::InvalidParameter, Code::TooLarge, Code::UnsupportedMediaType,
        Code::NotAcceptable, Code::Unauthenticated, Code::Forbidden], COMMON;
    /// Checks a position.
    Judging: BODY, COMMON;
    /// Analyses a position.
    Analysing: BODY, TOKEN, [Code::NotFound, Code::GameOver, Code::NotAcceptable], COMMON;
    /// Applies actions to a position.
    Applying: BODY, RULES, COMMON;
}

/// Returns one response for each status, with its codes as examples.
fn responses(codes: Vec<Code>) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        let same = by_status.entry(code.status()).or_default();
        if !same.contains(&code) {
            same.push(code);
        }
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let titles: Vec<String> = codes
                .iter()
                .map(|code| format!("{}: `{}`", code.title(), code.name()))
                .collect();
            let examples = codes.iter().map(|code| {
                let problem = Problem::new(*code, code.title());
                let value = serde_json::to_value(problem).ok();
                (code.name(), ExampleBuilder::new().value(value).build())
            });
            let allow = (status == StatusCode::METHOD_NOT_ALLOWED.as_u16()).then(|| {
                let schema = ObjectBuilder::new().schema_type(Type::String);
                let allow = HeaderBuilder::new().schema(Some(schema));
                allow
                    .description(Some("The methods that the path supports"))
                    .build()
            });
            let content = ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("Problem")))
                .examples_from_iter(examples)
                .build();
            let response = ResponseBuilder::new()
                .description(titles.join("; "))
                .content(MEDIA_TYPE, content);
            let response = match allow {
                Some(allow) => response.header("Allow", allow),
                None => response,
            };
            let response = response.build();
            (status.to_string(), RefOr::T(response))
        })
        .collect()
}
