//! Playing: the legal actions in words, for the module `play.js`.

use std::mem::discriminant;

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::chips::Payment;
use engine::play::{Action, Effect, Game, Names, Payments};
use engine::setup::Player;
use engine::state::State;
use engine::words::Resource;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use crate::games::Games;
use crate::games::bodies::GameBody;
use crate::games::handlers::path::GameId;
use crate::games::model::Status;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::events::EventTexts;
use crate::site::frame::page;
use crate::site::texts::Texts;
use crate::site::texts::phrases::capital;

/// A legal action.
struct Choice {
    action: Action<Names>,
    /// What is paid.
    pay: Payment,
}

/// Legal actions that differ only in what is paid or given, or in the number of units that move.
/// The first is the usual one.
type Choices = Vec<Choice>;

/// An action without its amounts.
fn without_amounts(action: Action) -> Action {
    let mut bare = action;
    match &mut bare {
        Action::MoveStone { pay, .. } => *pay = Payment::NOTHING,
        Action::BuildTemple { pay, .. }
        | Action::BuildWall { pay, .. }
        | Action::Arm { pay, .. }
        | Action::Develop { pay, .. }
        | Action::Recruit { pay, .. }
        | Action::Found { pay, .. } => *pay = None,
        Action::Trade { give, .. } => *give = Payment::NOTHING,
        Action::March { count, left, .. } => (*count, *left) = (0, None),
        _ => {}
    }
    bare
}

/// What is paid for a legal action, which for the usual payment only the rules know.
fn payment(game: &Game, state: &State, action: Action) -> Payment {
    let mut effects = Vec::new();
    let applied = game.apply(&mut state.clone(), state.to_move, action, &mut effects);
    let paid = effects.iter().find_map(|effect| match effect {
        Effect::Paid { pay, .. } => Some(*pay),
        _ => None,
    });
    applied.ok().and(paid).unwrap_or_default()
}

/// Returns the cost of what is paid for steps on the rondel or given in a trade, as a rank among the alternatives.
/// Coins cost most, then chips of which the nation has few.
fn loss(state: &State, action: &Action) -> (u8, u32) {
    let (Action::MoveStone { pay, .. } | Action::Trade { give: pay, .. }) = action else {
        return (0, 0);
    };
    let held = state.nation(state.to_move).holdings.chips;
    let left = held.iter().zip(pay.chips());
    let left = left.map(|(held, paid)| held.saturating_sub(paid.into()).pow(2));
    (pay.coins, left.sum())
}

/// The legal actions of a position in groups, in the order of the API.
fn choices(game: &Game, state: &State) -> Vec<Choices> {
    let mut actions = Vec::new();
    game.legal_actions(state, Payments::All, &mut actions);
    let mut groups: Vec<(Action, Vec<Action>)> = Vec::new();
    for action in actions {
        let bare = without_amounts(action);
        match groups.iter_mut().find(|(key, _)| *key == bare) {
            Some((_, group)) => group.push(action),
            None => groups.push((bare, vec![action])),
        }
    }
    let group = |(bare, mut group): (Action, Vec<Action>)| {
        let usual = group.iter().position(|action| *action == bare);
        if matches!(bare, Action::March { .. }) {
            // All units move, if nothing else is said.
            group.sort_by_key(|action| match action {
                Action::March { count, left, .. } => (left.is_some(), u8::MAX - count),
                _ => (true, 0),
            });
        } else if let Some(usual) = usual {
            group[..=usual].rotate_right(1);
        } else {
            group.sort_by_key(|action| loss(state, action));
        }
        let choice = |action: Action| Choice {
            pay: payment(game, state, action),
            action: action.named(game),
        };
        group.into_iter().map(choice).collect()
    };
    groups.into_iter().map(group).collect()
}

/// The possible actions by kind, each without its amounts as a group of buttons.
/// The usual one is first. Each button has the action as it can be posted.
#[get("/games/{game}/choices")]
pub async fn choices_part(
    request: HttpRequest,
    GameId(id): GameId,
    visit: Visit,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let read = move |games: &Games| {
        let table = games.table(id)?;
        let groups = match table.status() {
            Status::Running => choices(&table.game, &table.state),
            _ => Vec::new(),
        };
        Ok((table.body()?, groups))
    };
    let (body, groups) = blocking(&games, read).await?;
    let texts = visit.texts;
    let event_texts = EventTexts::of(texts, games.library(), &body.summary);
    let kind = |choices: &Choices| discriminant(&choices[0].action);
    let kinds: Vec<&[Choices]> = groups
        .chunk_by(|one, other| kind(one) == kind(other))
        .collect();
    let pending = body.summary.pending.first();
    let list = html! {
        div id="choices" tabindex="-1" data-seq=(body.summary.seq) data-seat=[pending.map(|question| question.seat)]
            data-nation=[pending.map(|question| &question.nation)] {
            @for kind in kinds {
                section class="kind" {
                    h3 { (texts.kind((&kind[0][0].action).into())) }
                    div class="choices" { @for choices in kind { (group(choices, event_texts)?) } }
                }
            }
        }
    };
    Ok(page(&request, texts, list))
}

/// The regions that an action names, in the order in which they are clicked.
pub fn regions(action: &Action<Names>) -> Vec<&str> {
    match action {
        Action::BuildTemple { region, .. }
        | Action::BuildWall { region, .. }
        | Action::Arm { region, .. }
        | Action::Battle { region, .. }
        | Action::Conquer { region, .. }
        | Action::Found { region, .. }
        | Action::ChooseCity { region } => vec![region],
        Action::March { from, to, .. } => vec![from, to],
        Action::PlayCard { region, .. } => region.iter().map(String::as_str).collect(),
        Action::MoveStone { .. }
        | Action::Develop { .. }
        | Action::Recruit { .. }
        | Action::AnswerBattle { .. }
        | Action::Trade { .. }
        | Action::ChooseChip { .. }
        | Action::ChoosePersonage { .. }
        | Action::TakeCard { .. }
        | Action::Pass
        | Action::EndTurn
        | Action::Resign => Vec::new(),
    }
}

/// The amounts of an action by the names of their steppers.
fn amounts(choice: &Choice) -> Value {
    let mut amounts = Map::new();
    let mut add = |what: &str, chips: [u8; Resource::COUNT], coins: u8| {
        for (chip, count) in Resource::ALL.iter().zip(chips) {
            amounts.insert(format!("{what}-{}", chip.name()), json!(count));
        }
        amounts.insert(format!("{what}-coins"), json!(coins));
    };
    match &choice.action {
        Action::Trade { give, take } => {
            add("give", give.chips(), give.coins);
            add("take", take.chips(), take.coins);
        }
        _ => add("pay", choice.pay.chips(), choice.pay.coins),
    }
    Value::Object(amounts)
}

/// An action with its payment, in words.
pub fn in_words(action: &Action<Names>, event_texts: EventTexts<'_>) -> String {
    let pay = match action {
        Action::MoveStone { pay, .. } => Some(pay),
        Action::BuildTemple { pay, .. }
        | Action::BuildWall { pay, .. }
        | Action::Arm { pay, .. }
        | Action::Develop { pay, .. }
        | Action::Recruit { pay, .. }
        | Action::Found { pay, .. } => pay.as_ref(),
        _ => None,
    };
    let pay = pay.map(|pay| event_texts.texts().paid(pay));
    event_texts.action(action, &pay.unwrap_or_default())
}

fn group(choices: &[Choice], event_texts: EventTexts<'_>) -> Result<Markup, Problem> {
    let texts = event_texts.texts();
    let broken = |error: serde_json::Error| Problem::new(Code::Internal, error.to_string());
    let first = &choices[0].action;
    let field = match first {
        Action::MoveStone { field, .. } => Some(field.name()),
        _ => None,
    };
    let counts = matches!(first, Action::March { .. });
    Ok(html! {
        div class="group" data-regions=(regions(first).join(" ")) data-field=[field] {
            @for (place, choice) in choices.iter().enumerate() {
                @let words = capital(&event_texts.action(&choice.action, &texts.paid(&choice.pay)));
                @let json = serde_json::to_value(&choice.action).map_err(broken)?;
                @match &choice.action {
                    Action::March { count, .. } if place > 0 =>
                        button type="button" class="choice" data-action=(json) aria-label=(words) title=(words) { (count) }
                    _ => button type="button" class="choice" data-action=(json) data-amounts=(amounts(choice)) hidden[place > 0] { (words) }
                }
            }
            @if choices.len() > 1 && !counts {
                button type="button" class="vary" aria-label=(texts.text("play-vary")) title=(texts.text("play-vary")) { "±" }
            }
        }
    })
}

/// The part of the page of a game in which it is played; empty if the game is over. Modules show it.
pub fn panel(body: &GameBody, nations: &Nations, orders: &Markup) -> Markup {
    let texts = nations.texts();
    let game = &body.summary;
    if !matches!(game.status, Status::Open | Status::Running) {
        return html! {};
    }
    let open = game.seats.iter().filter(|seat| seat.player == Player::Open);
    let bots = game.seats.iter();
    let bots = bots.filter(|seat| matches!(seat.player, Player::Bot { .. }));
    html! {
        section id="play" class="tab play script" aria-labelledby="play-title" data-edition=(game.edition)
            data-yours=(texts.text("play-yours")) data-others=(texts.text("play-others")) data-seats=(game.seats.len())
            data-bad-token=(texts.text("play-bad-token")) data-rule=(texts.text("play-rule")) data-resign=(texts.text("play-resign-ask"))
            data-asked=(texts.text("play-asked")) data-alone[bots.count() + 1 == game.seats.len()] {
            h2 id="play-title" { (texts.text("play-here")) }
            p id="play-state" role="status" {}
            p id="refusal" role="alert" hidden {}
            form id="seat-form" class="filter" hidden[game.status != Status::Open] {
                label { (texts.text("play-name")) input name="name" maxlength="64" autocomplete="nickname"; }
                @for seat in open {
                    button name="seat" value=(seat.seat) {
                        (texts.text("play-take")) " " @for name in &seat.nations { (nations.named(name)) " " }
                    }
                }
            }
            form id="token-form" class="filter" {
                label { (texts.text("play-token")) input name="token" type="password" autocomplete="off" required; }
                button { (texts.text("play-use")) }
            }
            div id="confirm" class="confirm" role="group" aria-labelledby="confirm-words" hidden {
                p id="confirm-words" aria-live="polite" {}
                div id="amounts" {}
                template id="amount" {
                    div class="amount" {
                        span {} button type="button" data-by="-1" { "−" } output {} button type="button" data-by="1" { "+" }
                    }
                }
                div class="actions" {
                    button type="button" class="first" id="send" { (texts.text("play-send")) }
                    button type="button" id="dismiss" { (texts.text("play-dismiss")) }
                }
            }
            p id="narrowed" hidden { span {} " " button type="button" id="widen" { (texts.text("play-all")) } }
            div id="choices" {}
            div id="own" class="actions" hidden {
                button type="button" id="undo" { (texts.text("play-undo")) }
                button type="button" id="decline" hidden { (texts.text("play-decline")) }
                button type="button" id="resign" { (texts.text("play-resign")) }
            }
            div id="since" hidden {
                button type="button" id="since-step" { (texts.text("play-since")) }
                ol id="since-list" class="since" {}
            }
            label id="auto-label" class="setting" hidden { input type="checkbox" id="auto"; " " (texts.text("play-auto")) }
            label id="sound-label" class="setting" hidden { input type="checkbox" id="sound"; " " (texts.text("play-sound")) }
            (orders)
            (amount_names(texts))
        }
    }
}

/// The names of the steppers.
fn amount_names(texts: Texts) -> Markup {
    let chips = Resource::ALL.iter();
    let chips = chips.map(|chip| (chip.name(), texts.chip(*chip)));
    let chips: Vec<(&str, String)> = chips
        .chain([("coins", texts.text("chip-coins").to_owned())])
        .collect();
    let ways = [
        ("pay", texts.text("amount-pay")),
        ("give", texts.text("amount-give")),
        ("take", texts.text("amount-take")),
    ];
    html! {
        template id="amount-names" {
            @for (way, words) in ways {
                @for (name, chip) in &chips { span data-name={ (way) "-" (name) } { (words) " " (chip) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};

    use engine::content::Library;
    use flate2::read::MultiGzDecoder;
    use records::Record;

    use super::*;

    /// The amounts of a choice in the order of their names.
    fn counts(choice: &Choice) -> Vec<i64> {
        let amounts = amounts(choice);
        let amounts = amounts.as_object().unwrap().values();
        amounts.map(|count| count.as_i64().unwrap()).collect()
    }

    /// How often a player clicks for an action. The page itself does what is the only choice. Another payment than the
    /// usual takes one click to open the choice, one for each step and one to confirm.
    fn clicks(all: &[Choices], action: &Action<Names>) -> usize {
        if all.iter().flatten().count() == 1 {
            return 0;
        }
        let is_own = |choices: &&Choices| choices.iter().any(|choice| choice.action == *action);
        let choices = all.iter().find(is_own).expect("a legal action");
        let choice = choices.iter().find(|choice| choice.action == *action);
        let (usual, choice) = (&choices[0], choice.unwrap());
        let steps = counts(usual).into_iter().zip(counts(choice));
        let steps: i64 = steps.map(|(usual, count)| (count - usual).max(0)).sum();
        match action {
            Action::March { .. } => 1,
            _ if usual.action == *action || steps == 0 => 1,
            _ => 2 + steps as usize,
        }
    }

    #[test]
    fn a_game_takes_less_than_half_the_clicks_of_a_list_with_confirmations() {
        let library = Library::embedded();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../analytics/corpus");
        let (mut listed, mut taken, mut usual) = (0, 0, 0);
        for file in [
            "antike-west-3",
            "antike-ii-orient-5",
            "duellum-rome-carthage-2",
        ] {
            let file = std::fs::File::open(format!("{folder}/{file}-1-of-16.ndjson.gz")).unwrap();
            for line in BufReader::new(MultiGzDecoder::new(file)).lines().take(3) {
                let record: Record = serde_json::from_str(&line.unwrap()).unwrap();
                let (game, mut state) = record.start(library).unwrap();
                for text in &record.actions {
                    let (nation, action) = game.read(&state, text).unwrap();
                    let clicks = clicks(&choices(&game, &state), &action.named(&game));
                    (listed, taken, usual) = (listed + 2, taken + clicks, usual + clicks.min(1));
                    (game.apply(&mut state, nation, action, &mut Vec::new())).unwrap();
                }
            }
        }
        let shares = [taken, usual].map(|clicks| clicks as f64 / f64::from(listed));
        // The bots of these games seldom care what they pay. People mostly pay the usual.
        assert!(
            shares[0] < 0.48 && shares[1] < 0.43,
            "{shares:?} of {listed}"
        );
    }
}
