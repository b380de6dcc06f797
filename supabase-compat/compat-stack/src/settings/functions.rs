//! Settings of functions/v1: `FUNCTIONS_*`, `DENO_*`, `[edge_runtime]` and `[functions.<name>]`.

use std::path::{Path, PathBuf};

use compat_functions::{Config, FunctionConfig, FunctionLimits, ScriptsConfig, ToolchainConfig};

use super::ServeArguments;
use super::reader::Reader;
use super::setting::Setting as _;

/// The environment variables that a program which downloads packages may need, in both spellings.
const OUTSIDE: [&str; 14] = [
    "ALL_PROXY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "DENO_CERT",
    "DENO_TLS_CA_STORE",
    "NPM_CONFIG_REGISTRY",
    "JSR_URL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// Reads the settings that apply to every function.
pub fn read(reader: &mut Reader) -> Config {
    let mut config = Config::default();
    reader.over(&mut config.verify_jwt, &["FUNCTIONS_VERIFY_JWT"], "edge_runtime.verify_jwt");
    reader.over(
        &mut config.request_timeout,
        &["FUNCTIONS_REQUEST_TIMEOUT"],
        "edge_runtime.request_timeout",
    );
    reader.over(&mut config.max_body, &["FUNCTIONS_MAX_BODY"], "edge_runtime.max_body");
    let folder = reader.folder().to_owned();
    for (key, value) in reader.below("functions.") {
        let Some((name, field)) = key.rsplit_once('.') else { continue };
        let function =
            config.functions.entry(name.to_owned()).or_insert_with(FunctionConfig::default);
        match (field, bool::read(&value)) {
            ("verify_jwt", Some(verify)) => function.verify_jwt = Some(verify),
            ("enabled", Some(enabled)) => function.enabled = enabled,
            ("verify_jwt" | "enabled", None) => {
                reader.refuse(format!("functions.{key}"), bool::EXPECTED);
            }
            ("entrypoint", _) => function.entrypoint = below(&folder, &value),
            ("import_map", _) => function.import_map = below(&folder, &value),
            // Static files need no setting, because a function may read its whole folder.
            _ => {}
        }
    }
    config
}

/// Reads the location of the TypeScript runtime.
pub fn read_toolchain(reader: &mut Reader, data_dir: &Path) -> ToolchainConfig {
    let outside = OUTSIDE.iter().filter_map(|name| {
        let variables = reader.variables(name);
        variables.into_iter().find(|(variables, value)| variables == name && !value.is_empty())
    });
    let outside = outside.collect();
    let package = reader.text(&["DENO_PACKAGE"], "edge_runtime.deno_package");
    ToolchainConfig {
        home: data_dir.join("functions"),
        deno: deno(reader),
        package: package.map(PathBuf::from),
        install: install(reader),
        os_user: reader.text(&["FUNCTIONS_USER"], "edge_runtime.os_user"),
        outside,
    }
}

/// Reads the settings of functions in TypeScript; none without a folder of functions. The service
/// adds their environment variables later.
pub fn read_scripts(
    reader: &mut Reader,
    arguments: &ServeArguments,
    toolchain: &ToolchainConfig,
) -> Option<ScriptsConfig> {
    // Read before the folder is checked, because these settings must not count as unknown without
    // one.
    let limits = limits(reader);
    let named = reader.text(&["FUNCTIONS_ENV_FILE"], "edge_runtime.env_file").map(PathBuf::from);
    let folder = folder(reader, arguments)?;
    let env_file = arguments.functions_env_file.clone().or(named);
    Some(ScriptsConfig {
        env_file: Some(absolute_path(env_file.unwrap_or_else(|| folder.join(".env")))),
        folder: absolute_path(folder),
        toolchain: toolchain.clone(),
        environment: Vec::new(),
        limits,
    })
}

/// The configured folder, or `functions` beside the configuration file.
fn folder(reader: &mut Reader, arguments: &ServeArguments) -> Option<PathBuf> {
    let named = reader.text(&["FUNCTIONS_DIR"], "edge_runtime.functions_dir").map(PathBuf::from);
    let folder = arguments.functions.clone().or(named);
    if let Some(folder) = folder {
        if !folder.is_dir() {
            reader.refuse("FUNCTIONS_DIR", "a folder that is there");
        }
        return Some(folder);
    }
    let is_given = arguments.data.config.is_some();
    Some(reader.folder().join("functions")).filter(|beside| is_given && beside.is_dir())
}

fn deno(reader: &mut Reader) -> Option<PathBuf> {
    reader.text(&["DENO_PATH"], "edge_runtime.deno_path").map(PathBuf::from)
}

fn install(reader: &mut Reader) -> bool {
    let mut install = true;
    reader.over(&mut install, &["DENO_INSTALL"], "edge_runtime.deno_install");
    install
}

fn limits(reader: &mut Reader) -> FunctionLimits {
    let mut limits = FunctionLimits::default();
    let part = "edge_runtime";
    let mut over = |field: &mut _, name: &str, key: &str| {
        reader.over(field, &[name], &format!("{part}.{key}"));
    };
    over(&mut limits.wall_clock, "FUNCTIONS_WALL_CLOCK_LIMIT", "wall_clock_limit");
    over(&mut limits.idle, "FUNCTIONS_IDLE_TIMEOUT", "idle_timeout");
    over(&mut limits.boot, "FUNCTIONS_BOOT_TIMEOUT", "boot_timeout");
    let mut over = |field: &mut usize, name: &str, key: &str| {
        reader.over(field, &[name], &format!("{part}.{key}"));
        if *field == 0 {
            reader.refuse(name.to_owned(), "at least 1");
        }
    };
    over(&mut limits.calls, "FUNCTIONS_MAX_CALLS", "max_calls");
    over(&mut limits.processes, "FUNCTIONS_MAX_PROCESSES", "max_processes");
    reader.over(&mut limits.memory, &["FUNCTIONS_MEMORY_LIMIT"], "edge_runtime.memory_limit");
    reader.over(&mut limits.cpu, &["FUNCTIONS_CPU_LIMIT"], "edge_runtime.cpu_limit");
    limits
}

/// A path in the file, relative to the file's folder.
fn below(folder: &Path, value: &str) -> Option<PathBuf> {
    (!value.is_empty()).then(|| absolute_path(folder.join(value)))
}

fn absolute_path(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
