//! The two JSON objects a user carries, and how one is laid over another.

use serde_json::{Map, Value};

/// A JSON object of metadata.
pub type Metadata = Map<String, Value>;

/// Lays `changes` over `base`, one level deep: a null deletes its key.
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
    fn keys_are_replaced_added_and_deleted_one_level_deep() {
        let mut base = object(json!({"a": 1, "b": {"x": 1}, "c": 3}));
        merge(&mut base, object(json!({"b": {"y": 2}, "c": null, "d": 4, "e": null})));
        assert_eq!(Value::Object(base), json!({"a": 1, "b": {"y": 2}, "d": 4}));
    }
}
