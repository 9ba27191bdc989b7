//! Databases that tests may stop, freeze, fill and damage.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

use super::{bots_program, program};

/// Where a service keeps its data. Everything but what is kept is gone when it is dropped.
pub enum Database {
    /// A file.
    Sqlite(TempDir),
    /// A server of its own.
    Postgres(Postgres),
    /// A file in a folder that stays.
    Kept(PathBuf),
}

impl Database {
    /// An empty file.
    pub fn sqlite() -> Database {
        Database::Sqlite(tempfile::tempdir().expect("a folder"))
    }

    /// An empty server.
    pub fn postgres() -> Database {
        Database::Postgres(Postgres::start())
    }

    /// A folder that lasts as long as the data.
    pub fn folder(&self) -> &Path {
        match self {
            Database::Sqlite(folder) => folder.path(),
            Database::Kept(folder) => folder,
            Database::Postgres(server) => server.folder.path(),
        }
    }

    /// For `--database`.
    pub fn url(&self) -> String {
        match self {
            Database::Sqlite(_) | Database::Kept(_) => format!("sqlite:{}", self.file().display()),
            Database::Postgres(server) => server.url(),
        }
    }

    /// The file of a SQLite database.
    pub fn file(&self) -> PathBuf {
        self.folder().join("games.db")
    }

    /// Where the facts of games in a file lie.
    pub fn facts(&self) -> PathBuf {
        self.folder().join("games.db.facts")
    }

    /// Where the office's key lies.
    pub fn key(&self) -> PathBuf {
        self.folder().join("office.key")
    }

    /// Runs another command of the program on it.
    pub fn command(&self, name: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program());
        command.arg(name).args(["--database", &self.url()]);
        let output = command.args(arguments).env("TABULARIUM_KEY", self.key());
        output.output().expect("the program runs")
    }

    /// `tabularium verify` of all of it.
    #[track_caller]
    pub fn verify(&self) {
        let Output { status, stderr, .. } = self.command("verify", &[]);
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "verify: {status}: {said}");
    }

    /// Puts games of bots with this many rounds into it; their seed tells them apart from others.
    #[track_caller]
    pub fn import(&self, games: usize, rounds: usize, seed: u64) {
        let file = self.folder().join(format!("import-{seed}.ndjson"));
        let mut simulate = Command::new(bots_program());
        simulate.args(["simulate", "--bots", "greedy", "--seed", &seed.to_string()]);
        simulate.args(["--games", &games.to_string()]);
        simulate.args(["--max-rounds", &rounds.to_string(), "--out"]);
        run(simulate.arg(&file));
        let name = file.display().to_string();
        let Output { status, stderr, .. } = self.command("import", &[&name]);
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "import: {status}: {said}");
    }

    /// The server.
    pub fn server(&self) -> &Postgres {
        match self {
            Database::Postgres(server) => server,
            Database::Sqlite(_) | Database::Kept(_) => panic!("it is a file"),
        }
    }
}

/// The folder of PostgreSQL's programs. The script installs it where it is missing.
static PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/with-postgres");
    run(Command::new(script).arg("--programs")).trim().into()
});

/// A PostgreSQL server on loopback.
pub struct Postgres {
    folder: TempDir,
    port: u16,
    root: bool,
}

impl Postgres {
    /// Makes a cluster and starts it.
    pub fn start() -> Postgres {
        let folder = tempfile::tempdir().expect("a folder");
        let root = run(Command::new("id").arg("-u")).trim() == "0";
        if root {
            run(Command::new("chmod").arg("755").arg(folder.path()));
            run(Command::new("mkdir").arg(folder.path().join("server")));
            run(Command::new("chown")
                .arg("postgres")
                .arg(folder.path().join("server")));
        } else {
            std::fs::create_dir(folder.path().join("server")).expect("a folder");
        }
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        drop(listener);
        let server = Postgres { folder, port, root };
        let options = ["-U", "tabularium", "-A", "trust", "-E", "UTF8", "--no-sync"];
        run(server.program("initdb").args(options));
        server.up();
        server
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("server/data")
    }

    /// One of its programs, run by its owner, on its data.
    fn program(&self, name: &str) -> Command {
        let path = PROGRAMS.join(name);
        let mut command = match self.root {
            // PostgreSQL does not run as root.
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--"]).arg(path);
                command
            }
            false => Command::new(path),
        };
        command.current_dir("/").arg("-D").arg(self.data());
        command
    }

    fn url(&self) -> String {
        format!("postgres://tabularium@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts it (again).
    pub fn up(&self) {
        let sockets = self.folder.path().join("server");
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={} -c fsync=off",
            self.port,
            sockets.display()
        );
        let log = sockets.join("log");
        // Its output would be kept open by the server.
        let mut start = self.program("pg_ctl");
        start
            .args(["-w", "-l"])
            .arg(log)
            .args(["-o", &options, "start"]);
        start.stdout(std::process::Stdio::null());
        let status = start.stderr(std::process::Stdio::null()).status();
        assert!(status.expect("it runs").success(), "PostgreSQL starts");
    }

    /// Stops it at once, as a crash would.
    pub fn crash(&self) {
        run(self
            .program("pg_ctl")
            .args(["-m", "immediate", "-w", "stop"]));
    }

    /// Sends all its processes a signal, `STOP` or `CONT`.
    fn signal(&self, signal: &str) {
        let file = std::fs::read_to_string(self.data().join("postmaster.pid"));
        let file = file.expect("it runs");
        let first = file.lines().next().expect("its process").to_owned();
        let others = run(Command::new("ps").args(["-o", "pid=", "--ppid", &first]));
        let mut processes = vec![first];
        processes.extend(others.split_whitespace().map(str::to_owned));
        // One may end by itself before the signal reaches it.
        let _ = Command::new("kill")
            .arg(format!("-{signal}"))
            .args(processes)
            .output();
    }

    /// Freezes it: connections stay, nothing answers.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal("CONT");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.data().join("postmaster.pid").exists() {
            self.thaw();
            let _ = self
                .program("pg_ctl")
                .args(["-m", "immediate", "-w", "stop"])
                .output();
        }
    }
}

/// Runs a command that must succeed: what it wrote.
#[track_caller]
pub fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {}: {said}",
        output.status
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
