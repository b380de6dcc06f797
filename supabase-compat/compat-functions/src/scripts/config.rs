//! Settings of functions in TypeScript.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

/// The program that runs TypeScript, and how it is found.
#[derive(Clone, Debug)]
pub struct ToolchainConfig {
    /// Our own folder, for the program, its cache and generated files.
    pub home: PathBuf,
    /// `DENO_PATH`: the program, instead of searching.
    pub deno: Option<PathBuf>,
    /// `DENO_PACKAGE`: the folder of the npm package that contains the program, if npm has
    /// installed it already; used instead of a download.
    pub package: Option<PathBuf>,
    /// `DENO_INSTALL` (true): whether the program may be fetched from npm when it is not found.
    pub install: bool,
    /// `FUNCTIONS_USER`: the account to run as when we are root; by default `nobody`, else
    /// `postgres`.
    pub os_user: Option<String>,
    /// Environment variables that the program needs for its outgoing connections: proxies, the
    /// package registry.
    pub outside: Vec<(String, String)>,
}

/// The folder of the scripts, their toolchain, environment and limits.
#[derive(Clone, Debug)]
pub struct ScriptsConfig {
    /// `--functions`, `FUNCTIONS_DIR`: the folder with a folder for each function.
    pub folder: PathBuf,
    /// The program that runs the scripts.
    pub toolchain: ToolchainConfig,
    /// `FUNCTIONS_ENV_FILE`: the functions' own secrets; read again when the file changes.
    pub env_file: Option<PathBuf>,
    /// The environment variables of every function, `SUPABASE_URL` and the like.
    pub environment: Vec<(String, SecretString)>,
    /// The limits of each function.
    pub limits: FunctionLimits,
}

/// The limits of each function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionLimits {
    /// `FUNCTIONS_MEMORY_LIMIT` (MiB, 256): memory of a process.
    pub memory: u64,
    /// `FUNCTIONS_CPU_LIMIT` (10 s; 0 for none): processor time that a process may use without
    /// beginning an answer while a call waits for one.
    pub cpu: Option<Duration>,
    /// `FUNCTIONS_WALL_CLOCK_LIMIT` (400 s): how long a call may last, its answer included.
    pub wall_clock: Duration,
    /// `FUNCTIONS_IDLE_TIMEOUT` (300 s): how long a process without calls is kept.
    pub idle: Duration,
    /// `FUNCTIONS_BOOT_TIMEOUT` (60 s): how long a process may take to start, its downloads
    /// included.
    pub boot: Duration,
    /// `FUNCTIONS_MAX_CALLS` (100): calls of one function at once.
    pub calls: usize,
    /// `FUNCTIONS_MAX_PROCESSES` (32): functions that run at once.
    pub processes: usize,
}

impl Default for FunctionLimits {
    fn default() -> Self {
        Self {
            memory: 256,
            cpu: Some(Duration::from_secs(10)),
            wall_clock: Duration::from_secs(400),
            idle: Duration::from_secs(300),
            boot: Duration::from_secs(60),
            calls: 100,
            processes: 32,
        }
    }
}
