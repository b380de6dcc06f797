//! Parses the signature of a request: from `Authorization`, from the query, or from a form.

use chrono::{DateTime, Utc};
use http::{HeaderMap, header};
use percent_encoding::percent_decode_str;

use super::{ALGORITHM, Scope, Validity, read_timestamp};
use crate::s3::S3Refusal;

/// A week, the maximum validity of a presigned URL.
const LONGEST: u32 = 7 * 24 * 60 * 60;
/// The maximum number of signed headers; no client signs more.
const MOST_HEADERS: usize = 100;

/// A signature and its parameters as the request states them. Only their syntax has been checked.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SignatureParts {
    pub(crate) access_key: String,
    pub(crate) scope: Scope,
    /// The timestamp as received; the signed text contains it.
    pub(crate) timestamp: String,
    pub(crate) time: DateTime<Utc>,
    /// The names of the signed headers, in lower case, sorted.
    pub(crate) signed_headers: Vec<String>,
    /// The signature, 64 hexadecimal digits.
    pub(crate) signature: String,
    pub(crate) session_token: Option<String>,
    pub(crate) validity: Validity,
}

impl SignatureParts {
    /// Parses the signature of a request. `None` if the request is not signed.
    ///
    /// # Errors
    /// [`S3Refusal::AuthorizationHeaderMalformed`] or
    /// [`S3Refusal::AuthorizationQueryParametersError`] with the cause.
    pub(crate) fn read(headers: &HeaderMap, query: &str) -> Result<Option<Self>, S3Refusal> {
        let authorization = headers.get(header::AUTHORIZATION);
        let in_query = parameter(query, "X-Amz-Algorithm").is_some();
        match (authorization, in_query) {
            (Some(_), true) => {
                let message = "Only one auth mechanism allowed";
                Err(S3Refusal::InvalidArgument(message))
            }
            (Some(value), false) => {
                let text = value.to_str().map_err(|_| malformed("it is no text"))?;
                Self::of_header(text, headers).map(Some)
            }
            (None, true) => Self::of_query(query).map(Some),
            (None, false) => Ok(None),
        }
    }

    fn of_header(text: &str, headers: &HeaderMap) -> Result<Self, S3Refusal> {
        let rest = text.strip_prefix(ALGORITHM).ok_or(malformed("the algorithm is unknown"))?;
        let field = |name: &str| {
            let mut fields = rest.split([',', ' ']).map(str::trim);
            fields.find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        let credential = field("Credential").ok_or(malformed("Credential is missing"))?;
        let names = field("SignedHeaders").ok_or(malformed("SignedHeaders is missing"))?;
        let signature = field("Signature").ok_or(malformed("Signature is missing"))?;
        let text_of = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let timestamp = text_of("x-amz-date")
            .ok_or(S3Refusal::AccessDenied("AWS authentication requires an x-amz-date header"))?;
        let raw = RawSignature { credential, names, signature, timestamp, validity: Validity::Now };
        let token = text_of("x-amz-security-token").map(str::to_owned);
        raw.read(token, malformed)
    }

    fn of_query(query: &str) -> Result<Self, S3Refusal> {
        let value = |name| parameter(query, name);
        let required = |name, message| {
            value(name).ok_or(S3Refusal::AuthorizationQueryParametersError(message))
        };
        if value("X-Amz-Algorithm").as_deref() != Some(ALGORITHM) {
            return Err(unpresentable("X-Amz-Algorithm only supports AWS4-HMAC-SHA256"));
        }
        let credential = required("X-Amz-Credential", "X-Amz-Credential is missing")?;
        let names = required("X-Amz-SignedHeaders", "X-Amz-SignedHeaders is missing")?;
        let signature = required("X-Amz-Signature", "X-Amz-Signature is missing")?;
        let timestamp = required("X-Amz-Date", "X-Amz-Date is missing")?;
        let expires = required("X-Amz-Expires", "X-Amz-Expires is missing")?;
        let seconds = expires.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds));
        let message = "X-Amz-Expires must be between 1 second and a week (604800)";
        let raw = RawSignature {
            credential: &credential,
            names: &names,
            signature: &signature,
            timestamp: &timestamp,
            validity: Validity::For(seconds.ok_or(unpresentable(message))?),
        };
        raw.read(value("X-Amz-Security-Token"), unpresentable)
    }

    /// Parses the signature of a form's policy from the form's fields.
    ///
    /// # Errors
    /// [`S3Refusal::AccessDenied`] if the form is not signed, [`S3Refusal::InvalidArgument`] if a
    /// field is missing or invalid.
    pub(crate) fn of_form<'f>(field: impl Fn(&str) -> Option<&'f str>) -> Result<Self, S3Refusal> {
        if field("x-amz-algorithm") != Some(ALGORITHM) {
            return Err(S3Refusal::AccessDenied("Access Denied"));
        }
        let required = |name, message| field(name).ok_or(S3Refusal::InvalidArgument(message));
        let raw = RawSignature {
            credential: required("x-amz-credential", "x-amz-credential is missing")?,
            names: "host",
            signature: required("x-amz-signature", "x-amz-signature is missing")?,
            timestamp: required("x-amz-date", "x-amz-date is missing")?,
            // The policy itself determines when a form expires.
            validity: Validity::For(LONGEST),
        };
        let token = field("x-amz-security-token").map(str::to_owned);
        raw.read(token, S3Refusal::InvalidArgument)
    }
}

/// The parameters of a signature before they are parsed.
struct RawSignature<'a> {
    credential: &'a str,
    names: &'a str,
    signature: &'a str,
    timestamp: &'a str,
    validity: Validity,
}

impl RawSignature<'_> {
    fn read(
        self,
        session_token: Option<String>,
        refuse: fn(&'static str) -> S3Refusal,
    ) -> Result<SignatureParts, S3Refusal> {
        let unscoped = refuse("the credential is not <key>/<date>/<region>/s3/aws4_request");
        let (access_key, scope) = Scope::read(self.credential).ok_or(unscoped)?;
        let time = read_timestamp(self.timestamp).ok_or(refuse("the date is not ISO 8601"))?;
        // SigV4 derives the signing key from the scope's day, which must be that of the request.
        if !self.timestamp.starts_with(&scope.date) {
            return Err(refuse("the credential is of another day than the request"));
        }
        let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if self.signature.len() != 64 || !self.signature.bytes().all(hexadecimal) {
            return Err(refuse("the signature is not 64 hexadecimal digits"));
        }
        Ok(SignatureParts {
            access_key: access_key.to_owned(),
            signed_headers: names_of(self.names).ok_or(refuse("the signed headers are no list"))?,
            timestamp: self.timestamp.to_owned(),
            signature: self.signature.to_owned(),
            validity: self.validity,
            scope,
            time,
            session_token,
        })
    }
}

/// Parses the names, which must be in lower case, sorted and unique.
fn names_of(text: &str) -> Option<Vec<String>> {
    let names: Vec<String> = text.split(';').map(str::to_owned).collect();
    let named = |name: &String| {
        let fits = |byte: u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase();
        !name.is_empty() && name.bytes().all(fits)
    };
    let in_order = names.windows(2).all(|pair| matches!(pair, [one, next] if one < next));
    (names.len() <= MOST_HEADERS && in_order && names.iter().all(named)).then_some(names)
}

/// The first value of a query parameter, decoded.
fn parameter(query: &str, searched: &str) -> Option<String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut matches = pairs.filter(|(name, _)| *name == searched);
    let (_, value) = matches.next()?;
    percent_decode_str(value).decode_utf8().ok().map(|value| value.into_owned())
}

fn malformed(message: &'static str) -> S3Refusal {
    S3Refusal::AuthorizationHeaderMalformed(message)
}

fn unpresentable(message: &'static str) -> S3Refusal {
    S3Refusal::AuthorizationQueryParametersError(message)
}
