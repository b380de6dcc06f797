//! Signature version 4: the access key, the verification with its secret, and the validity period.
//!
//! A signature covers the method, path, query, signed headers and the digest of the body. Every
//! `x-amz-` header must be signed, so that an intermediary cannot add one. A proxy may have
//! rewritten the host and the prefix of the path: the verification tries the received form and the
//! public form. Every form names the same resource, so a signature cannot be used for another one.

mod canonical;
mod parse;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::S3Refusal;
pub(crate) use canonical::{CanonicalTarget, encode_path};
pub(crate) use parse::SignatureParts;

pub(crate) const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// The SHA-256 of an empty body, in hexadecimal.
pub(crate) const EMPTY_SHA256: &str =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const SERVICE: &str = "s3";
const TERMINATION: &str = "aws4_request";
/// The allowed clock skew between the signer and this server.
const SKEW: TimeDelta = TimeDelta::minutes(15);
const TIMESTAMP: &str = "%Y%m%dT%H%M%SZ";

/// The scope of a signing key: one day, one region, this service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// `YYYYMMDD`.
    pub(crate) date: String,
    pub(crate) region: String,
}

impl Scope {
    /// Parses `<key>/<date>/<region>/s3/aws4_request`; the key itself may contain slashes.
    fn read(credential: &str) -> Option<(&str, Self)> {
        let mut words = credential.rsplitn(5, '/');
        let (end, service) = (words.next()?, words.next()?);
        let (region, date, key) = (words.next()?, words.next()?, words.next()?);
        let dated = date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit());
        let fits = end == TERMINATION && service == SERVICE && dated && !key.is_empty();
        fits.then(|| (key, Self { date: date.to_owned(), region: region.to_owned() }))
    }

    pub(crate) fn text(&self) -> String {
        format!("{}/{}/{SERVICE}/{TERMINATION}", self.date, self.region)
    }

    /// Derives the signing key of this scope from a secret.
    pub(crate) fn key(&self, secret: &str) -> SigningKey {
        let start = hmac(format!("AWS4{secret}").as_bytes(), self.date.as_bytes());
        let region = hmac(&start, self.region.as_bytes());
        SigningKey(hmac(&hmac(&region, SERVICE.as_bytes()), TERMINATION.as_bytes()))
    }
}

/// The signing key of one scope. It has no `Debug`, so that it cannot be logged.
#[derive(Clone)]
pub(crate) struct SigningKey([u8; 32]);

impl SigningKey {
    /// The signature of a text, in hexadecimal.
    pub(crate) fn sign(&self, text: &str) -> String {
        hex::encode(hmac(&self.0, text.as_bytes()))
    }

    /// Verifies the signature of a text in constant time.
    pub(crate) fn is_signature_of(&self, text: &str, signature: &str) -> bool {
        self.sign(text).as_bytes().ct_eq(signature.as_bytes()).into()
    }
}

/// The validity period of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Validity {
    /// A signed request: the signer's clock must agree with ours within the skew.
    Now,
    /// A presigned URL, valid for this number of seconds (at most a week).
    For(u32),
}

/// Parses `20130524T000000Z`.
pub(crate) fn read_timestamp(text: &str) -> Option<DateTime<Utc>> {
    // The parser of `chrono` accepts signs and missing digits.
    let shaped = text.len() == 16
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        });
    let read = shaped.then(|| NaiveDateTime::parse_from_str(text, TIMESTAMP));
    read?.ok().map(|time| time.and_utc())
}

/// Checks the time of a signature against the clock.
///
/// # Errors
/// [`S3Refusal::RequestTimeTooSkewed`], or [`S3Refusal::AccessDenied`] for a presigned URL that has
/// expired or is not yet valid.
pub(crate) fn check_time(
    signed: DateTime<Utc>,
    validity: &Validity,
    now: DateTime<Utc>,
) -> Result<(), S3Refusal> {
    match validity {
        Validity::Now if (now - signed).abs() > SKEW => Err(S3Refusal::RequestTimeTooSkewed),
        Validity::For(_) if signed - now > SKEW => {
            Err(S3Refusal::AccessDenied("Request is not yet valid"))
        }
        Validity::For(seconds) if now - signed > TimeDelta::seconds((*seconds).into()) => {
            Err(S3Refusal::AccessDenied("Request has expired"))
        }
        _ => Ok(()),
    }
}

/// The start of a chain of chunk signatures: the request's signature and the values it was computed
/// from.
#[derive(Clone)]
pub(crate) struct Seed {
    pub(crate) key: SigningKey,
    pub(crate) timestamp: String,
    pub(crate) scope: String,
    pub(crate) signature: String,
}

impl SignatureParts {
    /// Verifies that this request was signed with `secret`; returns the seed for its chunk
    /// signatures.
    ///
    /// # Errors
    /// [`S3Refusal::SignatureDoesNotMatch`]; [`S3Refusal::AccessDenied`] if a required header was
    /// not signed.
    pub(crate) fn verify(
        &self,
        request: &CanonicalTarget<'_>,
        payload: &str,
        secret: &str,
    ) -> Result<Seed, S3Refusal> {
        request.check_signed(&self.signed_headers)?;
        let (key, scope) = (self.scope.key(secret), self.scope.text());
        let is_ours = request.ways(self, payload)?.iter().any(|canonical| {
            let digest = hex::encode(Sha256::digest(canonical.as_bytes()));
            let text = format!("{ALGORITHM}\n{}\n{scope}\n{digest}", self.timestamp);
            key.is_signature_of(&text, &self.signature)
        });
        if !is_ours {
            return Err(S3Refusal::SignatureDoesNotMatch);
        }
        let (timestamp, signature) = (self.timestamp.clone(), self.signature.clone());
        Ok(Seed { key, timestamp, scope, signature })
    }
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests;
