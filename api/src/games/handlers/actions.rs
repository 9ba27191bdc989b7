//! Handlers of actions, legal actions, undo and adjudication.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use engine::play::{Action, Names, Payments};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::games::bodies::{
    ActionOutcome, Adjudication, GameBody, LegalActions, Undo, UndoOutcome, UndoRequest,
};
use crate::games::handlers::path::GameId;
use crate::games::named_action::NamedAction;
use crate::games::service::Games;
use crate::http::answers::{Acting, Adjudicating, DecliningUndo, Reading, Undoing};
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, not_json, tag, tagged, versioned};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::http::request::tags::has_version;

/// An action, with the nation that acts if this is not clear.
#[derive(Serialize, ToSchema)]
pub struct ActionRequest {
    /// The nation that acts. Only a seat with several nations needs it, and only out of turn.
    nation: Option<String>,
    /// The action.
    #[serde(flatten)]
    action: Action<Names>,
}

/// One action, or a list that is applied completely or not at all.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ActionsRequest {
    /// One action.
    One(ActionRequest),
    /// A list of actions.
    #[schema(title = "ActionList")]
    Many {
        /// The actions, in order.
        #[schema(min_items = 1, max_items = 200)]
        actions: Vec<ActionRequest>,
    },
}

/// Reads one action or a list, which match their schema. The nation is beside the action's own members.
fn read_actions(mut body: Value) -> Result<Vec<NamedAction>, Problem> {
    match body.get_mut("actions").map(Value::take) {
        Some(Value::Array(list)) => read_list(list),
        _ => Ok(vec![read_action(body, String::new())?]),
    }
}

/// Reads a list of actions.
pub fn read_list(list: Vec<Value>) -> Result<Vec<NamedAction>, Problem> {
    let read = |(index, value)| read_action(value, format!("actions[{index}]"));
    list.into_iter().enumerate().map(read).collect()
}

fn read_action(mut value: Value, path: String) -> Result<NamedAction, Problem> {
    let fields = value.as_object_mut();
    let nation = fields.and_then(|fields| fields.remove("nation"));
    let nation = nation.and_then(|name| name.as_str().map(str::to_owned));
    let action = Action::<Names>::deserialize(value)
        .map_err(|error| Problem::invalid(&path, error.to_string()))?;
    Ok(NamedAction {
        path,
        nation,
        action,
    })
}

/// Options of a request that acts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActQuery {
    /// Whether to change nothing and only return what would follow.
    /// The response contains neither event cards that would be drawn nor replies of bots and standing orders.
    #[serde(default)]
    dry_run: bool,
}

/// Act in a game
///
/// Applies one action or a list of actions, all or none. If bots or standing orders decide next, they reply
/// immediately, and the response includes their events.
///
/// With `dry_run` nothing changes. The events are only those of the actions, and `game` is the game after them,
/// before any reply. The `ETag` is that of the game as it is.
///
/// The order of a deck of event cards is secret. So a list must end with the action that draws a card: any action
/// after it is refused with `card_drawn`. A dry run does not reveal the card: the event has no `card_revealed` and an
/// empty `digest` and `hash`, the open row and the options of a card choice lack the card, and the `digest` of the
/// state is empty.
#[utoipa::path(tag = "actions", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid), ActQuery),
    request_body(content = ActionsRequest, examples(
        ("one" = (value = json!({"type": "move_stone", "field": "iron"}))),
        ("list" = (value = json!({"actions": [
            {"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]}))),
        ("building" = (summary = "Antike Duellum: a temple and a wall",
            value = json!({"actions": [
                {"type": "move_stone", "field": "temple"},
                {"type": "build_temple", "region": "roma", "pay": {"marble": 6}},
                {"type": "build_wall", "region": "roma"}, {"type": "end_turn"}]}))),
        ("recruit" = (summary = "Antike Duellum: from the supply into the recruitment box",
            value = json!({"type": "recruit", "unit": "legion", "count": 2}))),
        ("take_card" = (summary = "Antike Duellum: the answer to a card choice",
            value = json!({"type": "take_card", "card": "fortress"}))),
        ("play_card" = (summary = "Antike Duellum: an event card, with what it needs",
            value = json!({"type": "play_card", "card": "mercenaries", "region": "roma",
                "unit": "legion"}))),
        ("play_fortress" = (summary = "Antike Duellum: an answer to a declared conquest",
            value = json!({"type": "play_card", "card": "fortress"}))),
        ("pass" = (summary = "Antike Duellum: the other answer to it",
            value = json!({"type": "pass"}))))),
    responses(
        (status = 201, description = "The events that followed", body = ActionOutcome),
        (status = 200, description = "For `dry_run`: the events that would follow, without replies of bots and standing \
            orders", body = ActionOutcome),
        Acting,
    ))]
#[post("/v1/games/{game}/actions")]
pub async fn submit_action(
    GameId(id): GameId,
    Query(query): Query<ActQuery>,
    JsonRequest { call, body }: JsonRequest<Value>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let actions = read_actions(body)?;
    if query.dry_run {
        let acted = blocking(&games, move |games| games.try_out(id, &call, &actions)).await?;
        let now = acted
            .events
            .first()
            .map_or(acted.seq, |event| event.seq - 1);
        return Ok(tagged(HttpResponse::Ok(), now).json(acted));
    }
    let acted = blocking(&games, move |games| games.act(id, &call, &actions)).await?;
    Ok(tagged(HttpResponse::Created(), acted.seq).json(acted))
}

/// The payments that are listed.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentsQuery {
    /// Chips first, then coins for the rest.
    #[default]
    Default,
    /// Every payment.
    All,
}

/// Options of a list of legal actions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LegalQuery {
    /// Which payments to list: `default` (chips first, then coins for the rest) or `all`.
    #[serde(default)]
    #[param(inline, required = false)]
    payments: PaymentsQuery,
}

impl LegalQuery {
    /// Returns the engine's form of this option.
    pub fn payments(&self) -> Payments {
        match self.payments {
            PaymentsQuery::Default => Payments::Default,
            PaymentsQuery::All => Payments::All,
        }
    }
}

/// List the legal actions
///
/// Each entry can be sent as the body of `POST /v1/games/{game}/actions`. Resigning is always legal and not listed. The
/// list is empty if the game is not running.
#[utoipa::path(tag = "actions", params(("game" = String, Path, format = Uuid), LegalQuery),
    responses(
        (status = 200, description = "The legal actions", body = LegalActions, headers(
            ("ETag" = String, description = "The number of the last event, for `If-Match`"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Reading,
    ))]
#[get("/v1/games/{game}/legal-actions")]
pub async fn list_legal_actions(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<LegalQuery>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let payments = query.payments();
    // The list need not be computed if the caller has it.
    let known = games.table_in_memory(id).map(|table| table.seq());
    if let Some(seq) = known.filter(|seq| has_version(&request, &tag(*seq))) {
        return Ok(versioned(&request, &tag(seq), JSON, "".into(), "no-cache"));
    }
    let legal = blocking(&games, move |games| games.legal_actions(id, payments)).await?;
    let json = serde_json::to_string(&legal).map_err(not_json)?;
    let tag = tag(legal.seq);
    Ok(versioned(&request, &tag, JSON, json.into(), "no-cache"))
}

/// Undo actions, or agree to an undo request
///
/// Without `to`, or without a body, this undoes the caller's own last decision and the replies of bots since. The
/// caller then decides again, and no bot moves before. A reply of the seat's standing orders is not a decision, nor
/// is the only legal action.
///
/// The undo is immediate within the caller's own turn as long as only the caller or bots have acted. Otherwise it
/// becomes a request: the response is 202 and lists the seats that must agree. They agree by sending the same
/// request. If an event card was drawn since, all other seats must agree, even within the caller's turn. Bots never
/// agree to that, so the response is 409 if one plays.
///
/// A pending request is in the game as `undo_request` and in live streams. It ends when all seats have agreed, one
/// declines, or another event happens. A game has one request at a time: to request another target, decline the
/// pending request first. The requester can change the target; then all others must agree again.
#[utoipa::path(tag = "actions", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid)),
    request_body = Option<Undo>,
    responses(
        (status = 201, description = "The game went back", body = ActionOutcome),
        (status = 202, description = "The other seats must agree", body = UndoRequest),
        Undoing,
    ))]
#[post("/v1/games/{game}/undo")]
pub async fn undo_actions(
    GameId(id): GameId,
    JsonRequest { call, body }: JsonRequest<Option<Undo>>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let undo = body.unwrap_or_default();
    let undone = blocking(&games, move |games| games.undo(id, &call, undo)).await?;
    Ok(match undone {
        UndoOutcome::Done(acted) => tagged(HttpResponse::Created(), acted.seq).json(acted),
        pending => HttpResponse::Accepted().json(pending),
    })
}

/// Decline or withdraw an undo request
///
/// For a seat of the game. The requester withdraws the request, any other seat declines it, even after agreeing. The
/// request ends for all. 404 if none is pending.
#[utoipa::path(tag = "actions", security(("token" = ["play"])),
    params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The game, without an undo request", body = GameBody),
        DecliningUndo,
    ))]
#[delete("/v1/games/{game}/undo")]
pub async fn decline_undo(
    GameId(id): GameId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.decline_undo(id, &call)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// End a game by adjudication
///
/// The organizer decides the rank of every seat. Such a result does not count for ratings. 409 if the game is not
/// running. In a rated game, an account that has played in it cannot adjudicate.
#[utoipa::path(tag = "actions", security(("token" = ["organize"])),
    params(("game" = String, Path, format = Uuid)),
    request_body = Adjudication,
    responses(
        (status = 201, description = "The game is over", body = ActionOutcome),
        Adjudicating,
    ))]
#[post("/v1/games/{game}/adjudication")]
pub async fn adjudicate(
    GameId(id): GameId,
    JsonRequest { call, body }: JsonRequest<Adjudication>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let acted = blocking(&games, move |games| games.adjudicate(id, &call, &body)).await?;
    Ok(tagged(HttpResponse::Created(), acted.seq).json(acted))
}
