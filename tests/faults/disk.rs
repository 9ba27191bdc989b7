//! A disk that is full and has room again, and database files that are deleted under the service.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::support::{Client, Database, Program, figure, games, people, run, text, wait_until};

/// A folder with limited room: a file system of its own where that is permitted, otherwise a limit on the
/// size of files.
enum Disk {
    Mounted(PathBuf),
    Bounded,
}

impl Disk {
    fn small(database: &Database) -> Disk {
        let folder = database.folder();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]);
        let mounted = mount.arg(folder).output();
        match mounted.is_ok_and(|output| output.status.success()) {
            true => Disk::Mounted(folder.to_owned()),
            false => Disk::Bounded,
        }
    }

    /// Uses up the remaining room.
    fn fill(&self, program: &Program) {
        match self {
            // The write ends with an error when the disk is full.
            Disk::Mounted(folder) => {
                let mut fill = Command::new("dd");
                fill.args(["if=/dev/zero", "bs=4096"]);
                let _ = fill
                    .arg(format!("of={}", folder.join("filler").display()))
                    .output();
            }
            Disk::Bounded => program.bound_files("1"),
        }
    }

    fn free(&self, program: &Program) {
        match self {
            Disk::Mounted(folder) => {
                std::fs::remove_file(folder.join("filler")).expect("it was filled");
            }
            Disk::Bounded => program.bound_files("unlimited"),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if let Disk::Mounted(folder) = self {
            let _ = Command::new("umount").arg("-l").arg(folder).output();
        }
    }
}

/// Creates a game, which needs a write. Returns the status, or 0 without an answer.
async fn write(client: &Client) -> u16 {
    let request = client
        .request(reqwest::Method::POST, "/v1/games")
        .json(&people());
    client.send(request).await.map_or(0, |answer| answer.status)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_and_heals() {
    let case = "full disk";
    let database = Database::sqlite();
    let disk = Disk::small(&database);
    // A file that is too large is an error of the write, not the end of the process. The log is on the same
    // disk, and a request that cannot be logged is still answered.
    let program = Program::serve_as(&database, "127.0.0.1:0", "trap '' XFSZ", &[]);
    let client = program.client();
    let (path, created) = client.create(&people()).await;
    let (bots, _) = client.create(&games(2000)).await;
    assert!(client.is_ready().await);

    disk.fill(&program);
    // Existing files may have some room, but not for long.
    let full = async || {
        let status = write(&client).await;
        assert!(
            [201, 503].contains(&status),
            "a write is {status}: {}",
            program.read_log()
        );
        status == 503
    };
    assert!(wait_until(full).await.is_some(), "writes are never refused");
    let unready = async || {
        let answer = client.get("/readyz").await;
        answer.status == 503 && answer.text.contains("disk")
    };
    let noticed = wait_until(unready).await;
    for look in [path.as_str(), "/v1/games", "/healthz", "/v1/events?limit=5"] {
        assert_eq!(
            client.get(look).await.status,
            200,
            "{look} while the disk is full"
        );
    }
    let stands = client.seq(&bots).await.expect("the game is readable");

    disk.free(&program);
    let writes = wait_until(async || write(&client).await == 201).await;
    let ready = wait_until(async || client.is_ready().await).await;
    let moves = wait_until(async || {
        let game = client.get(&bots).await.ok(200);
        game["status"] == "finished" || game["seq"].as_u64() > Some(stands)
    });
    let moves = moves.await;
    figure(case, "not ready after", format!("{noticed:?}"));
    figure(case, "writes again after", format!("{writes:?}"));
    figure(case, "ready again after", format!("{ready:?}"));
    figure(case, "bots move again after", format!("{moves:?}"));
    assert!(
        writes.is_some() && ready.is_some(),
        "it does not heal: {}",
        program.read_log()
    );
    assert!(moves.is_some(), "the bots stand still at {stands}");
    assert!(noticed.is_some(), "/readyz stayed 200 with a full disk");
    let token = text(&created["tokens"]["seats"]["0"]);
    let resigns = json!({"type": "resign"});
    assert_eq!(
        client
            .post(&format!("{path}/actions"), &token, &resigns)
            .await
            .status,
        201
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_almost_full_disk_is_reported_before_writes_fail() {
    let database = Database::sqlite();
    let disk = Disk::small(&database);
    let Disk::Mounted(folder) = &disk else {
        figure(
            "almost full disk",
            "skipped",
            "no file system can be mounted here",
        );
        return;
    };
    let program = Program::serve(&database);
    let client = program.client();
    assert!(client.is_ready().await);
    disk.fill(&program);
    let filler = std::fs::File::options()
        .write(true)
        .open(folder.join("filler"));
    let filler = filler.expect("it was filled");
    let length = filler.metadata().expect("it is there").len();
    filler.set_len(length - (4 << 20)).expect("it can be cut");
    let noticed = wait_until(async || client.get("/readyz").await.status == 503).await;
    assert_eq!(write(&client).await, 201, "there is room for one more");
    let answer = client.get("/readyz").await;
    assert!(
        noticed.is_some() && answer.text.contains("bytes are free"),
        "{}",
        answer.text
    );
}

/// Checks that the service notices the missing file: it accepts no writes and ends with an error.
async fn assert_stops(case: &str, take: impl Fn(&Path)) {
    let database = Database::sqlite();
    let mut program = Program::serve(&database);
    let client = program.client();
    for _ in 0..3 {
        assert_eq!(write(&client).await, 201);
    }
    take(&database.file());
    let mut taken = 0;
    let ended = async || {
        taken += usize::from(write(&client).await == 201);
        client.try_get("/healthz").await.is_err()
    };
    let ended = wait_until(ended).await;
    figure(case, "writes taken afterwards", taken);
    figure(case, "ended after", format!("{ended:?}"));
    assert_eq!(taken, 0, "{case}: acknowledged, and on no disk");
    assert!(ended.is_some(), "{case}: it goes on");
    let (status, _) = program.ended().expect("the service did not stop");
    let said = program.read_log();
    assert!(
        !status.success() && status.code().is_some(),
        "{case}: {status}: {said}"
    );
    assert!(
        said.contains("deleted or replaced") && said.contains(&database.url()),
        "{case}: it does not say why, or which: {said}"
    );
    if database.file().exists() {
        program.again(&database);
        let games = program.client().get("/v1/games/count").await.ok(200);
        assert_eq!(games["count"], 3, "{case}: acknowledged, and lost");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_is_noticed() {
    assert_stops("deleted file", |file| {
        std::fs::remove_file(file).expect("it is there")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_file_is_noticed() {
    let replace = |file: &Path| {
        let copy = file.with_extension("copy");
        run(Command::new("cp").arg(file).arg(&copy));
        std::fs::rename(copy, file).expect("it is there");
    };
    assert_stops("replaced file", replace).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_log_is_noticed() {
    assert_stops("deleted log", |file| {
        std::fs::remove_file(file.with_extension("db-wal")).expect("it is there")
    })
    .await;
}

/// Without its lock, an older SQLite in another process, such as that of Debian 12, deletes the write-ahead log.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_leaves_the_lock_of_the_database() {
    let database = Database::sqlite();
    let backups = database.folder().join("backups");
    let options = ["--backup-folder", backups.to_str().expect("it is text")];
    let program = Program::serve_as(&database, "127.0.0.1:0", "", &options);
    let is_made = async || {
        let mut files = std::fs::read_dir(&backups).into_iter().flatten().flatten();
        files.any(|file| file.path().extension().is_some_and(|name| name == "json"))
    };
    assert!(wait_until(is_made).await.is_some(), "no backup is made");
    assert!(program.locks(&database.file()), "the lock is lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_service_leaves_one_complete_file() {
    let (database, copied) = (Database::sqlite(), Database::sqlite());
    let mut program = Program::serve(&database);
    for _ in 0..3 {
        assert_eq!(write(&program.client()).await, 201);
    }
    let (status, _) = program.terminate().expect("it stops");
    assert!(status.success(), "{}", program.read_log());
    std::fs::copy(database.file(), copied.file()).expect("it can be copied");
    let program = Program::serve(&copied);
    let games = program.client().get("/v1/games/count").await.ok(200);
    assert_eq!(games["count"], 3, "the copy is not complete");
}
