//! Proof key for code exchange (RFC 7636): the challenge at the start of a flow and its
//! verification.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::error::{AuthError, InvalidRequest, OneTimeRefusal};

/// How a verifier becomes a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeMethod {
    S256,
    Plain,
}

impl ChallengeMethod {
    /// The name in the database's enum.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S256 => "s256",
            Self::Plain => "plain",
        }
    }

    /// # Errors
    /// [`InvalidRequest::ChallengeMethod`] for any other name.
    pub fn parse(text: &str) -> Result<Self, InvalidRequest> {
        match text.to_ascii_lowercase().as_str() {
            "s256" => Ok(Self::S256),
            "plain" => Ok(Self::Plain),
            _ => Err(InvalidRequest::ChallengeMethod),
        }
    }
}

/// The code challenge of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    pub value: String,
    pub method: ChallengeMethod,
}

impl Challenge {
    /// Parses the two fields of a request body. Empty strings count as absent; without both the
    /// flow has no PKCE.
    ///
    /// # Errors
    /// [`InvalidRequest::ChallengeIncomplete`], [`InvalidRequest::ChallengeMethod`] or
    /// [`InvalidRequest::Challenge`].
    pub fn parse(
        value: Option<&str>,
        method: Option<&str>,
    ) -> Result<Option<Self>, InvalidRequest> {
        let filled = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        match (filled(value), filled(method)) {
            (None, None) => Ok(None),
            (Some(value), Some(method)) => {
                let method = ChallengeMethod::parse(&method)?;
                if !is_well_formed(&value) {
                    return Err(InvalidRequest::Challenge);
                }
                Ok(Some(Self { value, method }))
            }
            _ => Err(InvalidRequest::ChallengeIncomplete),
        }
    }

    /// # Errors
    /// [`OneTimeRefusal::BadCodeVerifier`] when the verifier does not match the challenge.
    pub fn verify(&self, verifier: &str) -> Result<(), AuthError> {
        let derived = match self.method {
            ChallengeMethod::Plain => verifier.to_owned(),
            ChallengeMethod::S256 => URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)),
        };
        if bool::from(derived.as_bytes().ct_eq(self.value.as_bytes())) {
            Ok(())
        } else {
            Err(OneTimeRefusal::BadCodeVerifier.into())
        }
    }
}

fn is_well_formed(value: &str) -> bool {
    (43..=128).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_rfc_example_verifies_and_nothing_else_does() {
        let challenge = Challenge::parse(Some(CHALLENGE), Some("S256")).unwrap().unwrap();
        assert!(challenge.verify(VERIFIER).is_ok());
        assert!(challenge.verify(CHALLENGE).is_err());
        assert!(challenge.verify("").is_err());
    }

    #[test]
    fn plain_compares_as_is() {
        let challenge = Challenge::parse(Some(VERIFIER), Some("plain")).unwrap().unwrap();
        assert!(challenge.verify(VERIFIER).is_ok());
    }

    #[test]
    fn challenge_and_method_are_required_together() {
        assert_eq!(Challenge::parse(None, None), Ok(None));
        assert_eq!(Challenge::parse(Some(""), Some("")), Ok(None));
        assert_eq!(
            Challenge::parse(Some(CHALLENGE), None),
            Err(InvalidRequest::ChallengeIncomplete)
        );
        assert_eq!(Challenge::parse(None, Some("s256")), Err(InvalidRequest::ChallengeIncomplete));
    }

    #[test]
    fn length_alphabet_and_method_are_checked() {
        assert_eq!(Challenge::parse(Some("short"), Some("s256")), Err(InvalidRequest::Challenge));
        let spaced = "a b".repeat(20);
        assert_eq!(Challenge::parse(Some(&spaced), Some("s256")), Err(InvalidRequest::Challenge));
        assert_eq!(
            Challenge::parse(Some(CHALLENGE), Some("md5")),
            Err(InvalidRequest::ChallengeMethod)
        );
    }
}
