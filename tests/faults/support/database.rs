//! Databases that tests may stop, freeze, fill and damage.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

use super::{bots_program, program};

/// The database of a service. It is deleted when it is dropped, unless it is kept.
pub enum Database {
    /// A file.
    Sqlite(TempDir),
    /// A PostgreSQL server for this test.
    Postgres(Postgres),
    /// A file in a folder that is not deleted.
    Permanent(PathBuf),
}

impl Database {
    /// Creates an empty file.
    pub fn sqlite() -> Database {
        Database::Sqlite(tempfile::tempdir().expect("a folder"))
    }

    /// Starts an empty server.
    pub fn postgres() -> Database {
        Database::Postgres(Postgres::start())
    }

    /// Returns a folder that exists as long as the data.
    pub fn folder(&self) -> &Path {
        match self {
            Database::Sqlite(folder) => folder.path(),
            Database::Permanent(folder) => folder,
            Database::Postgres(server) => server.folder.path(),
        }
    }

    /// Returns the value of `--database`.
    pub fn url(&self) -> String {
        match self {
            Database::Sqlite(_) | Database::Permanent(_) => {
                format!("sqlite:{}", self.file().display())
            }
            Database::Postgres(server) => server.url(),
        }
    }

    /// Returns the file of a SQLite database.
    pub fn file(&self) -> PathBuf {
        self.folder().join("games.db")
    }

    /// Returns the folder with the facts of games.
    pub fn facts(&self) -> PathBuf {
        self.folder().join("games.db.facts")
    }

    /// Returns the file with the signing key.
    pub fn key(&self) -> PathBuf {
        self.folder().join("server.key")
    }

    /// Runs another command of the program on the database.
    pub fn command(&self, name: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program());
        command.arg(name).args(["--database", &self.url()]);
        let output = command.args(arguments).env("TABULARIUM_KEY", self.key());
        output.output().expect("the program runs")
    }

    /// Runs `tabularium verify` on the whole database.
    #[track_caller]
    pub fn verify(&self) {
        let Output { status, stderr, .. } = self.command("verify", &[]);
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "verify: {status}: {said}");
    }

    /// Imports games of bots with this many rounds. The seed distinguishes them from others.
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

    /// Returns the PostgreSQL server.
    pub fn server(&self) -> &Postgres {
        match self {
            Database::Postgres(server) => server,
            Database::Sqlite(_) | Database::Permanent(_) => panic!("it is a file"),
        }
    }
}

/// The folder of PostgreSQL's programs. The script installs them where they are missing.
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
    /// Creates a cluster and starts it.
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

    /// Builds the command for one of PostgreSQL's programs, run by the owner of the data.
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

    /// Starts the server, also after a stop.
    pub fn up(&self) {
        let sockets = self.folder.path().join("server");
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={} -c fsync=off",
            self.port,
            sockets.display()
        );
        let log = sockets.join("log");
        // The server would keep the pipe of its output open.
        let mut start = self.program("pg_ctl");
        start
            .args(["-w", "-l"])
            .arg(log)
            .args(["-o", &options, "start"]);
        start.stdout(std::process::Stdio::null());
        let status = start.stderr(std::process::Stdio::null()).status();
        assert!(status.expect("it runs").success(), "PostgreSQL starts");
    }

    /// Stops the server immediately, as a crash would.
    pub fn crash(&self) {
        run(self
            .program("pg_ctl")
            .args(["-m", "immediate", "-w", "stop"]));
    }

    /// Sends a signal to all its processes, `STOP` or `CONT`.
    fn signal(&self, signal: &str) {
        let file = std::fs::read_to_string(self.data().join("postmaster.pid"));
        let file = file.expect("it runs");
        let first = file.lines().next().expect("its process").to_owned();
        let others = run(Command::new("ps").args(["-o", "pid=", "--ppid", &first]));
        let mut processes = vec![first];
        processes.extend(others.split_whitespace().map(str::to_owned));
        // A process may end before the signal arrives.
        let _ = Command::new("kill")
            .arg(format!("-{signal}"))
            .args(processes)
            .output();
    }

    /// Freezes the server: connections stay open, but no request is answered.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    /// Resumes the server.
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

/// Runs a command that must succeed, and returns its output.
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
