//! Verifies that Stripe sent an event: `Stripe-Signature: t=<unix>,v1=<hex>[,v1=…]`, the
//! HMAC-SHA256 of `{t}.{raw body}` with one of the webhook's secrets
//! (<https://docs.stripe.com/webhooks#verify-manually>). Other schemes, such as `v0`, are ignored.

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

/// The largest difference between the time of an event and ours, in seconds.
const TOLERANCE: u64 = 300;

/// Why a signature is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SignatureError {
    /// The header contains no signature that can be checked.
    #[error("signature missing")]
    Missing,
    /// The signature was not made with one of our secrets.
    #[error("signature mismatch")]
    Mismatch,
    /// The signature's time is too far in the past or in the future.
    #[error("signature outside the time tolerance")]
    Stale,
}

/// Checks that one of the secrets signed this body recently.
///
/// # Errors
/// Why the signature is not accepted. The duration does not depend on the secrets.
pub(crate) fn verify(
    secrets: &[SecretString],
    header: &str,
    body: &[u8],
    now: i64,
) -> Result<(), SignatureError> {
    let mut time = None;
    let mut signatures = Vec::new();
    for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
        match name {
            "t" => time = Some(value),
            "v1" => signatures.extend(octets(value)),
            _ => {}
        }
    }
    let time = time.filter(|_| !signatures.is_empty()).ok_or(SignatureError::Missing)?;
    let mut is_signed = false;
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
            .expect("HMAC takes keys of any length");
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        for signature in &signatures {
            // The loop never ends early, so that its duration does not reveal which secret matched.
            is_signed |= mac.clone().verify_slice(signature).is_ok();
        }
    }
    if !is_signed {
        return Err(SignatureError::Mismatch);
    }
    // The signature covers the time, so the time is read only after the signature is verified.
    let time: i64 = time.parse().map_err(|_| SignatureError::Missing)?;
    if now.abs_diff(time) > TOLERANCE { Err(SignatureError::Stale) } else { Ok(()) }
}

/// Decodes hexadecimal digits; `None` for any other text.
fn octets(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    const NOW: i64 = 1_790_000_000;

    fn secrets(texts: &[&str]) -> Vec<SecretString> {
        texts.iter().map(|text| SecretString::from(*text)).collect()
    }

    fn signed(secret: &str, time: i64, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
        mac.update(format!("{time}.").as_bytes());
        mac.update(body);
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn any_matching_secret_and_signature_is_accepted() {
        let (old, new) = (signed("old", NOW, b"{}"), signed("new", NOW, b"{}"));
        let both = secrets(&["new", "old"]);
        for header in [
            format!("t={NOW},v1={old}"),
            format!("t={NOW},v1={new}"),
            format!("t={NOW},v1=00,v1={old},v0=ff"),
            format!("v1={new}, t={NOW}"),
        ] {
            assert_eq!(verify(&both, &header, b"{}", NOW), Ok(()), "{header}");
        }
        let header = format!("t={NOW},v1={old}");
        assert_eq!(verify(&secrets(&["new"]), &header, b"{}", NOW), Err(SignatureError::Mismatch));
        assert_eq!(verify(&both, &header, b"{ }", NOW), Err(SignatureError::Mismatch));
        assert_eq!(verify(&[], &header, b"{}", NOW), Err(SignatureError::Mismatch));
    }

    #[test]
    fn another_scheme_or_none_is_no_signature() {
        let right = signed("a", NOW, b"{}");
        for header in [
            String::new(),
            format!("t={NOW}"),
            format!("t={NOW},v0={right}"),
            format!("v1={right}"),
        ] {
            let outcome = verify(&secrets(&["a"]), &header, b"{}", NOW);
            assert_eq!(outcome, Err(SignatureError::Missing), "{header}");
        }
        let short = format!("t={NOW},v1={}", &right[1..]);
        assert_eq!(verify(&secrets(&["a"]), &short, b"{}", NOW), Err(SignatureError::Missing));
    }

    #[test]
    fn a_notice_is_believed_for_five_minutes() {
        let header = format!("t={NOW},v1={}", signed("a", NOW, b"{}"));
        let at = |now| verify(&secrets(&["a"]), &header, b"{}", now);
        assert_eq!((at(NOW + 300), at(NOW - 300)), (Ok(()), Ok(())));
        assert_eq!(
            (at(NOW + 301), at(NOW - 301)),
            (Err(SignatureError::Stale), Err(SignatureError::Stale))
        );
        let moved = header.replace(&NOW.to_string(), &(NOW + 400).to_string());
        assert_eq!(
            verify(&secrets(&["a"]), &moved, b"{}", NOW + 400),
            Err(SignatureError::Mismatch)
        );
    }

    #[test]
    fn random_headers_are_never_accepted() {
        let header = prop_oneof![
            any::<String>(),
            "t=[0-9]{0,20},v1=[0-9a-f]{0,66}(,v1=[0-9a-f]{64})?",
            "(t|v1|v0)=[0-9a-z,=-]{0,80}",
        ];
        property_test("stripe signature", header, |header| {
            assert!(verify(&secrets(&["a"]), &header, b"{}", NOW).is_err());
        });
    }
}
