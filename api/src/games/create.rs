//! Creating games.

use std::collections::BTreeMap;

use bots::{Budget, Spec};
use engine::setup::{GUEST, PLACEHOLDER, Pace, Player, Setup, SetupSeat, TimeoutThen};
use records::{Entry, PublicSetup, Source};
use uuid::Uuid;

use crate::accounts::queries::StoredAccount;
use crate::accounts::token;
use crate::db::StoreError;
use crate::games::bidding::Bidding;
use crate::games::bodies::{CreatedGame, NewGame, NewSeat, SeatPlayer, Tokens};
use crate::games::draft::Draft;
use crate::games::feed::WrittenStep;
use crate::games::limits::GameLimits;
use crate::games::live::Live;
use crate::games::model::{Append, AppendedEvents, Claims, Seat, Status, StoredGame, Visibility};
use crate::games::play::thinks;
use crate::games::service::Games;
use crate::games::setup::start_new;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::http::secret;

/// The most seats of any setup.
const MAX_SEATS: usize = 12;

/// The longest time for bids, in hours.
const LONGEST_BIDDING: u16 = 14 * 24;

/// How much more the limit of bot games counts a game with a bot that searches.
/// Such a game can be created while a tenth of the limit is not reached. One is always allowed.
const THINKING_WEIGHT: usize = 10;

/// The bot that takes over from a player whose time ran out, unless another is named.
const SUBSTITUTE: &str = "greedy";

/// Returns the stored name of a bot. A level such as `beginner` becomes its present bot and budget.
/// The budget is limited, because everyone can create games.
fn bot_name(field: &str, name: &str, limits: &GameLimits) -> Result<String, ServiceError> {
    let known: Result<Spec, _> = name.parse();
    let spec = known.map_err(|error| ServiceError::invalid(field, error))?;
    let most = limits.bot_budget;
    let within = match spec.budget {
        Budget::Playouts(playouts) => playouts <= most,
        Budget::Time(time) => time.as_millis() <= u128::from(most),
    };
    match within {
        true => Ok(spec.to_string()),
        false => {
            let message = format!(
                "the budget of {name:?} is too large: a decision may take at most {most} playouts or milliseconds"
            );
            Err(ServiceError::invalid(field, message))
        }
    }
}

/// Generates a seed.
fn generate_seed() -> Result<String, ServiceError> {
    secret::fresh().map_err(|error| StoreError::Unavailable(error.to_string()).into())
}

/// Returns a seat with an account as its player.
pub fn seat_of(number: u8, account: &StoredAccount) -> Seat {
    let player = Player::Person {
        id: account.id.to_string(),
        name: None,
    };
    Seat {
        handle: Some(account.handle.clone()),
        ..Seat::new(number, player, None)
    }
}

/// Returns a seat with a new guest, and the guest's token.
pub(in crate::games) fn new_guest(
    number: u8,
    name: Option<String>,
) -> Result<(Seat, String), ServiceError> {
    let token = token::generate()?;
    let player = Player::Person {
        id: format!("{GUEST}{}", Uuid::now_v7()),
        name,
    };
    let seat = Seat::new(number, player, Some(secret::hashed(&token)));
    Ok((seat, token))
}

/// Returns another seat that the account of a seat plays already, or that is reserved for it.
pub fn other_seat_of_account(seats: &[Seat], seat: &Seat) -> Option<u8> {
    let account = seat.account().or(seat.invited)?;
    let others = seats.iter().filter(|other| other.number != seat.number);
    let mut same = others.filter(|other| [other.account(), other.invited].contains(&Some(account)));
    Some(same.next()?.number)
}

impl Games {
    /// Returns a seat with the requested player, and a token if that is a placeholder.
    pub(in crate::games) fn new_seat(
        &self,
        call: &Call,
        number: u8,
        player: &SeatPlayer,
        field: &str,
    ) -> Result<(Seat, Option<String>), ServiceError> {
        match player {
            SeatPlayer::Bot(name) => {
                let name = bot_name(&format!("{field}.bot"), name, &self.limits)?;
                let player = Player::Bot { name };
                Ok((Seat::new(number, player, None), None))
            }
            SeatPlayer::Id(named) => {
                let found = self.accounts.account_named(named)?;
                let account = found.filter(|account| account.deleted_at.is_none());
                let account = account.ok_or_else(|| {
                    let message = "no account has this id or handle: check the spelling";
                    ServiceError::invalid(format!("{field}.id"), message)
                })?;
                match call.access.as_deref() {
                    Some(own) if own.account == account.id => {
                        own.needs(Scope::Play)?;
                        Ok((seat_of(number, &account), None))
                    }
                    _ => {
                        let mut seat = Seat::new(number, Player::Open, None);
                        seat.invited = Some(account.id);
                        Ok((seat, None))
                    }
                }
            }
            SeatPlayer::Placeholder(name) => {
                let token = token::generate()?;
                let player = Player::Person {
                    id: format!("{PLACEHOLDER}{}", Uuid::now_v7()),
                    name: Some(name.clone()),
                };
                let seat = Seat::new(number, player, Some(secret::hashed(&token)));
                Ok((seat, Some(token)))
            }
            SeatPlayer::Open => Ok((Seat::new(number, Player::Open, None), None)),
        }
    }

    /// Creates a game. It starts immediately if no seat is open.
    pub fn create(&self, call: &Call, request: &NewGame) -> Result<CreatedGame, ServiceError> {
        if let Some(access) = &call.access {
            access.needs(Scope::Organize)?;
        }
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        if let Some(league) = &request.league
            && self.access.is_league_here(league)?
        {
            let message = "this is a league of this server: its organizers create its games as tables of the league";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        let branch = match &request.from {
            Some(point) => Some(self.branch(call, request, point)?),
            None => None,
        };
        let request = branch.as_ref().unwrap_or(request);
        self.create_as(Uuid::now_v7(), call, request, None)
    }

    /// Creates a game with the given id.
    /// `guest` seats a new guest, by seat number and name, instead of the player of the request.
    ///
    /// # Errors
    /// Those of [`Games::create`], and [`StoreError::Conflict`] if the id exists.
    pub(in crate::games) fn create_as(
        &self,
        id: Uuid,
        call: &Call,
        request: &NewGame,
        guest: Option<(u8, Option<String>)>,
    ) -> Result<CreatedGame, ServiceError> {
        let (table, setup, tokens) = self.set_up(id, call, request, guest)?;
        let charged_to = self.charge_bots(call, &table)?;
        let mut draft = Draft::create(table, &setup);
        draft.charged_to = charged_to;
        let created = CreatedGame {
            game: draft.table.body()?,
            tokens,
        };
        let kept = match created.tokens.is_empty() {
            true => call.keep(&created)?,
            false => call.keep_location(format!("/v1/games/{id}"))?,
        };
        match self.commit(draft, kept) {
            Ok((table, step)) => {
                self.show_created(table, step);
                Ok(created)
            }
            Err(ServiceError::Store(StoreError::Conflict)) => {
                let kept = call.stored_answer(&self.store)?;
                kept.ok_or(ServiceError::Store(StoreError::Conflict))
            }
            Err(other) => Err(other),
        }
    }

    fn show_created(&self, table: Table, step: WrittenStep) {
        metrics::counter!("tabularium_games_created_total").increment(1);
        let id = table.id();
        let live = std::sync::Arc::new(Live::new(table));
        let table = live.current();
        self.feed.notify_accounts(&table);
        // A bot may be loading the game at this moment. This call waits for the bot only because both have the same type
        // of error; otherwise one snapshot would replace the other.
        let _ = (self.live.entry(id)).or_try_insert_with(|| Ok::<_, ServiceError>(live));
        self.feed.enqueue(step, &table);
    }

    /// Drafts a new game with the given players, which another feature writes.
    ///
    /// # Errors
    /// Those of [`Games::create`].
    pub fn draft_for(
        &self,
        call: &Call,
        request: &NewGame,
        seats: Vec<Seat>,
    ) -> Result<(Draft, Append), ServiceError> {
        check_request(request, &self.limits)?;
        let set_up = self.set_up_for(Uuid::now_v7(), call, request, seats, Tokens::default());
        let (table, setup, _) = set_up?;
        self.prepare_append(Draft::create(table, &setup), None)
    }

    /// Publishes a new game that another feature has written.
    pub fn show_written(&self, draft: Draft, appended: AppendedEvents) {
        let (table, step) = self.finish_append(draft, appended, None);
        self.show_created(table, step);
    }

    /// Returns to which account or address the moves of a game's bots are charged; `None` if no bot plays.
    pub(in crate::games) fn charge_bots(
        &self,
        call: &Call,
        table: &Table,
    ) -> Result<Option<String>, ServiceError> {
        let is_bot = |seat: &Seat| matches!(seat.player, Player::Bot { .. });
        if !table.seats.iter().any(is_bot) {
            return Ok(None);
        }
        let charged_to = call.charged_to();
        let (all, own) = self.store.bot_games(&charged_to)?;
        // One decision of a bot that searches takes as long as a whole game of the other bots.
        let weight = match table.seats.iter().any(|seat| thinks(&seat.player)) {
            true => THINKING_WEIGHT,
            false => 1,
        };
        let reached =
            |games: i64, most: usize| usize::try_from(games).unwrap_or(0) >= (most / weight).max(1);
        let scope = match self.limits {
            limits if reached(own, limits.address_bot_games) => "your games",
            limits if reached(all, limits.bot_games) => "the games of this server",
            _ => return Ok(Some(charged_to)),
        };
        Err(ServiceError::TooMany(format!(
            "bots have to move in too many of {scope}: wait until some of them are over"
        )))
    }

    fn set_up(
        &self,
        id: Uuid,
        call: &Call,
        request: &NewGame,
        guest: Option<(u8, Option<String>)>,
    ) -> Result<(Table, Entry, Tokens), ServiceError> {
        check_request(request, &self.limits)?;
        let mut seats = Vec::new();
        let mut tokens = BTreeMap::new();
        for (number, seat) in (0..).zip(&request.seats) {
            let field = format!("seats[{number}].player");
            let (seat, token) = match &guest {
                Some((of_guest, name)) if *of_guest == number => {
                    let (seat, token) = new_guest(number, name.clone())?;
                    (seat, Some(token))
                }
                _ => self.new_seat(call, number, &seat.player, &field)?,
            };
            if let Some(other) = other_seat_of_account(&seats, &seat) {
                let message = format!(
                    "the account already has seat {other}: an account can have one seat of a game"
                );
                return Err(ServiceError::invalid(format!("{field}.id"), message));
            }
            if let Some(token) = token {
                tokens.insert(number, token);
            }
            seats.push(seat);
        }
        let tokens = Tokens {
            organizer: None,
            seats: tokens,
        };
        self.set_up_for(id, call, request, seats, tokens)
    }

    /// Sets up a new game with the given players instead of those of the request.
    /// The request must have passed [`check_request`].
    fn set_up_for(
        &self,
        id: Uuid,
        call: &Call,
        request: &NewGame,
        seats: Vec<Seat>,
        tokens: Tokens,
    ) -> Result<(Table, Entry, Tokens), ServiceError> {
        let content = request.content.clone().unwrap_or_default();
        let setup = Setup {
            edition: request.edition.clone(),
            board: request.board.clone(),
            ruleset_hash: content.ruleset,
            board_hash: content.board,
            variants: request.variants.clone(),
            seats: request
                .seats
                .iter()
                .zip(&seats)
                .map(|(seat, seated)| SetupSeat {
                    nations: seat.nations.clone(),
                    player: seated.player.clone(),
                })
                .collect(),
            seed: match &request.seed {
                Some(seed) => seed.clone(),
                None => generate_seed()?,
            },
            drawn: 0,
            first: None,
            max_rounds: request.max_rounds.or(self.limits.max_rounds),
            deck: None,
            reshuffles: Vec::new(),
            position: request.position.clone(),
            pace: resolve_pace(request, &self.limits)?,
        };
        let (setup, game, state) = start_new(setup, request.first.as_ref(), &self.library)?;
        if request.rated && request.seed.is_some() && game.rules.data.cards.is_some() {
            let message = "a game with a given seed cannot be rated, because the seed reveals the event cards: omit `seed` or `rated`";
            return Err(ServiceError::invalid("rated", message));
        }
        let is_open = |seat: &SetupSeat| seat.player == Player::Open;
        let now = self.store.now();
        let bidding = request.bidding.map(|new| {
            let mut bidding = Bidding::new(new, seats.len());
            let players: Vec<Player> = seats.iter().map(|seat| seat.player.clone()).collect();
            bidding.restart(0, &players, now);
            bidding
        });
        let status = match setup.seats.iter().any(is_open) || bidding.is_some() {
            true => Status::Open,
            false => Status::Running,
        };
        let setup_entry = Entry::Setup(Box::new(PublicSetup::new(&setup)));
        let organizer_account = call.access.as_ref().map(|access| access.account);
        let organizer = match organizer_account {
            Some(_) => None,
            None => Some(token::generate()?),
        };
        let stored = StoredGame {
            id,
            edition: request.edition.clone(),
            board: request.board.clone(),
            status,
            setup: setup_entry.to_string(),
            seed: setup.seed.clone(),
            seed_known: request.seed.is_some(),
            seq: 0,
            created_at: now,
            updated_at: now,
            result: None,
            rated: request.rated,
            league: request.league.clone(),
            source: Source::Service,
            organizer: organizer.as_deref().map(secret::hashed),
            organizer_account,
            automatic: false,
            due_at: bidding.as_ref().and_then(|bidding| bidding.ends_at),
            pauses: Vec::new(),
            number: 0,
            hash: String::new(),
            signature: None,
            version: 0,
            visibility: request.visibility,
            claims: resolve_claims(request),
            pending: Vec::new(),
            waiting_for: None,
            rematch: None,
            texts_hidden: false,
            chat_off: false,
            last_message: 0,
            bidding,
        };
        let tokens = Tokens {
            organizer,
            ..tokens
        };
        let table = Table::new(stored, seats, game, state, setup.pace);
        Ok((table, setup_entry, tokens))
    }
}

/// Returns who may claim the open seats of a new game.
fn resolve_claims(request: &NewGame) -> Claims {
    let default = match request.visibility {
        Visibility::Public | Visibility::Unlisted => Claims::Open,
        Visibility::Private => Claims::Invited,
    };
    request.claims.unwrap_or(default)
}

/// Returns the time limits of a new game, with the stored name of the bot.
fn resolve_pace(request: &NewGame, limits: &GameLimits) -> Result<Option<Pace>, ServiceError> {
    let Some(mut pace) = request.pace.clone() else {
        return Ok(None);
    };
    let is_bot = |seat: &NewSeat| matches!(seat.player, SeatPlayer::Bot(_));
    if request.seats.iter().all(is_bot) {
        let message = "a game of bots alone has no time limits: omit `pace`";
        return Err(ServiceError::invalid("pace", message));
    }
    if pace.then == TimeoutThen::Bot {
        let name = pace.bot.get_or_insert_with(|| SUBSTITUTE.to_owned());
        *name = bot_name("pace.bot", name, limits)?;
    }
    Ok(Some(pace))
}

/// Checks the parts of a request that the engine does not check.
pub(in crate::games) fn check_request(
    request: &NewGame,
    limits: &GameLimits,
) -> Result<(), ServiceError> {
    if request.seats.len() > MAX_SEATS {
        let message = format!(
            "there are {} seats, at most {MAX_SEATS} are possible",
            request.seats.len()
        );
        return Err(ServiceError::invalid("seats", message));
    }
    if let Some(seed) = &request.seed {
        let checked = engine::setup::check_seed(seed);
        checked.map_err(|message| ServiceError::invalid("seed", message))?;
    }
    if let Some(bidding) = &request.bidding {
        if !(1..=LONGEST_BIDDING).contains(&bidding.hours) {
            let message = format!("the hours must be from 1 to {LONGEST_BIDDING}");
            return Err(ServiceError::invalid("bidding.hours", message));
        }
        let is_bot = |seat: &NewSeat| matches!(seat.player, SeatPlayer::Bot(_));
        if request.seats.iter().all(is_bot) {
            let message = "bots do not bid: omit `bidding`, or leave a seat open";
            return Err(ServiceError::invalid("bidding", message));
        }
    }
    if request.max_rounds == Some(0) {
        return Err(ServiceError::invalid(
            "max_rounds",
            "the number must be at least 1",
        ));
    }
    if let (Some(rounds), Some(most)) = (request.max_rounds, limits.max_rounds)
        && rounds > most
    {
        let message = format!("the number must be at most {most}, the limit of this server");
        return Err(ServiceError::invalid("max_rounds", message));
    }
    if request.rated && request.position.is_some() {
        let message =
            "a game from a given position cannot be rated: omit `position` and `from`, or `rated`";
        return Err(ServiceError::invalid("rated", message));
    }
    if request.rated && request.visibility == Visibility::Private {
        let message = "a private game cannot be rated, because ratings are public: omit `rated`, or make the game \
            public or unlisted";
        return Err(ServiceError::invalid("rated", message));
    }
    Ok(())
}
