//! The payload of a join.

use serde_json::{Map, Value};

use crate::changes::ChangesBinding;

/// What a join asks for. Options that cannot be parsed count as absent, as upstream.
#[derive(Debug, Clone, Default)]
pub(super) struct JoinConfig {
    pub is_private: bool,
    pub acks_broadcast: bool,
    pub sees_own_broadcast: bool,
    pub asks_replication_ready: bool,
    pub presence_key: Option<String>,
    pub has_presence: bool,
    pub bindings: Vec<ChangesBinding>,
    /// Whether there is no `config`, so that the topic says what is asked for, as with clients from
    /// before 2022.
    pub is_by_topic: bool,
    /// Whether the join waits for changes of tables, and for how many milliseconds.
    pub changes_wait: Option<Option<u64>>,
    /// `broadcast.replay`, unchecked.
    pub replay: Option<Value>,
    /// `user_token`, or `access_token`.
    pub token: Option<String>,
}

impl JoinConfig {
    /// Parses the payload of a join of `topic`, which is without the prefix `realtime:`.
    pub fn of(payload: &Value, topic: &str) -> Self {
        let is_by_topic = payload.get("config").is_none();
        let config = payload.get("config").unwrap_or(&Value::Null);
        let (broadcast, presence) = (section(config, "broadcast"), section(config, "presence"));
        let options = section(config, "postgres_changes_options");
        let token = |name: &str| payload.get(name)?.as_str().map(str::to_owned);
        Self {
            is_private: is_true(config.get("private")),
            acks_broadcast: is_true(broadcast.get("ack")),
            sees_own_broadcast: is_true(broadcast.get("self")),
            asks_replication_ready: is_true(broadcast.get("replication_ready")),
            presence_key: presence.get("key").and_then(key),
            has_presence: is_true(presence.get("enabled")),
            bindings: match is_by_topic {
                true => bindings_of_topic(topic),
                false => bindings(config.get("postgres_changes")),
            },
            is_by_topic,
            changes_wait: is_true(options.get("wait"))
                .then(|| options.get("timeout").and_then(Value::as_u64)),
            replay: broadcast.get("replay").filter(|replay| !replay.is_null()).cloned(),
            token: token("user_token").or_else(|| token("access_token")),
        }
    }
}

fn section<'a>(config: &'a Value, name: &str) -> &'a Value {
    config.get(name).unwrap_or(&Value::Null)
}

/// Whether the value is `true`, or the text `true` in any letter case.
fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(is)) => *is,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn key(value: &Value) -> Option<String> {
    let key = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(key).filter(|key| !key.is_empty())
}

fn bindings(value: Option<&Value>) -> Vec<ChangesBinding> {
    let object = |value: &Value| -> Option<Map<String, Value>> { value.as_object().cloned() };
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(object).map(ChangesBinding::new).collect()
}

/// Parses a topic of the form `schema:table:filter`, whose end may be missing. A single name is an
/// ordinary topic, unless it is `*` or `public`.
fn bindings_of_topic(topic: &str) -> Vec<ChangesBinding> {
    let mut parts = topic.splitn(3, ':');
    let mut part = || parts.next().filter(|part| !part.is_empty());
    let (Some(schema), table, filter) = (part(), part(), part()) else { return Vec::new() };
    if table.is_none() && !matches!(schema, "*" | "public") {
        return Vec::new();
    }
    let mut fields = Map::new();
    let mut say = |name: &str, value: &str| fields.insert(name.to_owned(), value.into());
    say("event", "*");
    say("schema", schema);
    say("table", table.unwrap_or("*"));
    if let Some(filter) = filter {
        say("filter", filter);
    }
    vec![ChangesBinding::new(fields)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn booleans_are_read_as_words_too() {
        let payload = json!({
            "config": {
                "private": "TRUE",
                "broadcast": {"ack": true, "self": "yes"},
                "presence": {"key": "", "enabled": ""},
                "postgres_changes": [null, {"event": "*", "schema": "public"}],
                "postgres_changes_options": {"wait": true, "timeout": 50},
            },
            "access_token": "a",
            "user_token": "b",
        });
        let config = JoinConfig::of(&payload, "a");
        assert!(config.is_private && config.acks_broadcast);
        assert!(!config.sees_own_broadcast && !config.has_presence);
        assert_eq!((config.presence_key, config.bindings.len()), (None, 1));
        assert_eq!((config.changes_wait, config.token.as_deref()), (Some(Some(50)), Some("b")));
    }

    #[test]
    fn invalid_or_empty_config_requests_nothing() {
        for payload in [json!(null), json!([]), json!({"config": 1}), json!({"config": {}})] {
            let config = JoinConfig::of(&payload, "a");
            assert!(!config.is_private && config.bindings.is_empty() && config.token.is_none());
        }
    }

    #[test]
    fn join_topic_without_config_names_a_table() {
        let fields_of = |topic: &str| {
            let bindings = JoinConfig::of(&json!({"user_token": "a"}), topic).bindings;
            bindings.into_iter().map(|binding| Value::from(binding.fields)).collect::<Vec<_>>()
        };
        let binding =
            json!({"event": "*", "schema": "public", "table": "notes", "filter": "a=eq.b:c"});
        assert_eq!(fields_of("public:notes:a=eq.b:c"), [binding]);
        assert_eq!(fields_of("*"), [json!({"event": "*", "schema": "*", "table": "*"})]);
        assert!(fields_of("room").is_empty() && fields_of(":notes").is_empty());
        assert!(JoinConfig::of(&json!({"config": null}), "public:notes").bindings.is_empty());
    }

    #[test]
    fn equal_bindings_have_equal_ids() {
        let payload = json!({"config": {"postgres_changes": [
            {"event": "*", "table": "a"}, {"table": "a", "event": "*"}, {"event": "*", "table": "b"},
        ]}});
        let bindings = JoinConfig::of(&payload, "a").bindings;
        assert_eq!(bindings[0].id, bindings[1].id);
        assert_ne!(bindings[0].id, bindings[2].id);
    }
}
