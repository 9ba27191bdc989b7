//! Signatures of records and checkpoints: what they cover, and that their bytes never change.

use crate::support::golden;
use engine::content::Library;
use records::{
    Checkpoint, CheckpointError, CoveredLeagues, EventRow, LeagueSignature, LeagueSignatureError,
    PublicKey, PublicKeys, Record, Root, SecretKey, SignatureStatus, chained_places,
};

fn key() -> SecretKey {
    SecretKey::from_seed(&[7; 32])
}

fn keys(of: &[&SecretKey]) -> PublicKeys {
    let mut keys = PublicKeys::default();
    for key in of {
        keys.add(key.public());
    }
    keys
}

/// A golden record, signed at the end of a log of two rows.
fn signed() -> Record {
    let mut record = golden::records()
        .remove("east_3_goal_12")
        .expect("it is there");
    let row = |seq: u64, notation: &str| EventRow {
        seq,
        turn: 0,
        player: None,
        nation: None,
        notation: notation.into(),
        digest: "0".repeat(16),
        at: "2026-01-02T03:04:05Z".into(),
        hash: String::new(),
    };
    let first = row(0, "{}").chained(None);
    let second = row(1, "end").chained(Some(&first.hash));
    let hash = second.hash.clone();
    record.events = Some(vec![first, second]);
    record.signature = Some(record.sign(&key(), 1, &hash).unwrap());
    record
}

#[track_caller]
fn is_wrong(record: &Record) {
    let said = record.check_signature(&keys(&[&key()])).unwrap();
    assert!(matches!(said, SignatureStatus::Invalid { .. }), "{said:?}");
}

#[test]
fn keys_are_those_of_rfc_8032() {
    // Section 7.1, test 2.
    let mut seed = [0; 32];
    let text = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
    hex::decode_to_slice(text, &mut seed).unwrap();
    let key = SecretKey::from_seed(&seed);
    let public = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    assert_eq!(key.public().to_string(), public);
    let value = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                 085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
    assert_eq!(key.sign("r"), value);
    assert!(key.public().verifies("r", value));
    assert!(!key.public().verifies("s", value));
    assert!(!key.public().verifies("r", &value[1..]));
    assert!(
        !format!("{key:?}").contains(text),
        "the secret key is printed"
    );
}

/// A record that does not depend on the rules, with characters that JSON can write in several ways.
const LASTING: &str = r#"{"format":"tabularium-record/1","id":"one","setup":{"edition":"antike",
    "board":"antike-east","variants":[],"seats":[{"nations":["greeks"],"player":{"kind":"person",
    "id":"a","name":"Hanno \"\\/\u0001\n\u00e9\u263a"}},{"nations":["arabs"],"player":{"kind":"bot",
    "name":"greedy"}}],"seed":"7","drawn":3},"actions":["stone iron","-end","end"],
    "result":{"reason":"goal","ranks":[{"seat":0,"nations":["greeks"],"rank":1,"points":9,
    "share":1.0},{"seat":1,"nations":["arabs"],"rank":2,"points":5,"share":0.0}]},
    "digest":"0123456789abcdef","played_at":"2026-01-02T03:04:05Z","source":"service","rated":true}"#;

#[test]
fn the_bytes_that_are_signed_never_change() {
    let record: Record = serde_json::from_str(LASTING).unwrap();
    let content = "2bd0d0ca1d9e2e5ef9e5dbc56f4c345200737edb67b8d1c705f7e2e257f04fca";
    assert_eq!(record.content_hash().unwrap(), content);
    let signature = record.sign(&key(), 3, &"ab".repeat(32)).unwrap();
    let value = "e33845dc09718e64d3538cabd0607d0f8b331e5c8d4a9fe5ebcd33d4ce3e861f92d84cd6713694ad23eca901ee1c3397075960f2a21c2538c15b4cfe01ca3e05";
    assert_eq!(
        signature.to_string(),
        format!("fe812c12f3ab4ce6 3 {} {value}", "ab".repeat(32))
    );
    let mut root = Root::default();
    root.add("one", 3, "aa");
    root.add("two", 0, "bb");
    let first = checkpoint(1, root).signed(None, &key());
    let root = "c1b74a20c18f7879b4d092fb60a7bbc814fb06fda319f2466e96700b415b07a9";
    assert_eq!(first.root, root);
    let hash = "38a0688b3b97b87eca71b191b5ade70b9da2d6b6a743639569d8985e7746497b";
    assert_eq!(first.hash(), hash);
    let places = chained_places(Some(&chained_places(None, 1, 0)), 4, 9);
    assert_eq!(
        places,
        "2ea869d49af1acac663c5418a3570792b6a3c03b2cc4f2935c0d83b24ae21ba1"
    );
    let log = LeagueSignature::sign("one", 1, &"ab".repeat(32), &places, &key());
    let value = "64b537e49a71d1eb0cb7171a0a09dae66d5d4fb985e2dda1139053f9e3321a5df82d084470f2c4529cc24ebfb6ec8a044a6bbd452d6d82fdfc9411f7a4574c08";
    assert_eq!(log.value, value);
}

#[test]
fn the_signature_of_a_league_binds_its_log_and_places() {
    let keys = keys(&[&key()]);
    let (hash, places) = ("ab".repeat(32), "cd".repeat(32));
    let log = LeagueSignature::sign("one", 1, &hash, &places, &key());
    assert_eq!(log.check("one", 1, &hash, &places, &keys), Ok(()));
    let id = key().public().id();
    let other_log = Err(LeagueSignatureError::Log(id.clone()));
    assert_eq!(log.check("two", 1, &hash, &places, &keys), other_log);
    assert_eq!(log.check("one", 2, &hash, &places, &keys), other_log);
    assert_eq!(log.check("one", 1, &places, &places, &keys), other_log);
    let other_places = Err(LeagueSignatureError::Places(id.clone()));
    assert_eq!(log.check("one", 1, &hash, &hash, &keys), other_places);
    let altered = LeagueSignature {
        places: hash.clone(),
        ..log.clone()
    };
    assert_eq!(altered.check("one", 1, &hash, &hash, &keys), other_log);
    let unknown = Err(LeagueSignatureError::UnknownKey(id));
    let none = PublicKeys::default();
    assert_eq!(log.check("one", 1, &hash, &places, &none), unknown);
}

#[test]
fn a_signature_says_by_whom_a_record_is_signed() {
    let mut record = signed();
    let other = SecretKey::from_seed(&[8; 32]);
    let id = key().public().id();
    let said = |record: &Record, of: &[&SecretKey]| record.check_signature(&keys(of)).unwrap();
    assert_eq!(
        said(&record, &[&key(), &other]),
        SignatureStatus::Valid(id.clone())
    );
    assert_eq!(
        said(&record, &[&other]),
        SignatureStatus::UnknownKey(id.clone())
    );
    // Without its log, and as text, it is proved as well.
    record.events = None;
    assert_eq!(said(&record, &[&key()]), SignatureStatus::Valid(id.clone()));
    let text = record.to_text(Library::embedded()).unwrap();
    let read = Record::from_text(&text).unwrap();
    assert_eq!(said(&read, &[&key()]), SignatureStatus::Valid(id));
    record.signature = None;
    assert_eq!(said(&record, &[&key()]), SignatureStatus::Unsigned);
}

#[test]
fn whatever_is_altered_the_signature_is_wrong() {
    type Forgery = fn(&mut Record);
    let forgeries: &[Forgery] = &[
        |record| record.id.push('x'),
        |record| record.setup.edition.push('x'),
        |record| record.setup.seed.push('x'),
        |record| record.setup.seats.swap(0, 1),
        |record| record.setup.max_rounds = Some(999),
        |record| record.actions[5].push('x'),
        |record| drop(record.actions.pop()),
        |record| record.actions.push("end".into()),
        |record| record.result.as_mut().unwrap().ranks.swap(0, 1),
        |record| record.result.as_mut().unwrap().ranks[0].points += 1,
        |record| record.result.as_mut().unwrap().ranks[0].rank += 1,
        |record| record.result = None,
        |record| record.digest.push('x'),
        |record| record.played_at.push('x'),
        |record| record.source = records::Source::Import,
        |record| record.rated = !record.rated,
        |record| record.league = Some("another".into()),
        |record| record.signature.as_mut().unwrap().seq += 1,
        |record| record.signature.as_mut().unwrap().hash = "0".repeat(64),
        |record| record.signature.as_mut().unwrap().value = "0".repeat(128),
        |record| drop(record.events.as_mut().unwrap().pop()),
        |record| record.events.as_mut().unwrap()[1].hash = "0".repeat(64),
        |record| record.events = Some(Vec::new()),
    ];
    for forge in forgeries {
        let mut record = signed();
        forge(&mut record);
        is_wrong(&record);
    }
    // The complete signature of another record.
    let mut record = signed();
    record.events = None;
    record.actions[0].push('x');
    is_wrong(&record);
}

#[test]
fn the_share_of_a_win_follows_from_the_ranks_and_is_not_signed() {
    let mut record = signed();
    let content = record.content_hash().unwrap();
    record.result.as_mut().unwrap().ranks[0].share = 0.25;
    assert_eq!(record.content_hash().unwrap(), content);
    record.events = None;
    record.signature = None;
    assert_eq!(record.content_hash().unwrap(), content);
}

#[test]
fn every_golden_record_hashes_the_same_when_it_is_read_again() {
    for (name, record) in golden::records() {
        let content = record.content_hash().unwrap();
        let text = record.to_text(Library::embedded()).unwrap();
        let read = Record::from_text(&text).unwrap();
        assert_eq!(read.content_hash().unwrap(), content, "{name} as text");
        let json = serde_json::to_string(&record).unwrap();
        let read: Record = serde_json::from_str(&json).unwrap();
        assert_eq!(read.content_hash().unwrap(), content, "{name} as JSON");
        // Numbers with fractions are written differently by different programs.
        let mut value = serde_json::to_value(&record).unwrap();
        value["result"] = serde_json::Value::Null;
        assert!(!has_fraction(&value), "{name}");
    }
}

fn has_fraction(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Number(number) => number.is_f64(),
        serde_json::Value::Array(items) => items.iter().any(has_fraction),
        serde_json::Value::Object(fields) => fields.values().any(has_fraction),
        _ => false,
    }
}

fn checkpoint(number: u64, root: Root) -> Checkpoint {
    let (games, root) = root.finish();
    Checkpoint {
        number,
        at: "2026-01-02T03:04:05Z".into(),
        position: 10 * number,
        games,
        root,
        previous: None,
        key: String::new(),
        value: String::new(),
        leagues: None,
    }
}

#[test]
fn what_a_checkpoint_says_of_leagues_is_signed_beside_all_else() {
    let known = keys(&[&key()]);
    let covers = |number, position| {
        let mut root = Root::default();
        root.add("0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77", 3, &"a".repeat(64));
        let (leagues, root) = root.finish();
        let value = String::new();
        Checkpoint {
            leagues: Some(CoveredLeagues {
                position,
                leagues,
                root,
                value,
            }),
            ..checkpoint(number, Root::default())
        }
    };
    let bare = checkpoint(1, Root::default()).signed(None, &key());
    let first = covers(1, 4).signed(None, &key());
    assert_eq!(first.check(None, &known), Ok(()));
    // A program without leagues sees the same, and can continue with it.
    assert_eq!((&first.value, first.hash()), (&bare.value, bare.hash()));
    let json = serde_json::to_value(&bare).unwrap();
    assert!(json.get("leagues").is_none(), "{json}");
    for next in [covers(2, 4), checkpoint(2, Root::default())] {
        let next = next.signed(Some(&first), &key());
        assert_eq!(next.check(Some(&first), &known), Ok(()));
        assert_eq!(next.check(Some(&bare), &known), Ok(()));
    }
    let back = covers(2, 3).signed(Some(&first), &key());
    let chain = Err(CheckpointError::Chain { number: 2 });
    assert_eq!(back.check(Some(&first), &known), chain);
    type Forgery = fn(&mut CoveredLeagues);
    let forgeries: &[Forgery] = &[
        |leagues| leagues.position += 1,
        |leagues| leagues.leagues += 1,
        |leagues| leagues.root = "0".repeat(64),
        |leagues| leagues.value = "0".repeat(128),
    ];
    for forge in forgeries {
        let mut forged = first.clone();
        forged.leagues.iter_mut().for_each(forge);
        let said = forged.check(None, &known);
        assert!(matches!(said, Err(CheckpointError::Leagues { .. })));
    }
    // The part for leagues of another checkpoint does not match.
    let mut forged = covers(2, 4).signed(Some(&first), &key());
    forged.leagues.clone_from(&first.leagues);
    let said = forged.check(Some(&first), &known);
    assert!(matches!(said, Err(CheckpointError::Leagues { .. })));
    // These bytes never change.
    let value = &first.leagues.unwrap().value;
    let expected = "256daaecced9844608e433a1262a8fc636d3d511000f4ca3382d0697304ec8dae\
        c1fc7ffa124eb82c1cab2c9d6bc3f78ce97dd81507228458e7f396ffc8d3f04";
    assert_eq!(value, expected);
}

#[test]
fn checkpoints_follow_from_each_other() {
    let known = keys(&[&key()]);
    let first = checkpoint(1, Root::default()).signed(None, &key());
    let second = checkpoint(2, Root::default()).signed(Some(&first), &key());
    assert_eq!(first.check(None, &known), Ok(()));
    assert_eq!(second.check(Some(&first), &known), Ok(()));
    let chain = |number| Err(CheckpointError::Chain { number });
    assert_eq!(second.check(None, &known), chain(2));
    assert_eq!(first.check(Some(&second), &known), chain(1));
    // Another first checkpoint by the same key.
    let mut other = first.clone();
    other.games = 5;
    let other = other.signed(None, &key());
    assert_eq!(second.check(Some(&other), &known), chain(2));

    type Forgery = fn(&mut Checkpoint);
    let forgeries: &[Forgery] = &[
        |one| one.number += 1,
        |one| one.at.push('x'),
        |one| one.position += 1,
        |one| one.games += 1,
        |one| one.root = "0".repeat(64),
        |one| one.previous = None,
        |one| one.value = "0".repeat(128),
    ];
    for forge in forgeries {
        let mut forged = second.clone();
        forge(&mut forged);
        let said = forged.check(Some(&first), &known);
        assert!(matches!(said, Err(CheckpointError::Signature { .. })));
    }
    let strangers = keys(&[&SecretKey::from_seed(&[8; 32])]);
    let said = second.check(Some(&first), &strangers);
    assert!(matches!(said, Err(CheckpointError::UnknownKey { .. })));
}

#[test]
fn lists_of_keys_are_read_from_lines_and_from_json() {
    let public = key().public();
    let (id, text) = (public.id(), public.to_string());
    let lines = format!("# the server\n\n  {text}\n");
    let read: PublicKeys = lines.parse().unwrap();
    assert_eq!(read, keys(&[&key()]));
    let json = format!(
        "{{\"items\": [{{\"id\": \"{id}\", \"public_key\": \"{text}\", \"retired_at\": null}}]}}"
    );
    assert_eq!(json.parse::<PublicKeys>().unwrap(), read);
    let wrong_id = json.replace(&id, "0000000000000000");
    for bad in [
        "",
        "# none\n",
        "{}",
        "{\"items\": []}",
        &text[1..],
        &wrong_id,
    ] {
        bad.parse::<PublicKeys>().unwrap_err();
    }
    // Not every text of the form is a point of the curve.
    let no_point = format!("02{}", "0".repeat(62));
    assert!(no_point.parse::<PublicKey>().is_err());
}
