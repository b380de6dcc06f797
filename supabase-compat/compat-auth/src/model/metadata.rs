//! The two JSON objects of a user's metadata, and how changes are merged into them.

use serde_json::{Map, Value};

use crate::error::InvalidRequest;

/// A JSON object of metadata.
pub type Metadata = Map<String, Value>;

/// The maximum size of a user's own metadata in bytes of JSON: all of it is part of every token,
/// and tokens are sent in request headers.
pub const MAX_BYTES: usize = 32 * 1024;

/// Checks the size of a user's own metadata.
///
/// # Errors
/// [`InvalidRequest::UserMetadata`] for more than [`MAX_BYTES`].
pub fn check_size(metadata: &Metadata) -> Result<(), InvalidRequest> {
    let length = serde_json::to_vec(metadata).map_or(usize::MAX, |bytes| bytes.len());
    if length > MAX_BYTES { Err(InvalidRequest::UserMetadata) } else { Ok(()) }
}

/// Merges `changes` into `base`, one level deep; a null deletes its key.
pub fn merge(base: &mut Metadata, changes: Metadata) {
    for (key, value) in changes {
        if value.is_null() {
            base.shift_remove(&key);
        } else {
            base.insert(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Metadata {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn metadata_merges_one_level_deep() {
        let mut base = object(json!({"a": 1, "b": {"x": 1}, "c": 3}));
        merge(&mut base, object(json!({"b": {"y": 2}, "c": null, "d": 4, "e": null})));
        assert_eq!(Value::Object(base), json!({"a": 1, "b": {"y": 2}, "d": 4}));
    }
}
