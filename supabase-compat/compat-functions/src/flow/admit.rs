//! Identifies the caller and decides whether the function admits it.
//!
//! A function that verifies wants a JWT in `Authorization` itself. An `sb_` key is admission to the
//! gateway and never a token, so under verification it is refused like any other text, and an
//! `apikey` alone does not stand in for the missing header: `functions-js` sends none in that case
//! and the hosted platform refuses it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use compat_http::ServiceEnvironment;
use compat_token::Caller;
use http::{HeaderMap, Method, header};

use crate::CallRefusal;

/// Returns the caller of a function, if it has one, or refuses the call.
///
/// # Errors
/// The 401 refusals, and only when `verify_jwt` is set and the method is not `OPTIONS`, which
/// carries no credentials by the CORS protocol.
pub(crate) fn admit(
    environment: &ServiceEnvironment,
    method: &Method,
    headers: &HeaderMap,
    verify_jwt: bool,
) -> Result<Option<Caller>, CallRefusal> {
    let caller = environment.caller(headers);
    if !verify_jwt || method == Method::OPTIONS {
        return Ok(caller.ok());
    }
    let algorithm = algorithm(bearer(headers)?)?;
    caller.map(Some).map_err(|_| match algorithm.as_str() {
        "HS256" | "HS384" | "HS512" => CallRefusal::LegacyJwt,
        "ES256" | "ES384" | "RS256" | "RS384" | "RS512" | "EdDSA" => CallRefusal::AsymmetricJwt,
        _ => CallRefusal::UnsupportedAlgorithm(algorithm),
    })
}

fn bearer(headers: &HeaderMap) -> Result<&str, CallRefusal> {
    let value = headers.get(header::AUTHORIZATION).ok_or(CallRefusal::NoAuthHeader)?;
    let text = value.to_str().map_err(|_| CallRefusal::NotBearer)?;
    let (scheme, token) = text.split_once(' ').ok_or(CallRefusal::NotBearer)?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer") && !token.is_empty();
    if is_bearer && !token.contains(' ') { Ok(token) } else { Err(CallRefusal::NotBearer) }
}

/// The `alg` a token claims; a text without one is not a JWT.
fn algorithm(token: &str) -> Result<String, CallRefusal> {
    let mut parts = token.split('.');
    let (Some(head), Some(_), Some(_), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(CallRefusal::NotJwt);
    };
    let bytes = URL_SAFE_NO_PAD.decode(head).map_err(|_| CallRefusal::NotJwt)?;
    let head: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|_| CallRefusal::NotJwt)?;
    // The message repeats this name, so it is kept short.
    let alg = head.get("alg").and_then(|alg| alg.as_str()).ok_or(CallRefusal::NotJwt)?;
    Ok(alg.chars().take(16).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn with(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, value.parse().expect("a header value"));
        headers
    }

    #[test]
    fn only_a_single_token_after_bearer_is_one() {
        assert_eq!(bearer(&HeaderMap::new()), Err(CallRefusal::NoAuthHeader));
        for bad in ["", "Bearer", "Bearer ", "Basic abc", "Bearer a b"] {
            assert_eq!(bearer(&with(bad)), Err(CallRefusal::NotBearer), "{bad:?}");
        }
        assert_eq!(bearer(&with("bearer abc")), Ok("abc"));
    }

    #[test]
    fn keys_and_garbage_are_not_tokens() {
        for bad in ["sb_publishable_abc", "a.b", "a.b.c", "a.b.c.d", "e30.e30.x", "W10.W10.x"] {
            assert_eq!(algorithm(bad), Err(CallRefusal::NotJwt), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*") {
            let _ = algorithm(&text);
        }

        #[test]
        fn a_claimed_algorithm_is_read_and_shortened(alg in "[A-Za-z0-9]{1,40}") {
            let head = URL_SAFE_NO_PAD.encode(format!("{{\"alg\":\"{alg}\"}}"));
            let short: String = alg.chars().take(16).collect();
            prop_assert_eq!(algorithm(&format!("{head}.e30.x")), Ok(short));
        }
    }
}
