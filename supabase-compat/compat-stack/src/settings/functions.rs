//! Settings of functions/v1: `FUNCTIONS_*` and `[functions.<name>]`.

use compat_functions::{Config, FunctionConfig};

use super::reader::Reader;

/// Reads everything functions/v1 can be told.
pub fn read(reader: &mut Reader) -> Config {
    let mut config = Config::default();
    if let Some(verify) = reader.boolean(&["FUNCTIONS_VERIFY_JWT"], "edge_runtime.verify_jwt") {
        config.verify_jwt = verify;
    }
    if let Some(timeout) =
        reader.duration(&["FUNCTIONS_REQUEST_TIMEOUT"], "edge_runtime.request_timeout")
    {
        config.request_timeout = timeout;
    }
    if let Some(bytes) = reader.parsed(&["FUNCTIONS_MAX_BODY"], "edge_runtime.max_body") {
        config.max_body = bytes;
    }
    for (key, value) in reader.below("functions.") {
        let Some((name, field)) = key.rsplit_once('.') else { continue };
        let function =
            config.functions.entry(name.to_owned()).or_insert_with(FunctionConfig::default);
        match (field, value.parse::<bool>()) {
            ("verify_jwt", Ok(verify)) => function.verify_jwt = Some(verify),
            ("enabled", Ok(enabled)) => function.enabled = enabled,
            ("verify_jwt" | "enabled", Err(_)) => {
                reader.refuse(&format!("functions.{key}"), "expected true or false");
            }
            // Entry points, import maps and static files belong to hosts of scripts.
            _ => {}
        }
    }
    config
}
