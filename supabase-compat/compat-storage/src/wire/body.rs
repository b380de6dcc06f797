//! Deserializes a JSON body and coerces its fields to the expected types: `"60"` becomes the number
//! 60, as in the original's validator. A value that cannot be coerced is rejected with that
//! validator's message.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, de, forward_to_deserialize_any};
use serde_json::{Map, Value};

use crate::error::InvalidRequest;
use crate::model::scalar;

/// Deserializes the fields of a body.
///
/// # Errors
/// [`InvalidRequest::Field`].
pub fn read<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, InvalidRequest> {
    let body = Field { value: Value::Object(fields), place: "body".to_owned() };
    T::deserialize(body).map_err(|ShapeError(message)| InvalidRequest::Field(message))
}

/// For `deserialize_with`: a field that may be null, as distinct from an absent field.
pub fn nullable<'de, T, D>(from: D) -> Result<Option<Option<T>>, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    // Otherwise null would be coerced to the type's empty value: false, zero, an empty text.
    from.deserialize_newtype_struct(NULLABLE, NullOr(std::marker::PhantomData)).map(Some)
}

/// The newtype name that makes [`Field`] keep null instead of coercing it.
const NULLABLE: &str = "compat_storage::nullable";

struct NullOr<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NullOr<T> {
    type Value = Option<T>;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a value or null")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Option<T>, D::Error> {
        T::deserialize(from).map(Some)
    }
}

/// A validation error, as a sentence.
#[derive(Debug)]
struct ShapeError(String);

impl fmt::Display for ShapeError {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(&self.0)
    }
}

impl std::error::Error for ShapeError {}

impl de::Error for ShapeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }

    /// [`within`] adds the path of the object.
    fn missing_field(name: &'static str) -> Self {
        Self(format!("{MISSING}'{name}'"))
    }
}

const MISSING: &str = " must have required property ";

/// A value, and its path in error messages.
struct Field {
    value: Value,
    place: String,
}

impl Field {
    fn refuse(&self, rule: &str) -> ShapeError {
        ShapeError(format!("{} {rule}", self.place))
    }

    fn integer(&self) -> Result<i64, ShapeError> {
        scalar::integer(&self.value).ok_or_else(|| self.refuse("must be integer"))
    }
}

/// Prefixes a missing-property error with the path of the object.
fn within(place: &str, error: ShapeError) -> ShapeError {
    match error.0.starts_with(MISSING) {
        true => ShapeError(format!("{place}{error}")),
        false => error,
    }
}

impl<'de> Deserializer<'de> for Field {
    type Error = ShapeError;

    /// A type that accepts any value gets it unchanged.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        self.value.deserialize_any(visitor).map_err(de::Error::custom)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let flag = scalar::boolean(&self.value);
        visitor.visit_bool(flag.ok_or_else(|| self.refuse("must be boolean"))?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_i64(self.integer()?)
    }

    /// A number that is too large becomes the maximum.
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let number = u64::try_from(self.integer()?).map_err(|_| self.refuse("must be >= 0"))?;
        visitor.visit_u32(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let text = scalar::text(&self.value);
        visitor.visit_string(text.ok_or_else(|| self.refuse("must be string"))?)
    }

    /// A present field is always `Some`; null is coerced to the empty value of its type.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        match name {
            NULLABLE if self.value.is_null() => visitor.visit_none(),
            NULLABLE => visitor.visit_some(self),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    /// A single value is coerced to a list of one, except an object.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let place = self.place.clone();
        let values = match self.value {
            Value::Array(values) => values,
            Value::Object(_) => return Err(self.refuse("must be array")),
            single => vec![single],
        };
        visitor.visit_seq(Values { place, values: values.into_iter().enumerate() })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let Value::Object(fields) = self.value else { return Err(self.refuse("must be object")) };
        let fields = Fields { place: &self.place, fields: fields.into_iter(), next: None };
        visitor.visit_map(fields).map_err(|error| within(&self.place, error))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple
        tuple_struct enum identifier ignored_any
    }
}

struct Values {
    place: String,
    values: std::iter::Enumerate<std::vec::IntoIter<Value>>,
}

impl<'de> SeqAccess<'de> for Values {
    type Error = ShapeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ShapeError> {
        let Some((at, value)) = self.values.next() else { return Ok(None) };
        seed.deserialize(Field { value, place: format!("{}/{at}", self.place) }).map(Some)
    }
}

struct Fields<'a> {
    place: &'a str,
    fields: serde_json::map::IntoIter,
    next: Option<Field>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = ShapeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ShapeError> {
        let Some((name, value)) = self.fields.next() else { return Ok(None) };
        self.next = Some(Field { value, place: format!("{}/{name}", self.place) });
        seed.deserialize(StrDeserializer::new(&name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, ShapeError> {
        let field =
            self.next.take().ok_or_else(|| ShapeError("a value without a name".to_owned()))?;
        seed.deserialize(field)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Inner {
        column: String,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Sample {
        life: i64,
        limit: Option<u32>,
        public: Option<bool>,
        paths: Option<Vec<String>>,
        inner: Option<Inner>,
        #[serde(default, deserialize_with = "nullable")]
        kinds: Option<Option<Vec<String>>>,
        any: Option<Value>,
    }

    fn sample(value: Value) -> Result<Sample, String> {
        let Value::Object(fields) = value else { panic!("no object: {value}") };
        read(fields).map_err(|invalid| invalid.to_string())
    }

    #[test]
    fn fields_are_coerced_to_their_types() {
        let fields = json!({
            "life": "60", "limit": 5e9, "public": "true", "paths": 7, "inner": {"column": 1},
            "kinds": "text/plain", "any": ["as", 1, {"t": null}], "unknown": {"x": []},
        });
        let text = |text: &str| vec![text.to_owned()];
        let read = Sample {
            life: 60,
            limit: Some(u32::MAX),
            public: Some(true),
            paths: Some(text("7")),
            inner: Some(Inner { column: "1".to_owned() }),
            kinds: Some(Some(text("text/plain"))),
            any: Some(json!(["as", 1, {"t": null}])),
        };
        assert_eq!(sample(fields), Ok(read));
    }

    #[test]
    fn null_becomes_the_empty_value_unless_nullable() {
        let read = sample(json!({"life": null, "public": null, "kinds": null})).expect("they fit");
        assert_eq!((read.life, read.public, read.kinds), (0, Some(false), Some(None)));
        assert_eq!(sample(json!({"life": 1})).expect("it fits").kinds, None);
    }

    #[test]
    fn refusals_name_the_field_and_its_type() {
        for (fields, expected) in [
            (json!({}), "body must have required property 'life'"),
            (json!({"life": "soon"}), "body/life must be integer"),
            (json!({"life": 1.5}), "body/life must be integer"),
            (json!({"life": 1, "limit": -1}), "body/limit must be >= 0"),
            (json!({"life": 1, "public": "yes"}), "body/public must be boolean"),
            (json!({"life": 1, "paths": {}}), "body/paths must be array"),
            (json!({"life": 1, "paths": ["a", {}]}), "body/paths/1 must be string"),
            (json!({"life": 1, "inner": null}), "body/inner must be object"),
            (json!({"life": 1, "inner": {}}), "body/inner must have required property 'column'"),
        ] {
            assert_eq!(sample(fields), Err(expected.to_owned()));
        }
    }
}
