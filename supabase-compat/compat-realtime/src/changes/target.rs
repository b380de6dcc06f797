//! What a binding asks for, parsed from the object that its client sent. No I/O.

use serde_json::{Map, Value};

use super::filter::{Filter, parse};

/// The wildcard for every schema or every table.
const ANY: &str = "*";

/// The changes that a binding asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub event: EventKind,
    /// `None` is every schema.
    pub schema: Option<String>,
    /// `None` is every table.
    pub table: Option<String>,
    pub filters: Vec<Filter>,
    /// The columns to send besides the key; `None` is all columns.
    pub select: Option<Vec<String>>,
}

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    Any,
    Insert,
    Update,
    Delete,
}

impl EventKind {
    fn from_name(name: &str) -> Self {
        match name.to_ascii_uppercase().as_str() {
            "INSERT" => Self::Insert,
            "UPDATE" => Self::Update,
            "DELETE" => Self::Delete,
            _ => Self::Any,
        }
    }

    /// The name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => ANY,
            Self::Insert => "INSERT",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }

    /// Whether a binding for this kind receives changes of the kind `other`.
    pub fn includes(self, other: Self) -> bool {
        self == Self::Any || self == other
    }
}

impl Target {
    /// Parses a binding's fields.
    ///
    /// # Errors
    /// The whole text of the `system` message that says what is wrong.
    pub fn read(fields: &Map<String, Value>) -> Result<Self, String> {
        let text =
            |name: &str| fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let event = EventKind::from_name(text("event").unwrap_or(ANY));
        let named = |name: &str| name != ANY;
        let (schema, table) = match (text("schema"), text("table")) {
            (None, None) => {
                return Err("No subscription params provided. Please provide at least a `schema` \
                            or `table` to subscribe to."
                    .to_owned());
            }
            (schema, table) => (schema.unwrap_or("public"), table.unwrap_or(ANY)),
        };
        let (schema, table) = (Some(schema.to_owned()), Some(table.to_owned()));
        let mut target = Self {
            event,
            schema: schema.filter(|name| named(name)),
            table: table.filter(|name| named(name)),
            filters: Vec::new(),
            select: None,
        };
        target.select = match fields.get("select") {
            None | Some(Value::Null) => None,
            Some(Value::Array(columns)) => {
                let columns: Option<Vec<String>> =
                    columns.iter().map(|column| column.as_str().map(str::to_owned)).collect();
                Some(
                    columns
                        .ok_or_else(|| target.exception("`select` must be a list of columns"))?,
                )
            }
            Some(_) => return Err(target.exception("`select` must be a list of columns")),
        };
        if target.select.is_some() && (target.schema.is_none() || target.table.is_none()) {
            return Err("Column selection is not supported for wildcard subscriptions. Please \
                        name a `schema` and a `table`."
                .to_owned());
        }
        target.filters = match fields.get("filter") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) if text.is_empty() => Vec::new(),
            Some(Value::String(text)) => {
                parse(text).map_err(|error| target.exception(&error.to_string()))?
            }
            Some(_) => return Err(target.exception("`filter` must be a text")),
        };
        Ok(target)
    }

    /// The text for a table that is not published.
    pub fn not_published(&self) -> String {
        format!(
            "Unable to subscribe to changes with given parameters. Please check Realtime is enabled \
             for the given connect parameters: [{self}]"
        )
    }

    /// The text for any other problem.
    pub fn exception(&self, problem: &str) -> String {
        format!(
            "Unable to subscribe to changes with given parameters. An exception happened so please \
             check your connect parameters: [{self}]. Exception: {problem}"
        )
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let filters: Vec<String> = self.filters.iter().map(ToString::to_string).collect();
        write!(
            f,
            "event: {}, schema: {}, table: {}, filters: [{}]",
            self.event.name(),
            self.schema.as_deref().unwrap_or(ANY),
            self.table.as_deref().unwrap_or(ANY),
            filters.join(", ")
        )?;
        match &self.select {
            None => write!(f, ", select: nil"),
            Some(columns) => write!(f, ", select: {columns:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(fields: Value) -> Result<Target, String> {
        let Value::Object(fields) = fields else { panic!("no object") };
        Target::read(&fields)
    }

    #[test]
    fn missing_names_have_their_defaults() {
        let only_schema = read(json!({"event": "insert", "schema": "other"})).unwrap();
        assert_eq!(only_schema.event, EventKind::Insert);
        assert_eq!((only_schema.schema.as_deref(), only_schema.table), (Some("other"), None));
        let only_table = read(json!({"event": "thing", "table": "rows"})).unwrap();
        assert_eq!(only_table.event, EventKind::Any);
        assert_eq!(only_table.schema.as_deref(), Some("public"));
        let any = read(json!({"schema": "*", "table": "*"})).unwrap();
        assert_eq!((any.schema, any.table), (None, None));
    }

    #[test]
    fn wrong_bindings_say_what_is_wrong() {
        for (fields, begin) in [
            (json!({"event": "*"}), "No subscription params provided"),
            (json!({"schema": "public", "select": ["id"]}), "Column selection is not supported"),
            (
                json!({"table": "rows", "select": "id"}),
                "Unable to subscribe to changes with given parameters. An exception",
            ),
            (
                json!({"table": "rows", "filter": "a=x"}),
                "Unable to subscribe to changes with given parameters. An exception",
            ),
        ] {
            let error = read(fields).unwrap_err();
            assert!(error.starts_with(begin), "{error}");
        }
        let target = read(json!({"table": "rows", "filter": "id=eq.1"})).unwrap();
        assert_eq!(
            target.not_published(),
            "Unable to subscribe to changes with given parameters. Please check Realtime is enabled \
             for the given connect parameters: [event: *, schema: public, table: rows, filters: \
             [{\"id\", \"eq\", \"1\"}], select: nil]"
        );
    }
}
