//! Records of random games are preserved in all forms.

use engine::content::Library;
use engine::forms::digest_text;
use engine::setup::Player;
use records::{RECORD_FORMAT, Record, Signature, Source};

use crate::properties::walk::{Walk, rich_position, setups};

/// Checks that the record of a walk replays to the same digests, and is preserved in JSON and in text.
pub fn check_record(walk: &Walk) {
    let library = Library::embedded();
    let mut record = Record {
        format: RECORD_FORMAT.into(),
        id: "a game".into(),
        setup: walk.setup.clone(),
        actions: walk.actions.clone(),
        events: None,
        result: walk.game.result_body(&walk.state),
        digest: digest_text(walk.state.digest()),
        played_at: "2026-01-01T00:00:00Z".into(),
        source: Source::Import,
        rated: true,
        league: Some("a \"league\"\\\nwith lines\r\n".into()),
        signature: Some(Signature {
            key: "0123456789abcdef".into(),
            seq: 7,
            hash: "hash".into(),
            value: "value".into(),
        }),
    };
    record.setup.seats[0].player = Player::Person {
        id: "livia".into(),
        name: Some("Some \"Body\"\\ [of]\nRoma".into()),
    };
    record.setup.seats[1].player = Player::Bot {
        name: "greedy growth".into(),
    };
    let mut digests = Vec::new();
    let replayed = record.replay(library, |step| digests.push(step.state.digest()));
    let (_, state) = replayed.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(digests, walk.digests);
    assert_eq!(state, walk.state);

    let json = serde_json::to_string(&record).expect("it is JSON");
    assert_eq!(
        serde_json::from_str::<Record>(&json).expect("it reads"),
        record
    );
    let text = record.to_text(library).expect("it replays");
    assert_eq!(Record::from_text(&text).expect("it reads"), record);

    // An action that was undone stays in the record and changes nothing.
    record.actions.insert(1, format!("-{}", record.actions[0]));
    record.replay(library, |_| {}).expect("it replays");
    let text = record.to_text(library).expect("it replays");
    assert_eq!(Record::from_text(&text).expect("it reads"), record);

    // With the decks spelled out, the seed is not needed.
    if walk.game.rules.data.cards.is_some() {
        let mut spelled = record.clone();
        spelled.spell_out(library).expect("it replays");
        assert!(spelled.setup.deck.is_some());
        assert_eq!(
            spelled.setup.reshuffles.len(),
            usize::from(walk.state.cards.reshuffles)
        );
        let text = spelled.to_text(library).expect("it replays");
        assert_eq!(Record::from_text(&text).expect("it reads"), spelled);
        spelled.setup.seed.clear();
        spelled.replay(library, |_| {}).expect("it replays");
    }

    record.digest = digest_text(walk.state.digest() ^ 1);
    assert!(record.replay(library, |_| {}).is_err());
}

#[test]
fn whole_games_can_be_recorded_and_replayed() {
    for (index, setup) in setups().iter().enumerate() {
        for seed in 0..2 {
            let rich = rich_position(setup, &format!("record {index} {seed}"));
            for setup in [setup, &rich] {
                let mut setup = setup.clone();
                setup.max_rounds = Some(12);
                let mut walk = Walk::start(&setup, &format!("record {index} {seed}"));
                while !walk.is_over() {
                    walk.step();
                }
                check_record(&walk);
            }
        }
    }
}
