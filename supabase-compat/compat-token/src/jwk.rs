//! A JSON web key (RFC 7517) as a JSON value: reading sets of keys and their members, without
//! making keys for cryptography of them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};

use crate::KeyError;

/// The member that holds the status of one of our own keys. It is private to us, which RFC 7517
/// section 4 allows.
pub(crate) const STATUS: &str = "status";

/// The status of a key whose tokens are refused.
pub(crate) const REVOKED: &str = "revoked";

/// The keys of a JWK set, of an array of JWKs, or of a single one.
///
/// # Errors
/// [`KeyError::Json`].
pub(crate) fn read_set(json: &str) -> Result<Vec<Value>, KeyError> {
    let value: Value = serde_json::from_str(json)?;
    Ok(match value {
        Value::Array(list) => list,
        Value::Object(mut set) => match set.remove("keys") {
            Some(Value::Array(list)) => list,
            _ => vec![Value::Object(set)],
        },
        _ => Vec::new(),
    })
}

/// Whether the key's `key_ops` allow signing; a key without `key_ops` may sign.
pub(crate) fn may_sign(jwk: &Value) -> bool {
    let operations = jwk["key_ops"].as_array();
    operations.is_none_or(|operations| operations.iter().any(|operation| operation == "sign"))
}

/// Whether the key is revoked, so that its tokens are refused.
pub(crate) fn is_revoked(jwk: &Value) -> bool {
    jwk[STATUS] == REVOKED
}

/// The public members of a key, with `key_ops` and `use` as GoTrue publishes them.
pub(crate) fn public_part(jwk: &Value) -> Value {
    const PUBLIC: [&str; 8] = ["kty", "crv", "x", "y", "n", "e", "alg", "kid"];
    let mut public: Map<_, _> = PUBLIC
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), jwk.get(*name)?.clone())))
        .collect();
    public.insert("key_ops".to_owned(), json!(["verify"]));
    public.insert("use".to_owned(), json!("sig"));
    public.into()
}

/// Encodes base64url without padding, as JOSE requires.
pub(crate) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes base64url; accepts padding, though JOSE writes none.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}
