//! Whole seasons of each format, organized through the pages only.

use serde_json::{Value, json};

use super::organizing::{borrowed, hidden, send};
use crate::http::sessions::Browser as Reader;
use crate::http::support::{TestServer, array, assert_contains, text};

/// A league with its owner, who sends forms.
struct Organized<'a> {
    server: &'a TestServer,
    owner: Reader,
    path: String,
}

impl<'a> Organized<'a> {
    /// Creates a league with a season and people without accounts.
    async fn begin(
        server: &'a TestServer,
        season: &[(&str, &str)],
        people: usize,
    ) -> Organized<'a> {
        let mut owner = Reader::of(server);
        owner.sign_up("dido").await;
        let league = [
            ("name", "Punic Cup"),
            ("visibility", "public"),
            ("joining", "open"),
            ("season", "First"),
        ];
        let fields = [&league[..], season].concat();
        let created = send(&mut owner, "/leagues/new", &fields).await;
        let path = created.header("location").replace("/organize/members", "");
        let mut league = Organized {
            server,
            owner,
            path,
        };
        for number in 0..people {
            league.add(&format!("P{number:02}")).await;
        }
        league
    }

    async fn send(&mut self, part: &str, fields: &[(&str, &str)]) {
        send(&mut self.owner, &format!("{}{part}", self.path), fields).await;
    }

    async fn page(&mut self, part: &str) -> String {
        self.owner.page(&format!("{}{part}", self.path)).await.text
    }

    /// Reads what the API says of the league.
    async fn read(&self, part: &str) -> Value {
        self.server.read(&format!("/v1{}{part}", self.path)).await
    }

    async fn add(&mut self, name: &str) {
        self.send(
            "/organize/members",
            &[("action", "placeholder"), ("name", name)],
        )
        .await;
    }

    async fn tables(&self) -> Vec<Value> {
        array(&self.read("/tables?limit=1000").await["items"]).clone()
    }

    /// Pairs a round, creates its tables, and decides them in the order of the seats, by two requests and one for each
    /// table. Returns the tables.
    async fn play(&mut self, more: &[(&str, &str)]) -> Vec<Value> {
        let before = self.tables().await.len();
        let round = format!("{}/organize/round", self.path);
        let proposed = hidden_choice(&self.page("/organize/round").await);
        let mut wanted = vec![("action", "preview"), ("round", &*proposed)];
        wanted.extend(more);
        let preview = self.owner.form(&round, &wanted).await;
        assert_eq!(preview.status, 200, "{}", preview.text);
        let mut fields = hidden(&preview.text);
        fields.push(("action".to_owned(), "create".to_owned()));
        let created = self.owner.form(&round, &borrowed(&fields)).await;
        assert_eq!(created.status, 200, "{}", created.text);
        let new = self.tables().await.split_off(before);
        for table in &new {
            let number = table["table"].to_string();
            let ranks: Vec<String> = (1..=array(&table["seats"]).len())
                .map(|rank| rank.to_string())
                .collect();
            let mut fields = vec![("action", "decide")];
            fields.extend(ranks.iter().map(|rank| ("rank", rank.as_str())));
            self.send(&format!("/tables/{number}"), &fields).await;
        }
        new
    }

    /// Closes the season and begins the next one with the same rules.
    async fn next_season(&mut self) {
        let number = array(&self.read("").await["seasons"]).len().to_string();
        self.send(
            "/organize/season",
            &[("action", "close"), ("number", &number)],
        )
        .await;
        self.send(
            "/organize/season",
            &[("action", "begin"), ("season", "Next"), ("same", "yes")],
        )
        .await;
    }
}

/// The number of the round that the page proposes.
fn hidden_choice(html: &str) -> String {
    let input = html
        .split("name=\"round\"")
        .nth(1)
        .expect("the field of the round");
    let value = input.split("value=\"").nth(1).unwrap();
    value.split('"').next().unwrap().to_owned()
}

fn seats_of(table: &Value) -> Vec<String> {
    let seats = array(&table["seats"]).iter();
    seats
        .map(|seat| text(&seat["members"][0]["name"]))
        .collect()
}

const FOUR: [(&str, &str); 3] = [
    ("board", "antike-east"),
    ("size", "4"),
    ("nations", "balanced"),
];
const TWO: [(&str, &str); 2] = [("board", "duellum-rome-carthage"), ("size", "2")];

#[tokio::test]
async fn a_swiss_season_of_23_with_leavers_late_members_and_a_pause() {
    let server = TestServer::start();
    let swiss = [
        ("format", "swiss"),
        ("bye_points", "3"),
        ("points", "5 3 2 0"),
        ("holiday_days", "3"),
        ("deadline", "by_points"),
        ("grace_hours", "24"),
    ];
    let mut league = Organized::begin(&server, &swiss, 23).await;
    let page = league.page("").await;
    assert_contains(
        &page,
        "24 hours after the deadline of a table, its game ends by points.",
    );
    let first = league.play(&FOUR).await;
    assert_eq!(first.len(), 6);
    let mut seated: Vec<String> = first.iter().flat_map(seats_of).collect();
    seated.sort_unstable();
    seated.dedup();
    assert_eq!(seated.len(), 23);
    // One leaves, one comes late, and a third one goes on a holiday.
    let listed = league.read("").await;
    let leaver = text(&listed["members"][0]["id"]);
    league
        .send(
            "/organize/members",
            &[("action", "remove"), ("player", &leaver)],
        )
        .await;
    league.add("Late").await;
    let holiday = [
        ("action", "holiday"),
        ("member", "P01"),
        ("from", "2099-08-01"),
        ("until", "2099-08-03"),
    ];
    league.send("/pauses", &holiday).await;
    assert_contains(&league.page("/pauses").await, "P01");
    league
        .send("/pauses", &[("action", "end_holiday"), ("member", "P01")])
        .await;
    let second = league.play(&FOUR).await;
    let names: Vec<String> = second.iter().flat_map(seats_of).collect();
    assert!(
        names.contains(&"Late".to_owned()) && !names.contains(&"P00".to_owned()),
        "{names:?}"
    );
    // The league pauses, and goes on.
    league
        .send("/pauses", &[("action", "pause"), ("note", "the summer")])
        .await;
    assert_contains(&league.page("/pauses").await, "the summer");
    league.send("/pauses", &[("action", "end")]).await;
    let page = league.page("/pauses").await;
    assert!(!page.contains("the summer"), "{page}");
    let late = league
        .owner
        .form(&format!("{}/pauses", league.path), &[("action", "end")])
        .await;
    assert_eq!(late.status, 404, "{}", late.text);
    let mut with_bids = FOUR.to_vec();
    with_bids.push(("bidding", "open"));
    let tables = league.play(&with_bids).await;
    let game = format!("/v1/games/{}", text(&tables[0]["game"]));
    assert_eq!(server.read(&game).await["bidding"]["kind"], "open");
    let standings = league.read("/standings").await;
    assert_eq!(array(&standings["rows"]).len(), 24);
    // A member without a role reads the page, and cannot pause.
    let mut hanno = Reader::of(&server);
    hanno.sign_up("hanno").await;
    let path = format!("{}/pauses", league.path);
    assert_eq!(hanno.page(&path).await.status, 200);
    assert_eq!(hanno.form(&path, &[("action", "pause")]).await.status, 403);
}

#[tokio::test]
async fn a_knock_out_of_13_has_a_winner_after_four_rounds() {
    let server = TestServer::start();
    let mut league = Organized::begin(&server, &[("format", "knock_out")], 13).await;
    let mut counts = Vec::new();
    for _ in 0..4 {
        counts.push(league.play(&TWO).await.len());
    }
    assert_eq!(counts, [5, 4, 2, 1]);
    let last = league.tables().await.pop().unwrap();
    let winner = &seats_of(&last)[0];
    let page = league.page("").await;
    assert_contains(&page, winner);
    let standings = league.read("/standings").await;
    let first = &standings["rows"][0];
    assert_eq!(
        (&first["rank"], &text(&first["member"]["name"])),
        (&json!(1), winner)
    );
    assert_contains(
        &league.owner.page("/leagues").await.text,
        &format!("First: {winner}"),
    );
}

#[tokio::test]
async fn matches_of_three_games_are_played_to_the_final() {
    let server = TestServer::start();
    let format = [("format", "knock_out"), ("best_of", "3")];
    let mut league = Organized::begin(&server, &format, 3).await;
    let mut rounds = Vec::new();
    for _ in 0..6 {
        let tables = league.play(&TWO).await;
        assert_eq!(tables.len(), 1);
        rounds.push(tables[0]["round"].clone());
    }
    // Who has the first seat wins, and the two exchange their seats.
    assert_eq!(rounds, [1, 1, 1, 2, 2, 2]);
    let bracket = league.read("/bracket").await;
    let last = &bracket["rounds"][1][0];
    assert_eq!(last["tables"], json!([4, 5, 6]));
    let mut wins = [&last["wins"][0], &last["wins"][1]].map(|wins| wins.as_u64());
    wins.sort_unstable();
    assert_eq!(wins, [Some(1), Some(2)]);
    assert_contains(&league.page("").await, "#table-6");
}

#[tokio::test]
async fn three_divisions_of_eight_promote_and_relegate() {
    let server = TestServer::start();
    let mut league =
        Organized::begin(&server, &[("format", "swiss"), ("points", "5 3 2 0")], 24).await;
    let group = |division: usize| {
        let members = (division * 8..division * 8 + 8).map(|number| format!("P{number:02}"));
        format!(
            "Division {division}:\n{}",
            members.collect::<Vec<_>>().join("\n")
        )
    };
    let groups = (0..3).map(group).collect::<Vec<_>>().join("\n\n");
    let wrong = [
        ("action", "divisions"),
        ("groups", "P00\nP01"),
        ("moves", "1"),
    ];
    let refused = league
        .owner
        .form(&format!("{}/groups", league.path), &wrong)
        .await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, "P00");
    league
        .send(
            "/groups",
            &[("action", "divisions"), ("groups", &groups), ("moves", "1")],
        )
        .await;
    // They can be changed until the first table.
    assert_contains(&league.page("/groups").await, "Division 0:");
    let mut winners = Vec::new();
    for round in 1..=2 {
        for division in 0..3 {
            // The page proposes the division that has not played the round.
            let page = league.page("/organize/round").await;
            assert_eq!(hidden_choice(&page), round.to_string());
            let chosen = format!("value=\"{}\" selected>Division {division}", division + 1);
            assert_contains(&page, &chosen);
            let number = (division + 1).to_string();
            let choice = [&FOUR[..], &[("division", &number)]].concat();
            let tables = league.play(&choice).await;
            assert_eq!(tables.len(), 2);
            let own = (division * 8..division * 8 + 8).map(|number| format!("P{number:02}"));
            let own: Vec<String> = own.collect();
            assert!(
                tables
                    .iter()
                    .flat_map(seats_of)
                    .all(|name| own.contains(&name))
            );
        }
    }
    for division in 1..=3 {
        let standings = league
            .read(&format!("/standings?division={division}"))
            .await;
        let rows = array(&standings["rows"]);
        winners.push([&rows[0], &rows[7]].map(|row| text(&row["member"]["name"])));
    }
    let printed = league.page("/print/standings").await;
    assert_eq!(printed.matches("<h3>Division ").count(), 3);
    league.next_season().await;
    let page = league.page("/groups").await;
    assert_contains(&page, "follow from the standings");
    let proposed = page.split("<textarea").nth(1).unwrap();
    let proposed = proposed
        .split('>')
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    league
        .send(
            "/groups",
            &[
                ("action", "divisions"),
                ("groups", &proposed),
                ("moves", "1"),
            ],
        )
        .await;
    let season = league.read("").await;
    let names = |id: &Value| {
        let mut members = array(&season["members"]).iter();
        text(&members.find(|member| member["id"] == *id).unwrap()["name"])
    };
    let divisions = array(&season["seasons"][1]["divisions"]).iter();
    let divisions: Vec<Vec<String>> = divisions
        .map(|group| array(&group["members"]).iter().map(names).collect())
        .collect();
    assert!(
        divisions[0].contains(&winners[1][0]) && divisions[1].contains(&winners[0][1]),
        "{divisions:?}"
    );
    assert!(
        divisions[1].contains(&winners[2][0]) && divisions[2].contains(&winners[1][1]),
        "{divisions:?}"
    );
    // A late member is put into the lowest division, and the new season is played.
    league.add("Late").await;
    league
        .send(
            "/groups",
            &[("action", "place"), ("member", "Late"), ("division", "3")],
        )
        .await;
    let choice = [&FOUR[..], &[("division", "3")]].concat();
    assert_eq!(league.play(&choice).await.len(), 3);
}

#[tokio::test]
async fn a_league_of_six_teams_of_four_with_line_ups() {
    let server = TestServer::start();
    let mut league =
        Organized::begin(&server, &[("format", "spread"), ("points", "5 3 2 0")], 24).await;
    let group = |team: usize| {
        let members = (team * 4..team * 4 + 4).map(|number| format!("P{number:02}"));
        format!("Team {team}:\n{}", members.collect::<Vec<_>>().join("\n"))
    };
    let groups = (0..6).map(group).collect::<Vec<_>>().join("\n");
    league
        .send("/groups", &[("action", "teams"), ("groups", &groups)])
        .await;
    for table in league.play(&FOUR).await {
        let teams: std::collections::BTreeSet<usize> = seats_of(&table)
            .iter()
            .map(|name| name[1..].parse::<usize>().unwrap() / 4)
            .collect();
        assert_eq!(teams.len(), 4, "team-mates meet at {table}");
    }
    // A member of the first team is ill in the second round.
    let season = league.read("").await;
    let team = array(&season["seasons"][0]["teams"][0]["members"])
        .iter()
        .map(text);
    let team: Vec<String> = team.collect();
    let mut line_up = vec![("action", "line_up"), ("team", "1"), ("round", "2")];
    line_up.extend(team.iter().take(3).map(|id| ("member", id.as_str())));
    league.send("/groups", &line_up).await;
    assert_contains(&league.page("/groups").await, "P00, P01 and P02");
    let second = league.play(&FOUR).await;
    let names: Vec<String> = second.iter().flat_map(seats_of).collect();
    assert_eq!(
        (names.len(), names.contains(&"P03".to_owned())),
        (23, false)
    );
    let standings = league.read("/teams/standings").await;
    assert_eq!(array(&standings["rows"]).len(), 6);
    assert_contains(&league.page("").await, "Team 0");
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    assert_eq!(faults, Vec::<String>::new());
}

#[tokio::test]
async fn members_of_a_ladder_challenge_on_the_page() {
    let server = TestServer::start();
    let mut league = Organized::begin(&server, &[("format", "ladder"), ("reach", "2")], 4).await;
    let mut hanno = Reader::of(&server);
    hanno.sign_up("hanno").await;
    send(
        &mut hanno,
        &format!("{}/join", league.path),
        &[("action", "join")],
    )
    .await;
    let groups = format!("{}/groups", league.path);
    let far = hanno
        .form(&groups, &[("action", "challenge"), ("opponent", "P00")])
        .await;
    assert_eq!(far.status, 422, "{}", far.text);
    send(
        &mut hanno,
        &groups,
        &[("action", "challenge"), ("opponent", "P02")],
    )
    .await;
    assert_contains(&league.page("/groups").await, "hanno challenges P02");
    let id = league.read("").await["members"][4]["id"].clone();
    send(
        &mut hanno,
        &groups,
        &[("action", "withdraw"), ("member", &text(&id))],
    )
    .await;
    send(
        &mut hanno,
        &groups,
        &[("action", "challenge"), ("opponent", "P03")],
    )
    .await;
    let tables = league.play(&TWO).await;
    assert_eq!(tables.len(), 1);
    assert_eq!(
        league.page("/groups").await.matches("challenges P").count(),
        0
    );
}

#[tokio::test]
async fn refused_forms_keep_what_was_written() {
    let server = TestServer::start();
    let mut league =
        Organized::begin(&server, &[("format", "swiss"), ("bye_points", "3")], 2).await;
    let at = |part: &str| format!("{}{part}", league.path);
    let (settings, season, results) = (
        at("/organize/settings"),
        at("/organize/season"),
        at("/results"),
    );
    let owner = &mut league.owner;
    let long = "x".repeat(65);
    let new = [
        ("action", "save"),
        ("name", &*long),
        ("description", "On Fridays."),
        ("joining", "approval"),
        ("question-0", "Which evenings?"),
        ("required-0", "yes"),
    ];
    let refused = owner.form(&settings, &new).await;
    assert_eq!(refused.status, 422);
    for part in [
        "On Fridays.",
        "Which evenings?",
        "value=\"approval\" selected",
    ] {
        assert_contains(&refused.text, part);
    }
    let begin = [("action", "begin"), ("season", &*long), ("same", "yes")];
    let refused = owner.form(&season, &begin).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, "name=\"same\" value=\"yes\" checked");
    // A rank without a name, and a board for two.
    let seat = |member, rank| [("member", member), ("nation", ""), ("rank", rank)];
    let enter = [("action", "enter"), ("board", "antike-east")];
    let unnamed = [&enter[..], &seat("P00", "1"), &seat("", "2")].concat();
    assert_eq!(owner.form(&results, &unnamed).await.status, 422);
    let duel = [("action", "enter"), ("board", "duellum-greece-persia")];
    let three = [
        &duel[..],
        &seat("P00", "1"),
        &seat("P01", "2"),
        &seat("P01", "3"),
    ]
    .concat();
    let refused = owner.form(&results, &three).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, "at most 2 seats");
}

#[tokio::test]
async fn an_old_form_does_not_undo_what_another_organizer_did() {
    let server = TestServer::start();
    let mut league = Organized::begin(&server, &[("format", "spread")], 0).await;
    let old = hidden(&league.page("/organize/settings").await);
    let save = |name| [("action", "save"), ("name", name), ("joining", "open")];
    league
        .send("/organize/settings", &save("Iberian Cup"))
        .await;
    let path = format!("{}/organize/settings", league.path);
    let fields = [&save("African Cup")[..], &borrowed(&old)].concat();
    let refused = league.owner.form(&path, &fields).await;
    assert_eq!(refused.status, 412);
    assert_contains(&refused.text, "Iberian Cup");
    let again = hidden(&refused.text);
    league
        .send(
            "/organize/settings",
            &[&save("African Cup")[..], &borrowed(&again)].concat(),
        )
        .await;
    let begin = [("action", "begin"), ("season", "Second"), ("same", "yes")];
    let old = hidden(&league.page("/organize/season").await);
    let fields = [&begin[..], &borrowed(&old)].concat();
    league.send("/organize/season", &fields).await;
    let path = format!("{}/organize/season", league.path);
    assert_eq!(league.owner.form(&path, &fields).await.status, 412);
    assert_eq!(array(&league.read("").await["seasons"]).len(), 2);
}

#[tokio::test]
async fn people_of_one_name_can_be_seated_and_substituted() {
    let server = TestServer::start();
    let mut league = Organized::begin(&server, &[("format", "spread")], 3).await;
    for name in ["Anna", "Anna", "Berta"] {
        league.add(name).await;
    }
    let members = league.read("").await["members"].take();
    let ids: Vec<String> = array(&members).iter().map(|one| text(&one["id"])).collect();
    league
        .send(
            "/organize/members",
            &[("action", "remove"), ("player", &ids[5])],
        )
        .await;
    league.add("Berta").await;
    // Names that are not unique are offered with ids.
    assert_contains(
        &league.page("/results").await,
        &format!("value=\"{}\">Anna", ids[3]),
    );
    let seat = |member, rank| [("member", member), ("nation", ""), ("rank", rank)];
    let enter = [("action", "enter"), ("board", "antike-east")];
    let fields = [&enter[..], &seat(&*ids[4], "1"), &seat("Berta", "2")].concat();
    league.send("/results", &fields).await;
    let seats = league.tables().await[0]["seats"].take();
    assert_eq!(seats[0]["members"][0]["id"], ids[4]);
    assert_ne!(seats[1]["members"][0]["id"], ids[5]);
    // A person without an account takes over the seat of a running game, with a token.
    let round = format!("{}/organize/round", league.path);
    let wanted = [&[("action", "preview"), ("round", "2")][..], &TWO].concat();
    let mut fields = hidden(&league.owner.form(&round, &wanted).await.text);
    fields.push(("action".to_owned(), "create".to_owned()));
    let created = league.owner.form(&round, &borrowed(&fields)).await;
    assert_eq!(
        hidden_choice(&created.text),
        "3",
        "the next round is proposed"
    );
    let table = league.tables().await.pop().unwrap();
    let path = format!("{}/tables/{}", league.path, table["table"]);
    let seated = array(&table["seats"]).iter();
    let seated: Vec<String> = seated.map(|seat| text(&seat["members"][0]["id"])).collect();
    let substitute = ids[..5].iter().find(|id| !seated.contains(id)).unwrap();
    let fields = [
        ("action", "substitute"),
        ("seat", "0"),
        ("member", &**substitute),
    ];
    let done = league.owner.form(&path, &fields).await;
    assert_eq!(done.status, 200, "{}", done.text);
    assert_contains(&done.text, "<code>tabularium_");
    let game = server
        .read(&format!("/v1/games/{}", text(&table["game"])))
        .await;
    let name = array(&members)
        .iter()
        .find(|one| one["id"] == **substitute)
        .unwrap()["name"]
        .clone();
    assert_eq!(game["seats"][0]["player"]["name"], name);
}
