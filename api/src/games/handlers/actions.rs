//! Acting: actions, what may be done, undo, adjudication.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use engine::play::{Action, Names, Payments};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::games::bodies::{Acted, Adjudication, GameBody, LegalActions, Undo, UndoWish, Undone};
use crate::games::handlers::path::GameId;
use crate::games::named_action::NamedAction;
use crate::games::service::Games;
use crate::http::answers::{Acting, Changing, ChangingBare, Reading, Undoing};
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, not_json, tag, tagged, versioned};
use crate::http::request::body::Sent;
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::http::request::tags::has_version;

/// An action, with the nation that acts where that is not clear.
#[derive(Serialize, ToSchema)]
pub struct ActionRequest {
    /// The nation that acts. Needed only by a seat with several nations, out of turn.
    nation: Option<String>,
    /// The action.
    #[serde(flatten)]
    action: Action<Names>,
}

/// One action, or a list that is applied all or not at all.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ActionsRequest {
    /// One action.
    One(ActionRequest),
    /// A list of actions.
    #[schema(title = "ActionList")]
    Many {
        /// In the order in which they are applied.
        #[schema(min_items = 1, max_items = 200)]
        actions: Vec<ActionRequest>,
    },
}

/// Reads one action or a list, which fit their schema. The nation stands beside the action's own fields.
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

/// Whether anything changes.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActQuery {
    /// Change nothing; show what would follow, but for the event cards that would be drawn and for what bots
    /// and standing orders would answer.
    #[serde(default)]
    dry_run: bool,
}

/// Act
///
/// Posts one action or a list, all or nothing. Bots and standing orders that must act next answer
/// at once; their events are in the answer.
///
/// With `dry_run` nothing changes, and nobody answers: the events are those of the actions alone, without
/// what bots and standing orders would do next, and `game` is as it would stand before that.
///
/// The order of a deck of event cards is secret. So a list ends with the action by which a card is
/// drawn: `card_drawn` refuses what stands behind it, whatever it is and whatever was drawn. And a
/// dry run shows no card that would be drawn: the action's event has no `card_revealed` and an empty
/// `digest` and `hash`, the open row and the options of a card choice are without the card, and the
/// state's `digest` is empty.
#[utoipa::path(tag = "actions", security(("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ActQuery,
        ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
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
        (status = 201, description = "What followed", body = Acted, headers(
            ("ETag" = String, description = "The last event"))),
        (status = 200, description = "What would follow, for `dry_run`, without the answers of bots and standing \
            orders", body = Acted),
        Acting,
    ))]
#[post("/v1/games/{id}/actions")]
pub async fn act(
    GameId(id): GameId,
    Query(query): Query<ActQuery>,
    Sent { call, body }: Sent<Value>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let actions = read_actions(body)?;
    if query.dry_run {
        let acted = blocking(&games, move |games| games.try_out(id, &call, &actions)).await?;
        return Ok(HttpResponse::Ok().json(acted));
    }
    let acted = blocking(&games, move |games| games.act(id, &call, &actions)).await?;
    Ok(tagged(HttpResponse::Created(), acted.seq).json(acted))
}

/// Which payments are listed.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentsQuery {
    /// Chips first, coins for what lacks.
    #[default]
    Default,
    /// Every payment.
    All,
}

/// What is listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LegalQuery {
    /// Which payments are listed: `default` (chips first, coins for what lacks) or `all`.
    #[serde(default)]
    #[param(inline, required = false)]
    payments: PaymentsQuery,
}

impl LegalQuery {
    /// The engine's word for it.
    pub fn payments(&self) -> Payments {
        match self.payments {
            PaymentsQuery::Default => Payments::Default,
            PaymentsQuery::All => Payments::All,
        }
    }
}

/// List what may be done now
///
/// Each entry is a body that can be posted as it is. Resigning is always possible and not listed.
#[utoipa::path(tag = "actions", params(("id" = String, Path, format = Uuid), LegalQuery,
        ("If-None-Match" = Option<String>, Header)),
    responses(
        (status = 200, description = "The legal actions", body = LegalActions, headers(
            ("ETag" = String, description = "The last event, for `If-Match`"))),
        (status = 304, description = "The caller has it"),
        Reading,
    ))]
#[get("/v1/games/{id}/legal-actions")]
pub async fn legal_actions(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<LegalQuery>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let payments = query.payments();
    // What the caller has need not be found again.
    let known = games.table_in_memory(id).map(|table| table.seq());
    if let Some(seq) = known.filter(|seq| has_version(&request, &tag(*seq))) {
        return Ok(versioned(&request, &tag(seq), JSON, "".into(), "no-cache"));
    }
    let legal = blocking(&games, move |games| games.legal_actions(id, payments)).await?;
    let json = serde_json::to_string(&legal).map_err(not_json)?;
    let tag = tag(legal.seq);
    Ok(versioned(&request, &tag, JSON, json.into(), "no-cache"))
}

/// Go back to an earlier event
///
/// Without `to`, or without a body, the caller's own last decision is taken back, over the answers of bots: it is the
/// caller's turn to decide again, and no bot moves before. An answer that the seat's standing orders gave is no
/// decision.
///
/// At once within the own turn, as long as nobody else has acted, and where only bots have. Else
/// the others are asked: they agree by posting the same, and 202 tells who is missing. A card that
/// was drawn since stays known, so everybody else must agree to take that back, in the own turn too;
/// a bot does not, and 409 says so.
///
/// The wish shows in the game (`undo_wish`) and in live streams until everybody has agreed, somebody
/// declines, or another event comes. There is one at a time: whoever wishes to go elsewhere declines it
/// first, and whoever has wished it may wish otherwise, which asks all others anew.
#[utoipa::path(tag = "actions", security(("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = Option<Undo>,
    responses(
        (status = 201, description = "The game went back", body = Acted),
        (status = 202, description = "Others must agree", body = UndoWish),
        Undoing,
    ))]
#[post("/v1/games/{id}/undo")]
pub async fn undo(
    GameId(id): GameId,
    Sent { call, body }: Sent<Option<Undo>>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let undo = body.unwrap_or_default();
    let undone = blocking(&games, move |games| games.undo(id, &call, undo)).await?;
    Ok(match undone {
        Undone::Done(acted) => tagged(HttpResponse::Created(), acted.seq).json(acted),
        asked => HttpResponse::Accepted().json(asked),
    })
}

/// Decline or withdraw a wish to go back
///
/// For the seats: whoever has wished it withdraws it, anybody else declines it, also after having agreed.
/// It is off for all then; who still wishes to go back asks anew. 404 when nothing is wished.
#[utoipa::path(tag = "actions", security(("token" = ["play"])),
    params(("id" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    responses(
        (status = 200, description = "The game, without the wish", body = GameBody),
        ChangingBare,
    ))]
#[delete("/v1/games/{id}/undo")]
pub async fn decline_undo(
    GameId(id): GameId,
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let game = blocking(&games, move |games| games.decline_undo(id, &call)).await?;
    Ok(tagged(HttpResponse::Ok(), game.summary.seq).json(game))
}

/// End a game by decision
///
/// For the organizer.
#[utoipa::path(tag = "actions", security(("token" = ["organize"])),
    params(("id" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = Adjudication,
    responses(
        (status = 201, description = "The game is over", body = Acted),
        Changing,
    ))]
#[post("/v1/games/{id}/adjudication")]
pub async fn adjudicate(
    GameId(id): GameId,
    Sent { call, body }: Sent<Adjudication>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let acted = blocking(&games, move |games| games.adjudicate(id, &call, &body)).await?;
    Ok(tagged(HttpResponse::Created(), acted.seq).json(acted))
}
