//! Settings of keys and of token verification: `JWT_SECRET`, `GOTRUE_JWT_KEYS`, `PGRST_JWT_*`.

use std::sync::Arc;

use compat_token::{CacheRules, KeyRing};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::reader::Reader;
use crate::project_keys::KeySettings;

/// The default size of the token cache. PostgREST's is 1000.
const REMEMBERED: usize = 8192;

/// Variables of rest/v1 that are read here, because all services verify tokens.
pub(super) const POSTGREST: [&str; 5] = [
    "PGRST_JWT_SECRET",
    "PGRST_JWT_SECRET_IS_BASE64",
    "PGRST_SECRET_IS_BASE64",
    "PGRST_JWT_CACHE_MAX_ENTRIES",
    "PGRST_JWT_CACHE_MAX_LIFETIME",
];

/// Reads the keys that the operator sets.
pub fn read(reader: &mut Reader) -> KeySettings {
    let of_project = signing_keys(reader);
    let mut secret =
        |variables: &[&str], key: &str| reader.text(variables, key).map(SecretString::from);
    KeySettings {
        jwt_secret: secret(
            &["JWT_SECRET", "GOTRUE_JWT_SECRET", "AUTH_JWT_SECRET"],
            "auth.jwt_secret",
        ),
        jwt_keys: secret(&["GOTRUE_JWT_KEYS", "JWT_KEYS"], "auth.jwt_keys").or(of_project),
        service_role_key: secret(
            &["SERVICE_ROLE_KEY", "SUPABASE_SERVICE_ROLE_KEY"],
            "auth.service_role_key",
        ),
        secret_key: secret(&["SUPABASE_SECRET_KEY"], "auth.secret_key"),
        app_secret: secret(&["SITE_SECRET"], "site_secret"),
        anon_key: reader.text(&["ANON_KEY", "SUPABASE_ANON_KEY"], "auth.anon_key"),
        publishable_key: reader.text(&["SUPABASE_PUBLISHABLE_KEY"], "auth.publishable_key"),
        postgrest_keys: postgrest_keys(reader),
        jwks: reader
            .with(&["JWT_JWKS"], "auth.jwt_jwks", |text| {
                KeyRing::verify_only(text).map_err(|error| format!("a set of keys: {error}"))
            })
            .map(Arc::new),
        takes_local_keys: false,
        cache: cache(reader),
    }
}

/// The private keys in the file that `supabase gen signing-key` writes: an array, whose first key
/// signs while the others verify, whatever their `key_ops`. An empty array is ignored.
fn signing_keys(reader: &mut Reader) -> Option<SecretString> {
    let folder = reader.folder().to_owned();
    let read = |path: &str| -> Result<Option<SecretString>, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("a file of signing keys: {error}");
        let text = std::fs::read_to_string(folder.join(path)).map_err(|error| wrong(&error))?;
        let mut keys: Vec<serde_json::Map<String, Value>> =
            serde_json::from_str(&text).map_err(|error| wrong(&error))?;
        for (at, key) in keys.iter_mut().enumerate() {
            key.insert("key_ops".to_owned(), json!([if at == 0 { "sign" } else { "verify" }]));
        }
        let keys = Some(keys).filter(|keys| !keys.is_empty()).map(|keys| json!(keys).to_string());
        keys.as_deref()
            .map(KeyRing::from_private_jwks)
            .transpose()
            .map_err(|error| wrong(&error))?;
        Ok(keys.map(Into::into))
    };
    reader.with(&[], "auth.signing_keys_path", read).flatten()
}

/// Reads a secret, `@` and the path of a file that contains it, a JWK, or a JWK set.
fn postgrest_keys(reader: &mut Reader) -> Option<Arc<KeyRing>> {
    let named = ["PGRST_JWT_SECRET_IS_BASE64", "PGRST_SECRET_IS_BASE64"];
    let mut base64 = false;
    reader.over(&mut base64, &named, "api.jwt_secret_is_base64");
    reader
        .with(&["PGRST_JWT_SECRET"], "api.jwt_secret", |text| {
            let from_file = text.strip_prefix('@').map(read_file).transpose()?;
            KeyRing::from_postgrest_secret(from_file.as_deref().unwrap_or(text), base64)
                .map_err(|error| format!("a secret or keys: {error}"))
        })
        .map(Arc::new)
}

fn read_file(path: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("a file that can be read: {error}"))?;
    // Editors add a line end, which is not part of the secret.
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}

/// The cache lifetime of PostgREST 12 and 13 still applies; zero switched the cache off there.
fn cache(reader: &mut Reader) -> CacheRules {
    let entries = reader.get(&["PGRST_JWT_CACHE_MAX_ENTRIES"], "api.jwt_cache_max_entries");
    let lifetime: Option<u32> =
        reader.get(&["PGRST_JWT_CACHE_MAX_LIFETIME"], "api.jwt_cache_max_lifetime");
    let usual = if lifetime == Some(0) { 0 } else { REMEMBERED };
    CacheRules {
        entries: entries.unwrap_or(usual),
        lifetime: lifetime.filter(|seconds| *seconds > 0).map(i64::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(variables: &[(&str, &str)]) -> Reader {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Reader::new(variables.iter().map(owned).collect(), &toml::Table::new())
    }

    #[test]
    fn token_cache_is_set_by_entries_or_lifetime() {
        let rules = |variables: &[(&str, &str)]| {
            let rules = read(&mut reader(variables)).cache;
            (rules.entries, rules.lifetime)
        };
        let (entries, lifetime) = ("PGRST_JWT_CACHE_MAX_ENTRIES", "PGRST_JWT_CACHE_MAX_LIFETIME");
        assert_eq!(rules(&[]), (REMEMBERED, None));
        assert_eq!(rules(&[(entries, "0")]), (0, None));
        assert_eq!(rules(&[(lifetime, "0")]), (0, None));
        assert_eq!(rules(&[(lifetime, "60")]), (REMEMBERED, Some(60)));
        assert_eq!(rules(&[(entries, "9"), (lifetime, "0")]), (9, None));
    }

    #[test]
    fn first_signing_key_signs_and_others_verify() {
        let folder = std::env::temp_dir().join(format!("signing-keys-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (first, second) =
            (KeyRing::generate_es256().unwrap(), KeyRing::generate_es256().unwrap());
        let key_of = |ring: &KeyRing| {
            let set: Value = serde_json::from_str(&ring.to_private_jwks()).unwrap();
            let mut key = set.get("keys").unwrap_or(&set)[0].clone();
            key["key_ops"] = json!(["sign", "verify"]);
            key
        };
        let read_text = |text: &str| {
            std::fs::write(folder.join("keys.json"), text).unwrap();
            let file = "[auth]\nsigning_keys_path = \"./keys.json\"".parse().unwrap();
            let mut reader =
                Reader::new(std::collections::BTreeMap::new(), &file).in_folder(folder.clone());
            (read(&mut reader).jwt_keys, reader.finish())
        };
        let (keys, findings) = read_text(&json!([key_of(&first), key_of(&second)]).to_string());
        let (none, without) = read_text("[]");
        let (wrong, refused) = read_text("{}");
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(findings, crate::settings::Findings::default());
        use secrecy::ExposeSecret as _;
        let ring = KeyRing::from_private_jwks(keys.unwrap().expose_secret()).unwrap();
        let token = ring.sign(&json!({"role": "anon"})).unwrap();
        assert!(first.verify(&token, 0).is_ok(), "the first signs");
        let older = second.sign(&json!({"role": "anon"})).unwrap();
        assert!(ring.verify(&older, 0).is_ok(), "the second verifies");
        assert!(none.is_none() && without.problems.is_empty());
        assert!(wrong.is_none());
        assert!(
            refused.problems[0].to_string().starts_with("auth.signing_keys_path: expected a file")
        );
    }

    #[test]
    fn malformed_keys_are_refused_without_their_value() {
        let mut reader = reader(&[
            ("PGRST_JWT_SECRET", "no base-64!"),
            ("PGRST_JWT_SECRET_IS_BASE64", "true"),
            ("JWT_JWKS", "{\"keys\":[{\"kty\":\"hidden\"}]}"),
        ]);
        read(&mut reader);
        let problems = reader.finish().problems;
        let findings: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            [
                "PGRST_JWT_SECRET: expected a secret or keys: the JWT secret is not base64",
                "JWT_JWKS: expected a set of keys: the set holds no key that verifies signatures",
            ]
        );
    }

    #[test]
    fn a_secret_may_stand_in_a_file() {
        let path = std::env::temp_dir().join(format!("jwt-secret-{}", std::process::id()));
        std::fs::write(&path, "reallyreallyreallyreallyverysafe\n").unwrap();
        let named = format!("@{}", path.display());
        let keys = read(&mut reader(&[("PGRST_JWT_SECRET", &named)])).postgrest_keys.unwrap();
        let token = KeyRing::from_secret("reallyreallyreallyreallyverysafe")
            .and_then(|ring| ring.sign(&serde_json::json!({})))
            .unwrap();
        assert!(keys.verify(&token, 0).is_ok());
        std::fs::remove_file(&path).unwrap();
        let mut missing = reader(&[("PGRST_JWT_SECRET", &named)]);
        assert!(read(&mut missing).postgrest_keys.is_none());
        assert_eq!(missing.finish().problems.len(), 1);
    }
}
