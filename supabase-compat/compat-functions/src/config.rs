//! Settings of the service and of its functions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Settings of `functions/v1`.
#[derive(Clone, Debug)]
pub struct Config {
    /// `FUNCTIONS_VERIFY_JWT`: when false, no function asks for a token unless its own entry in
    /// [`functions`](Self::functions) says so. When true, each function's own choice holds.
    pub verify_jwt: bool,
    /// `[functions.<name>]` of a project's `config.toml`. A name without a function is accepted:
    /// the file may be shared with a host that has more of them.
    pub functions: BTreeMap<String, FunctionConfig>,
    /// `FUNCTIONS_REQUEST_TIMEOUT` (seconds, 150): how long a function may take to read the request
    /// and begin its answer before the service answers 504.
    pub request_timeout: Duration,
    /// `FUNCTIONS_MAX_BODY` (bytes, 10 MiB): the longest request body a function gets to read.
    pub max_body: usize,
}

/// One function's settings.
#[derive(Clone, Debug)]
pub struct FunctionConfig {
    /// `enabled` (true): a disabled function answers as one that does not exist.
    pub enabled: bool,
    /// `verify_jwt`: overrides both the function's own choice and the service's.
    pub verify_jwt: Option<bool>,
    /// `entrypoint`: a script's module, instead of `index.ts` in the folder of its name.
    pub entrypoint: Option<PathBuf>,
    /// `import_map`: a script's import map or `deno.json`, instead of one beside its module.
    pub import_map: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            verify_jwt: true,
            functions: BTreeMap::new(),
            request_timeout: Duration::from_secs(150),
            max_body: 10 * 1024 * 1024,
        }
    }
}

impl Default for FunctionConfig {
    fn default() -> Self {
        Self { enabled: true, verify_jwt: None, entrypoint: None, import_map: None }
    }
}
