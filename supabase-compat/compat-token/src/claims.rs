//! The claims of a verified token.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::TokenRefusal;

/// The largest difference between the issuer's clock and ours, in seconds (PostgREST's tolerance).
const CLOCK_SKEW: i64 = 30;

/// The claims of a token whose signature was checked, as text and as values.
///
/// The claims that every request needs are extracted once, when the payload is parsed.
#[derive(Debug, Clone)]
pub struct Claims {
    json: Arc<str>,
    values: Value,
    role: Option<Arc<str>>,
    sub: Option<Uuid>,
    session_id: Option<Uuid>,
}

impl Claims {
    /// Parses a payload.
    ///
    /// # Errors
    /// [`TokenRefusal::Payload`] when the text is not a JSON object.
    pub fn parse(json: &str) -> Result<Self, TokenRefusal> {
        let values: Map<String, Value> =
            serde_json::from_str(json).map_err(|_| TokenRefusal::Payload)?;
        let uuid = |name: &str| values.get(name)?.as_str()?.parse().ok();
        Ok(Self {
            json: json.into(),
            role: values.get("role").map(|role| text_of(role).into()),
            sub: uuid("sub"),
            session_id: uuid("session_id"),
            values: values.into(),
        })
    }

    /// The payload as the issuer wrote it, for the setting `request.jwt.claims`.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Like [`Self::json`], for callers that keep the text.
    pub(crate) fn shared_json(&self) -> &Arc<str> {
        &self.json
    }

    /// One claim by name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// All claims.
    pub fn values(&self) -> &Map<String, Value> {
        self.values.as_object().expect("claims are parsed as an object")
    }

    /// All claims, as one JSON value.
    pub(crate) fn value(&self) -> &Value {
        &self.values
    }

    /// The `role` claim, which names the database role of the request. A value that is not a string
    /// gives its JSON text, as in PostgREST; no role has such a name.
    pub fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// Like [`Self::role`], for callers that keep the name.
    pub(crate) fn shared_role(&self) -> Option<&Arc<str>> {
        self.role.as_ref()
    }

    /// The subject, if it is a UUID, as in the tokens of auth/v1.
    pub fn sub(&self) -> Option<Uuid> {
        self.sub
    }

    /// The subject as text, whether it is a UUID or not.
    pub fn sub_text(&self) -> Option<&str> {
        self.get("sub")?.as_str()
    }

    /// The `iss` claim: who issued the token.
    pub fn issuer(&self) -> Option<&str> {
        self.get("iss")?.as_str()
    }

    /// The `session_id` claim: the session that the token belongs to.
    pub fn session_id(&self) -> Option<Uuid> {
        self.session_id
    }

    /// The `exp` claim: when the token expires, in Unix seconds.
    pub fn exp(&self) -> Option<i64> {
        number(self.get("exp")?)
    }

    /// Checks `exp`, `nbf` and `iat` against `now` (Unix seconds); each may be absent.
    ///
    /// # Errors
    /// The refusal of the first claim that is not a number or whose time does not fit.
    pub fn check_times(&self, now: i64) -> Result<(), TokenRefusal> {
        if self.time("exp")?.is_some_and(|exp| now.saturating_sub(CLOCK_SKEW) > exp) {
            return Err(TokenRefusal::Expired);
        }
        let latest = now.saturating_add(CLOCK_SKEW);
        if self.time("nbf")?.is_some_and(|nbf| latest < nbf) {
            return Err(TokenRefusal::NotYetValid);
        }
        if self.time("iat")?.is_some_and(|iat| latest < iat) {
            return Err(TokenRefusal::IssuedInFuture);
        }
        Ok(())
    }

    /// Checks that `expected` is among the token's audiences; an absent, null or empty `aud` passes.
    ///
    /// # Errors
    /// [`TokenRefusal::Audience`] or [`TokenRefusal::AudienceShape`].
    pub fn check_audience(&self, expected: &str) -> Result<(), TokenRefusal> {
        self.audience(|aud| aud == expected)
    }

    /// Checks only that `aud`, if present, is a string or an array of strings.
    ///
    /// # Errors
    /// [`TokenRefusal::AudienceShape`].
    pub fn check_audience_shape(&self) -> Result<(), TokenRefusal> {
        self.audience(|_| true)
    }

    fn audience(&self, admits: impl Fn(&str) -> bool) -> Result<(), TokenRefusal> {
        let admitted = match self.get("aud") {
            None | Some(Value::Null) => true,
            Some(Value::String(aud)) => admits(aud),
            Some(Value::Array(list)) => {
                let mut admitted = list.is_empty();
                for aud in list {
                    admitted |= admits(aud.as_str().ok_or(TokenRefusal::AudienceShape)?);
                }
                admitted
            }
            Some(_) => return Err(TokenRefusal::AudienceShape),
        };
        if admitted { Ok(()) } else { Err(TokenRefusal::Audience) }
    }

    fn time(&self, name: &'static str) -> Result<Option<i64>, TokenRefusal> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => number(value).map(Some).ok_or(TokenRefusal::NotANumber(name)),
        }
    }
}

/// A value as a role name: a string as it is, any other value as JSON text.
pub(crate) fn text_of(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// A NumericDate may have a fraction (RFC 7519 section 2), which is cut off.
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
    fn token_expires_after_exp_plus_clock_skew() {
        let token = claims(r#"{"exp":1000}"#);
        assert_eq!(token.check_times(1030), Ok(()));
        assert_eq!(token.check_times(1031), Err(TokenRefusal::Expired));
    }

    #[test]
    fn tokens_from_the_future_are_refused() {
        assert_eq!(claims(r#"{"nbf":1031}"#).check_times(1000), Err(TokenRefusal::NotYetValid));
        assert_eq!(claims(r#"{"iat":1031}"#).check_times(1000), Err(TokenRefusal::IssuedInFuture));
        assert_eq!(claims(r#"{"iat":1030,"nbf":1030}"#).check_times(1000), Ok(()));
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        let far = claims(r#"{"exp":1e300,"nbf":-1e300,"iat":-9223372036854775808}"#);
        assert_eq!(far.check_times(i64::MAX), Ok(()));
        assert_eq!(claims(r#"{"exp":-1e300}"#).check_times(i64::MIN), Ok(()));
        let unsigned = claims(r#"{"exp":18446744073709551615}"#);
        assert_eq!(unsigned.check_times(1000), Ok(()));
    }

    #[test]
    fn non_numeric_time_claim_is_refused_by_name() {
        for name in ["exp", "nbf", "iat"] {
            let refusal = claims(&format!(r#"{{"{name}":"soon"}}"#)).check_times(0);
            assert_eq!(refusal, Err(TokenRefusal::NotANumber(name)));
        }
    }

    #[test]
    fn audience_is_a_string_or_string_list() {
        for fits in
            ["{}", r#"{"aud":null}"#, r#"{"aud":[]}"#, r#"{"aud":"a"}"#, r#"{"aud":["b","a"]}"#]
        {
            assert_eq!(claims(fits).check_audience("a"), Ok(()), "{fits}");
        }
        for other in [r#"{"aud":""}"#, r#"{"aud":"b"}"#, r#"{"aud":["b","c"]}"#] {
            assert_eq!(claims(other).check_audience("a"), Err(TokenRefusal::Audience), "{other}");
            assert_eq!(claims(other).check_audience_shape(), Ok(()), "{other}");
        }
        for bad in [r#"{"aud":[1]}"#, r#"{"aud":["a",{}]}"#, r#"{"aud":{"a":1}}"#, r#"{"aud":7}"#] {
            assert_eq!(claims(bad).check_audience("a"), Err(TokenRefusal::AudienceShape), "{bad}");
            assert_eq!(
                claims(bad).check_audience_shape(),
                Err(TokenRefusal::AudienceShape),
                "{bad}"
            );
        }
    }

    #[test]
    fn role_that_is_no_string_is_json_text() {
        assert_eq!(claims(r#"{"role":"author"}"#).role(), Some("author"));
        assert_eq!(claims(r#"{"role":5}"#).role(), Some("5"));
        assert_eq!(claims(r#"{"role":["service_role"]}"#).role(), Some(r#"["service_role"]"#));
        assert_eq!(claims("{}").role(), None);
    }

    #[test]
    fn a_payload_that_is_no_object_is_refused() {
        for payload in ["[1]", "", "null", "1", "{", "{}{}"] {
            assert_eq!(Claims::parse(payload).err(), Some(TokenRefusal::Payload), "{payload}");
        }
    }
}
