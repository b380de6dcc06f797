//! Settings of functions/v1: `FUNCTIONS_*` and `[functions.<name>]`.

use compat_functions::{Config, FunctionConfig};

use super::reader::Reader;
use super::setting::Setting as _;

/// Reads everything functions/v1 can be told.
pub fn read(reader: &mut Reader) -> Config {
    let mut config = Config::default();
    reader.over(&mut config.verify_jwt, &["FUNCTIONS_VERIFY_JWT"], "edge_runtime.verify_jwt");
    reader.over(
        &mut config.request_timeout,
        &["FUNCTIONS_REQUEST_TIMEOUT"],
        "edge_runtime.request_timeout",
    );
    reader.over(&mut config.max_body, &["FUNCTIONS_MAX_BODY"], "edge_runtime.max_body");
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
            // Entry points, import maps and static files belong to hosts of scripts.
            _ => {}
        }
    }
    config
}
