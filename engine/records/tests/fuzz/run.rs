//! Runs a target: its regressions, its unchanged corpus, then changed inputs from a seed.

use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::panic::{catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use engine::content::ContentHash;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::changes::{Change, change, changed, words};

/// No input takes longer than this, even on a busy machine.
const HANG: Duration = Duration::from_secs(60);

/// The maximum time for reducing a failing input.
const SHRINKING: Duration = Duration::from_secs(30);

/// The form of a target's inputs, which determines how they are changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Words in lines.
    Lines,
    /// A JSON value.
    Json,
}

/// How far an input got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// It was not parsed.
    Refused,
    /// It was parsed, and its content was rejected.
    Read,
    /// It was accepted, and all properties hold.
    Accepted,
}

/// A parser of external data.
#[derive(Clone)]
pub struct Target {
    /// The name of the test and of the folder of its regressions.
    pub name: &'static str,
    /// How its inputs are changed.
    pub shape: Shape,
    /// Inputs that are accepted.
    pub corpus: Vec<String>,
    /// The number of changed inputs without a time limit.
    pub cases: u32,
    /// Panics when a property does not hold.
    pub check: fn(&str) -> Reached,
}

/// The summary of a run.
#[derive(Default)]
struct Tally {
    cases: u32,
    read: u32,
    accepted: u32,
}

/// The current input, and when its test began.
type Current = Arc<Mutex<(Instant, String)>>;

/// Runs a target from the seed in `FUZZ_SEED`, for `FUZZ_SECONDS` if set.
///
/// # Panics
/// At the first input that violates a property or hangs, after writing it to a file.
pub fn run(target: &Target) {
    for path in regressions(target.name) {
        let text = std::fs::read_to_string(&path).expect("a regression is UTF-8");
        if let Err(message) = attempt(target, &text) {
            panic!("the regression {} fails: {message}", path.display());
        }
    }
    for text in &target.corpus {
        let reached = attempt(target, text);
        assert_eq!(reached, Ok(Reached::Accepted), "{text}");
    }
    let number = |name: &str| -> Option<u64> {
        let text = std::env::var(name).ok()?;
        let number = text.parse();
        Some(number.unwrap_or_else(|_| panic!("{name} is not a number: {text:?}")))
    };
    let seconds = number("FUZZ_SECONDS").map(Duration::from_secs);
    let seed = number("FUZZ_SEED").unwrap_or_else(|| match seconds {
        None => 0,
        Some(_) => RandomState::new().hash_one(target.name),
    });
    let (begun, name) = (Instant::now(), target.name);
    println!("{name}: seed {seed}");
    let Tally {
        cases,
        read,
        accepted,
    } = watched(target, seed, seconds);
    let took = begun.elapsed();
    println!("{name}: {cases} inputs, {read} read, {accepted} of them accepted, in {took:.1?}");
    assert!(
        seconds.is_some() || accepted * 20 > cases && accepted < cases,
        "changes are too wild or too tame: {accepted} of {cases} accepted"
    );
}

/// Tries changed inputs in a thread of its own, so that one that hangs is found.
fn watched(target: &Target, seed: u64, seconds: Option<Duration>) -> Tally {
    let current = Current::new(Mutex::new((Instant::now(), String::new())));
    let (worker_target, worker_current) = (target.clone(), current.clone());
    let worker = thread::spawn(move || fuzz(&worker_target, seed, seconds, &worker_current));
    while !worker.is_finished() {
        thread::sleep(Duration::from_millis(20));
        let (since, text) = &*current.lock().expect("it is only set");
        if since.elapsed() > HANG {
            fail(target.name, seed, text, "it hangs");
        }
    }
    match worker.join().expect("panics are caught in it") {
        Ok(tally) => tally,
        Err((text, message)) => fail(target.name, seed, &text, &message),
    }
}

fn fuzz(
    target: &Target,
    seed: u64,
    seconds: Option<Duration>,
    current: &Current,
) -> Result<Tally, (String, String)> {
    let words = words(&target.corpus);
    let corpus = &target.corpus;
    let from = (0..corpus.len()).no_shrink();
    let inputs = (from, prop::collection::vec(change(), 1..3));
    let key = ContentHash::compute(&format!("{} {seed}", target.name)).to_string();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key.as_bytes()[..32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let text_of = |(from, changes): &(usize, Vec<Change>)| {
        let change = |text, change: &Change| changed(text, change, target.shape, &words, corpus);
        changes.iter().fold(corpus[*from].clone(), change)
    };
    let tried = |text: &str| {
        *current.lock().expect("it is only read") = (Instant::now(), text.to_owned());
        attempt(target, text)
    };
    let begun = Instant::now();
    let mut tally = Tally::default();
    while match seconds {
        None => tally.cases < target.cases,
        Some(seconds) => begun.elapsed() < seconds,
    } {
        let mut tree = inputs.new_tree(&mut runner).expect("nothing is filtered");
        let text = text_of(&tree.current());
        tally.cases += 1;
        match tried(&text) {
            Ok(Reached::Refused) => {}
            Ok(Reached::Read) => tally.read += 1,
            Ok(Reached::Accepted) => {
                tally.read += 1;
                tally.accepted += 1;
            }
            Err(message) => {
                let mut smallest = (text, message);
                let failed = Instant::now();
                let mut goes_on = tree.simplify();
                while goes_on && failed.elapsed() < SHRINKING {
                    let text = text_of(&tree.current());
                    goes_on = match tried(&text) {
                        Ok(_) => tree.complicate(),
                        Err(message) => {
                            smallest = (text, message);
                            tree.simplify()
                        }
                    };
                }
                return Err(smallest);
            }
        }
    }
    Ok(tally)
}

thread_local! {
    /// The place and message of a panic of the current input.
    static PANICKED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Returns how far an input gets, or the place and message of its panic.
/// Reducing an input causes many panics, of which only the last one is reported.
fn attempt(target: &Target, text: &str) -> Result<Reached, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| match PANICKED.take() {
            Some(_) => PANICKED.set(Some(panic.to_string())),
            None => others(panic),
        }));
    });
    PANICKED.set(Some(String::new()));
    let reached = catch_unwind(|| (target.check)(text));
    let panicked = PANICKED.take();
    reached.map_err(|_| {
        let message = panicked.unwrap_or_default();
        message.chars().take(2000).collect()
    })
}

/// Writes a failing input to a file, and prints its path.
fn fail(name: &str, seed: u64, text: &str, message: &str) -> ! {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).expect("a folder for failing inputs");
    let hash = ContentHash::compute(text).to_string();
    let path = folder.join(format!("{name}-{}.txt", &hash[..12]));
    std::fs::write(&path, text).expect("a file for the failing input");
    panic!(
        "{message}\n{name}, seed {seed}: the input is in {}; put it into \
         engine/records/tests/fuzz/regressions/{name}/ under a name that says what it shows",
        path.display()
    );
}

/// The inputs that failed in earlier runs.
fn regressions(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/regressions");
    let entries = std::fs::read_dir(folder.join(name)).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
}
