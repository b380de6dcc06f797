//! Fields of a request's body, with the original's error messages.

use serde_json::{Map, Value};

use crate::MetaError;

/// The fields of an object.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    /// The path of the object in the body.
    place: String,
    values: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The fields of a body.
    pub fn of(body: &'a Value) -> Result<Self, MetaError> {
        Self::at("body".to_owned(), body)
    }

    fn at(place: String, value: &'a Value) -> Result<Self, MetaError> {
        match value.as_object() {
            Some(values) => Ok(Self { place, values }),
            None => Err(MetaError::Invalid(format!("{place} must be object"))),
        }
    }

    /// The fields of each object of a body that is a list.
    pub fn of_each(body: &'a Value) -> Result<Vec<Self>, MetaError> {
        let values = body.as_array();
        let values = values.ok_or_else(|| MetaError::Invalid("body must be array".to_owned()))?;
        let at = |(index, value)| Self::at(format!("body/{index}"), value);
        values.iter().enumerate().map(at).collect()
    }

    /// The value of a field, if present; null counts as present.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name)
    }

    /// A text or a number, if present.
    pub fn text(&self, name: &str) -> Result<Option<String>, MetaError> {
        match self.values.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            Some(_) => Err(self.wrong(name, "string")),
        }
    }

    /// A required text.
    pub fn required(&self, name: &str) -> Result<String, MetaError> {
        let place = &self.place;
        let missing =
            || MetaError::Invalid(format!("{place} must have required property '{name}'"));
        self.text(name)?.ok_or_else(missing)
    }

    /// A text, or the default.
    pub fn text_or(&self, name: &str, default: &str) -> Result<String, MetaError> {
        Ok(self.text(name)?.unwrap_or_else(|| default.to_owned()))
    }

    /// A text that must be one of these choices, if present.
    pub fn choice(
        &self,
        name: &str,
        choices: &[&'static str],
    ) -> Result<Option<&'static str>, MetaError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let chosen = choices.iter().find(|choice| **choice == text);
        let wrong = || {
            let place = &self.place;
            MetaError::Invalid(format!("{place}/{name} must be one of {}", choices.join(", ")))
        };
        chosen.copied().map(Some).ok_or_else(wrong)
    }

    /// A Boolean, if present.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, MetaError> {
        match self.values.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(_) => Err(self.wrong(name, "boolean")),
        }
    }

    /// An integer, if present.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, MetaError> {
        match self.values.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Number(number)) if number.is_i64() => Ok(number.as_i64()),
            Some(Value::String(text)) => {
                text.parse().map(Some).map_err(|_| self.wrong(name, "integer"))
            }
            Some(_) => Err(self.wrong(name, "integer")),
        }
    }

    /// A list of texts, if present.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, MetaError> {
        let values = match self.values.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(self.wrong(name, "array")),
        };
        let text = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            _ => Err(self.wrong(name, "array of strings")),
        };
        values.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// A list of objects, if present.
    pub fn objects(&self, name: &str) -> Result<Option<Vec<Self>>, MetaError> {
        let values = match self.values.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(self.wrong(name, "array")),
        };
        let at = |(index, value)| Self::at(format!("{}/{name}/{index}", self.place), value);
        values.iter().enumerate().map(at).collect::<Result<_, _>>().map(Some)
    }

    /// The names and texts of an object, if present.
    pub fn settings(&self, name: &str) -> Result<Vec<(String, String)>, MetaError> {
        let values = match self.values.get(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(values)) => values,
            Some(_) => return Err(self.wrong(name, "object")),
        };
        let inner = Self { place: format!("{}/{name}", self.place), values };
        values.keys().map(|key| Ok((key.clone(), inner.text_or(key, "")?))).collect()
    }

    fn wrong(&self, name: &str, kind: &str) -> MetaError {
        MetaError::Invalid(format!("{}/{name} must be {kind}", self.place))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn wrong_fields_are_refused_by_name() {
        let body = json!({"a": {}, "b": "x", "c": [1, {}]});
        let fields = Fields::of(&body).expect("an object");
        let words = |error: MetaError| error.to_string();
        assert_eq!(fields.text("a").map_err(words), Err("body/a must be string".into()));
        assert_eq!(fields.flag("b").map_err(words), Err("body/b must be boolean".into()));
        assert_eq!(fields.integer("b").map_err(words), Err("body/b must be integer".into()));
        let missing = "body must have required property 'd'";
        assert_eq!(fields.required("d").map_err(words), Err(missing.into()));
        let list = fields.objects("c").map(|_| ()).map_err(words);
        assert_eq!(list, Err("body/c/0 must be object".into()));
        assert!(Fields::of(&json!([])).is_err() && Fields::of_each(&json!({})).is_err());
    }
}
