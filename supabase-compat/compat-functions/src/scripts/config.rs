//! What an operator may set about functions in TypeScript.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

/// The program that runs TypeScript, and how it is found.
#[derive(Clone, Debug)]
pub struct ToolchainConfig {
    /// A folder of our own: what is fetched, made and logged.
    pub home: PathBuf,
    /// `DENO_PATH`: the program, instead of searching.
    pub deno: Option<PathBuf>,
    /// `DENO_PACKAGE`: the folder of the package of npm that brings the program, where npm has
    /// installed it already; taken instead of fetching one.
    pub package: Option<PathBuf>,
    /// `DENO_INSTALL` (true): whether the program may be fetched from npm when it is not found.
    pub install: bool,
    /// `FUNCTIONS_USER`: the account to run as when we are root; else `nobody`, else `postgres`.
    pub os_user: Option<String>,
    /// What the program itself needs of our environment on its way out: proxies, the package
    /// registry.
    pub outside: Vec<(String, String)>,
}

/// Where scripts are, what runs them and what they are given.
#[derive(Clone, Debug)]
pub struct ScriptsConfig {
    /// `--functions`, `FUNCTIONS_DIR`: the folder with a folder for each function.
    pub folder: PathBuf,
    /// What runs them.
    pub toolchain: ToolchainConfig,
    /// `FUNCTIONS_ENV_FILE`: the functions' own secrets; read anew when it changes.
    pub env_file: Option<PathBuf>,
    /// What every function finds in its environment, `SUPABASE_URL` and the like.
    pub environment: Vec<(String, SecretString)>,
    /// What one function may take.
    pub limits: FunctionLimits,
}

/// What one function may take.
#[derive(Clone, Copy, Debug)]
pub struct FunctionLimits {
    /// `FUNCTIONS_MEMORY_LIMIT` (MiB, 256).
    pub memory: u64,
    /// `FUNCTIONS_CPU_LIMIT` (10 s; 0 for none): processor time without beginning an answer while
    /// somebody waits for one.
    pub cpu: Option<Duration>,
    /// `FUNCTIONS_WALL_CLOCK_LIMIT` (400 s): how long a call may last, its answer included.
    pub wall_clock: Duration,
    /// `FUNCTIONS_IDLE_TIMEOUT` (300 s): how long a process is kept that nobody calls.
    pub idle: Duration,
    /// `FUNCTIONS_BOOT_TIMEOUT` (60 s): how long one may take to start, its downloads included.
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
