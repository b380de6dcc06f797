//! The verified content of a token.

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::TokenRefusal;

/// How far the issuer's clock and ours may lie apart, in seconds (PostgREST's allowance).
const CLOCK_SKEW: i64 = 30;

/// The claims of a token whose signature was checked, as text and as values.
#[derive(Debug, Clone)]
pub struct Claims {
    json: Box<str>,
    values: Map<String, Value>,
    sub: Option<Uuid>,
    session_id: Option<Uuid>,
}

impl Claims {
    /// Reads a payload.
    ///
    /// # Errors
    /// [`TokenRefusal::Payload`] when the text is not a JSON object.
    pub fn parse(json: &str) -> Result<Self, TokenRefusal> {
        let values: Map<String, Value> =
            serde_json::from_str(json).map_err(|_| TokenRefusal::Payload)?;
        let uuid = |name: &str| values.get(name)?.as_str()?.parse().ok();
        Ok(Self { sub: uuid("sub"), session_id: uuid("session_id"), json: json.into(), values })
    }

    /// The payload as the issuer wrote it, ready for `request.jwt.claims`.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// One claim by name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// All claims.
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// The `role` claim, which names the database role to act as.
    pub fn role(&self) -> Option<&str> {
        self.get("role")?.as_str()
    }

    /// The subject, when it is a UUID as auth/v1 issues it.
    pub fn sub(&self) -> Option<Uuid> {
        self.sub
    }

    /// The subject as it stands in the token.
    pub fn sub_text(&self) -> Option<&str> {
        self.get("sub")?.as_str()
    }

    /// The session the token belongs to.
    pub fn session_id(&self) -> Option<Uuid> {
        self.session_id
    }

    /// The end of validity in Unix seconds.
    pub fn exp(&self) -> Option<i64> {
        number(self.get("exp")?)
    }

    /// Checks `exp`, `nbf` and `iat` against `now` (Unix seconds); each may be absent.
    ///
    /// # Errors
    /// The refusal of the first claim that is no number or does not hold.
    pub fn check_times(&self, now: i64) -> Result<(), TokenRefusal> {
        if self.time("exp")?.is_some_and(|exp| now - CLOCK_SKEW >= exp) {
            return Err(TokenRefusal::Expired);
        }
        if self.time("nbf")?.is_some_and(|nbf| now + CLOCK_SKEW < nbf) {
            return Err(TokenRefusal::NotYetValid);
        }
        if self.time("iat")?.is_some_and(|iat| now + CLOCK_SKEW < iat) {
            return Err(TokenRefusal::IssuedInFuture);
        }
        Ok(())
    }

    /// Checks that `wanted` is among the token's audiences; an absent, null or empty `aud` passes.
    ///
    /// # Errors
    /// [`TokenRefusal::Audience`] or [`TokenRefusal::AudienceShape`].
    pub fn check_audience(&self, wanted: &str) -> Result<(), TokenRefusal> {
        match self.get("aud") {
            None | Some(Value::Null) => Ok(()),
            Some(Value::String(aud)) if aud == wanted => Ok(()),
            Some(Value::String(_)) => Err(TokenRefusal::Audience),
            Some(Value::Array(list)) => {
                if !list.iter().all(Value::is_string) {
                    return Err(TokenRefusal::AudienceShape);
                }
                if list.is_empty() || list.iter().any(|aud| aud == wanted) {
                    return Ok(());
                }
                Err(TokenRefusal::Audience)
            }
            Some(_) => Err(TokenRefusal::AudienceShape),
        }
    }

    fn time(&self, name: &'static str) -> Result<Option<i64>, TokenRefusal> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => number(value).map(Some).ok_or(TokenRefusal::NotANumber(name)),
        }
    }
}

/// NumericDate may carry a fraction (RFC 7519 section 2); whole seconds decide.
fn number(value: &Value) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is right here")]
    value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(json: &str) -> Claims {
        Claims::parse(json).expect("an object")
    }

    #[test]
    fn a_token_lives_until_its_end_plus_the_skew() {
        let token = claims(r#"{"exp":1000}"#);
        assert_eq!(token.check_times(1029), Ok(()));
        assert_eq!(token.check_times(1030), Err(TokenRefusal::Expired));
    }

    #[test]
    fn tokens_from_the_future_are_refused() {
        assert_eq!(claims(r#"{"nbf":1031}"#).check_times(1000), Err(TokenRefusal::NotYetValid));
        assert_eq!(claims(r#"{"iat":1031}"#).check_times(1000), Err(TokenRefusal::IssuedInFuture));
        assert_eq!(claims(r#"{"iat":1030,"nbf":1030}"#).check_times(1000), Ok(()));
    }

    #[test]
    fn a_time_that_is_no_number_is_refused_by_name() {
        assert_eq!(
            claims(r#"{"exp":"soon"}"#).check_times(0),
            Err(TokenRefusal::NotANumber("exp"))
        );
    }

    #[test]
    fn an_audience_is_a_string_or_a_list_of_strings() {
        assert_eq!(claims("{}").check_audience("a"), Ok(()));
        assert_eq!(claims(r#"{"aud":[]}"#).check_audience("a"), Ok(()));
        assert_eq!(claims(r#"{"aud":["b","a"]}"#).check_audience("a"), Ok(()));
        assert_eq!(claims(r#"{"aud":"b"}"#).check_audience("a"), Err(TokenRefusal::Audience));
        assert_eq!(claims(r#"{"aud":[1]}"#).check_audience("a"), Err(TokenRefusal::AudienceShape));
    }

    #[test]
    fn a_payload_that_is_no_object_is_refused() {
        assert_eq!(Claims::parse("[1]").err(), Some(TokenRefusal::Payload));
    }
}
