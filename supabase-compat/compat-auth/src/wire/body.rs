//! JSON bodies, with the original's refusals.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::error::{AuthError, BodyRefusal};

/// The maximum size of a body in bytes.
const LIMIT: usize = 1 << 20;

/// A parsed body. Unknown fields are ignored, since clients send fields of other endpoints.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = AuthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AuthError> {
        parse(&read(request.into_body()).await?).map(Self)
    }
}

/// A parsed body; an empty body is the default value.
pub struct OptionalBody<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalBody<T> {
    type Rejection = AuthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AuthError> {
        let bytes = read(request.into_body()).await?;
        if bytes.is_empty() { Ok(Self(T::default())) } else { parse(&bytes).map(Self) }
    }
}

/// # Errors
/// [`BodyRefusal::TooLarge`].
pub async fn read(body: axum::body::Body) -> Result<bytes::Bytes, AuthError> {
    axum::body::to_bytes(body, LIMIT).await.map_err(|_| AuthError::Body(BodyRefusal::TooLarge))
}

/// # Errors
/// [`BodyRefusal::BadJson`] with the position of the error.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AuthError> {
    if names_nul(bytes) {
        return Err(BodyRefusal::BadJson("the character NUL cannot be stored".to_owned()).into());
    }
    serde_json::from_slice(bytes)
        .map_err(|error| AuthError::Body(BodyRefusal::BadJson(error.to_string())))
}

/// Whether the body contains an escaped NUL, which PostgreSQL cannot store. An unescaped NUL is
/// invalid JSON.
fn names_nul(bytes: &[u8]) -> bool {
    const ESCAPE: &[u8] = br"\u0000";
    let at = |start: usize| bytes.get(start..start + ESCAPE.len()) == Some(ESCAPE);
    let is_escaped = |start: usize| {
        let slashes = bytes[..start].iter().rev().take_while(|byte| **byte == b'\\').count();
        slashes % 2 == 1
    };
    (0..bytes.len()).any(|start| at(start) && !is_escaped(start))
}

/// The two PKCE fields, which clients without PKCE send as nulls.
#[derive(Debug, Default, serde::Deserialize)]
pub struct ChallengeFields {
    pub code_challenge: Option<String>,
    pub code_challenge_method: Option<String>,
}

impl ChallengeFields {
    /// # Errors
    /// As [`crate::model::Challenge::parse`].
    pub fn parse(&self) -> Result<Option<crate::model::Challenge>, crate::error::InvalidRequest> {
        let method = self.code_challenge_method.as_deref();
        crate::model::Challenge::parse(self.code_challenge.as_deref(), method)
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn random_bodies_parse_or_are_refused() {
        let any_bytes = proptest::collection::vec(any::<u8>(), 0..256);
        let json = r#"[{}\[\]",:0-9eE.+\\u\x00 -]{0,80}"#.prop_map(String::into_bytes);
        property_test("bodies", prop_oneof![any_bytes, json], |bytes| {
            let is_valid = serde_json::from_slice::<Value>(&bytes).is_ok();
            match parse::<Value>(&bytes) {
                Ok(_) => assert!(is_valid),
                Err(AuthError::Body(BodyRefusal::BadJson(_))) => {
                    assert!(!is_valid || names_nul(&bytes));
                }
                Err(other) => panic!("{other}"),
            }
        });
    }

    #[test]
    fn a_body_of_brackets_is_refused_however_deep() {
        let deep = "[".repeat(1 << 20);
        assert!(parse::<Value>(deep.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn nul_is_found_however_it_hides(text in "[a\\x00\\\\u0]{0,12}") {
            let body = serde_json::json!({"a": text}).to_string();
            prop_assert_eq!(parse::<Value>(body.as_bytes()).is_err(), text.contains('\0'));
        }

        #[test]
        fn a_document_cut_short_is_refused(email in "[a-z]{1,8}@[a-z]{1,8}", cut in 1_usize..8) {
            let body = serde_json::json!({"email": email, "password": "x"}).to_string();
            prop_assert!(parse::<Value>(&body.as_bytes()[..body.len() - cut]).is_err());
        }
    }
}
