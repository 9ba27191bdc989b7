use engine::record::Record;
use engine::*;
#[test]
fn random_games_replay() {
    let lib = Library::embedded();
    for seed in 0..20 {
        let setup = Setup {
            edition: "antike".into(),
            board: "antike-east".into(),
            ruleset_hash: None,
            board_hash: None,
            variants: vec![],
            seats: (0..4)
                .map(|_| SetupSeat {
                    nations: vec![],
                    player: Player::Bot {
                        name: "random".into(),
                    },
                })
                .collect(),
            seed: seed.to_string(),
            drawn: 0,
            first: None,
            max_rounds: Some(60),
            position: None,
        };
        let record = engine::bots::play(lib, &setup, "x", "2026-01-01T00:00:00Z").unwrap();
        println!(
            "{} {:?}",
            record.actions.len(),
            record.result.as_ref().unwrap()
        );
        record.verify(lib).unwrap();
        let text = record.to_text(lib).unwrap();
        if seed == 0 {
            println!("{}", &text[..3000]);
        }
        assert_eq!(Record::from_text(&text).unwrap(), record);
    }
}
