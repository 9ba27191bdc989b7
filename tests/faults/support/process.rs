//! The program as a process: started, watched, frozen, killed.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::database::run;
use super::{Client, Database, PATIENCE};

/// Returns the program under test: the built one, or the one that `TABULARIUM_PROGRAM` names, such as an older
/// one to compare with.
pub fn program() -> PathBuf {
    let named = std::env::var_os("TABULARIUM_PROGRAM");
    named.map_or_else(|| env!("CARGO_BIN_EXE_tabularium").into(), PathBuf::from)
}

/// Returns the program that lets bots play. Cargo builds it for the tests of the whole workspace.
#[track_caller]
pub fn bots_program() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_tabularium")).with_file_name("tabularium-bots");
    let missing = "is missing; `cargo test --workspace --no-run` builds it";
    assert!(path.exists(), "{} {missing}", path.display());
    path
}

/// Settings without limits: all clients of a test have one address, and its games are long, so requests are not
/// counted by address, and games and threads are unlimited. A shell command before the service can `unset` one.
const UNBOUNDED: [(&str, &str); 4] = [
    ("TABULARIUM_UNMETERED", "true"),
    ("TABULARIUM_LIMIT_DELAY", "0"),
    ("TABULARIUM_LIMIT_ROUNDS", "0"),
    ("TABULARIUM_LIMIT_EVENTS", "0"),
];

/// Raises the limit of open files to what thousands of connections need, or as far as the system permits.
pub const MANY_FILES: &str = "ulimit -n 32768 || ulimit -n \"$(ulimit -H -n)\"";

/// A running `tabularium serve`. It is killed when it is dropped.
pub struct Program {
    child: Child,
    address: String,
    log: PathBuf,
}

impl Program {
    /// Starts the service on a free port and waits until it listens.
    pub fn serve(database: &Database) -> Program {
        Program::serve_as(database, "127.0.0.1:0", "", &[])
    }

    /// Starts the service at an address, within a shell that has run `limits` (such as `ulimit -n 200`), with
    /// further options.
    #[track_caller]
    pub fn serve_as(database: &Database, listen: &str, limits: &str, options: &[&str]) -> Program {
        let log = database
            .folder()
            .join(format!("serve-{}.log", fastrand::u32(..)));
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(format!("{limits}\nexec \"$0\" \"$@\""))
            .arg(program())
            .args(["serve", "--listen", listen, "--database", &database.url()])
            .args(["--key".as_ref(), database.key().as_os_str()])
            .args(options)
            .envs(UNBOUNDED)
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("a file for the log"))
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        let _ = BufReader::new(stdout).read_line(&mut line);
        let address = line.trim().strip_prefix("listening on ");
        let Some(address) = address.map(str::to_owned) else {
            let _ = child.kill();
            let said = fs::read_to_string(&log).unwrap_or_default();
            panic!("the service does not start: {line}{said}");
        };
        Program {
            child,
            address,
            log,
        }
    }

    /// Starts the service again at the same address after it has stopped.
    #[track_caller]
    pub fn again(&mut self, database: &Database) {
        let listen = self.socket().to_owned();
        *self = Program::serve_as(database, &listen, "", &[]);
    }

    /// Creates a client of the service.
    pub fn client(&self) -> Client {
        Client::new(&self.address)
    }

    /// Returns its address as `HOST:PORT`.
    pub fn socket(&self) -> &str {
        self.address.trim_start_matches("http://")
    }

    /// Kills it (SIGKILL) and waits for its end.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends it a signal such as `TERM` or `STOP`.
    pub fn signal(&self, signal: &str) {
        run(Command::new("kill").args([&format!("-{signal}"), &self.child.id().to_string()]));
    }

    /// Limits the size of the files that it writes, in bytes or `unlimited`.
    pub fn bound_files(&self, bytes: &str) {
        let process = self.child.id().to_string();
        run(Command::new("prlimit").args([
            "--pid",
            &process,
            &format!("--fsize={bytes}:unlimited"),
        ]));
    }

    /// Stops it with SIGTERM and waits. Returns its exit status and the time that it took.
    pub fn terminate(&mut self) -> Option<(ExitStatus, Duration)> {
        self.signal("TERM");
        self.ended()
    }

    /// Waits for its end, at most two minutes. Returns its exit status and the time that it took.
    pub fn ended(&mut self) -> Option<(ExitStatus, Duration)> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("it is a child") {
                return Some((status, begun.elapsed()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// Reads its log.
    pub fn read_log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Returns the file of its log.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Reads a line of `/proc/PID/status`, such as `VmRSS`, in MiB.
    fn memory(&self, name: &str) -> u64 {
        let status = fs::read_to_string(self.proc("status")).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
    }

    /// Returns true if it holds a POSIX lock of the file.
    pub fn locks(&self, file: &Path) -> bool {
        let inode = fs::metadata(file).expect("the file is there").ino();
        let (owner, file) = (self.child.id().to_string(), format!(":{inode}"));
        let locks = fs::read_to_string("/proc/locks").expect("the system lists its locks");
        locks.lines().any(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            fields.contains(&"POSIX") && fields[4] == owner && fields[5].ends_with(&file)
        })
    }

    /// Returns its resident memory in MiB.
    pub fn resident(&self) -> u64 {
        self.memory("VmRSS:")
    }

    /// Returns the peak of its resident memory since [`Program::forget_peak`], in MiB.
    pub fn peak(&self) -> u64 {
        self.memory("VmHWM:")
    }

    /// Restarts the measurement of the peak.
    pub fn forget_peak(&self) {
        fs::write(self.proc("clear_refs"), "5").expect("the process is ours");
    }

    /// Returns the CPU time that it has used.
    pub fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(self.proc("stat")).unwrap_or_default();
        // After the name in parentheses; in ticks of 10 ms (proc(5), utime and stime).
        let behind = stat.rsplit(')').next().unwrap_or_default();
        let fields = behind.split_whitespace().skip(11).take(2);
        let ticks: u64 = fields.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }

    fn proc(&self, file: &str) -> String {
        format!("/proc/{}/{file}", self.child.id())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
