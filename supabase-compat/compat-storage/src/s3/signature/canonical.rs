//! The canonical form of a request that both sides sign ("Canonical Request").

use std::borrow::Cow;

use http::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use super::SignatureParts;
use crate::s3::S3Refusal;

/// All characters that must be encoded: AWS leaves letters, digits and these four unencoded.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const IN_PATH: &AsciiSet = &UNRESERVED.remove(b'/');

/// The query parameter with the signature of a presigned URL, which is not part of the signed text.
const OWN: &str = "X-Amz-Signature";

/// A request, and the forms in which its path and host may have been signed.
pub(crate) struct CanonicalTarget<'a> {
    pub(crate) method: &'a str,
    /// The possible paths, percent-encoded; each names the same resource.
    pub(crate) paths: &'a [String],
    /// The query as received, without the question mark.
    pub(crate) query: &'a str,
    pub(crate) headers: &'a HeaderMap,
    /// The possible values of `host`.
    pub(crate) hosts: &'a [String],
}

impl CanonicalTarget<'_> {
    /// Checks that `host` and every `x-amz-` header was signed.
    pub(super) fn check_signed(&self, names: &[String]) -> Result<(), S3Refusal> {
        let is_signed = |name: &str| names.iter().any(|signed| signed == name);
        if !is_signed("host") {
            return Err(S3Refusal::AccessDenied("The host header must be signed"));
        }
        let mut signable = self.headers.keys().map(|name| name.as_str());
        match signable.find(|name| name.starts_with("x-amz-") && !is_signed(name)) {
            Some(_) => Err(S3Refusal::AccessDenied(
                "There were headers present in the request which were not signed",
            )),
            None => Ok(()),
        }
    }

    /// Every canonical form of the request, two for each path and host.
    pub(super) fn ways(
        &self,
        signature: &SignatureParts,
        payload: &str,
    ) -> Result<Vec<String>, S3Refusal> {
        let query = canonical_query(self.query);
        let names = signature.signed_headers.join(";");
        let mut ways = Vec::with_capacity(self.hosts.len() * self.paths.len());
        for host in self.hosts {
            let headers = self.header_lines(&signature.signed_headers, host)?;
            for path in self.paths {
                let method = self.method;
                // Some signers use the path as it is, without encoding it canonically.
                for path in [&canonical_path(path), path] {
                    ways.push(format!("{method}\n{path}\n{query}\n{headers}\n{names}\n{payload}"));
                }
            }
        }
        Ok(ways)
    }

    /// A line `name:value` for each signed header; a signed header that is absent makes the
    /// signature invalid.
    fn header_lines(&self, names: &[String], host: &str) -> Result<String, S3Refusal> {
        let mut lines = String::new();
        for name in names {
            let value = if name == "host" { host.to_owned() } else { self.value_of(name)? };
            lines.extend([name, ":", &value, "\n"]);
        }
        Ok(lines)
    }

    /// All values of a header, joined by commas; runs of spaces become one.
    fn value_of(&self, name: &str) -> Result<String, S3Refusal> {
        let mut values = Vec::new();
        for value in self.headers.get_all(name) {
            let text = std::str::from_utf8(value.as_bytes());
            let words = text.map_err(|_| S3Refusal::SignatureDoesNotMatch)?.split(' ');
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            values.push(words.join(" "));
        }
        if values.is_empty() { Err(S3Refusal::SignatureDoesNotMatch) } else { Ok(values.join(",")) }
    }
}

/// Encodes a path as AWS does: every byte once, except slashes.
pub(crate) fn encode_path(path: &[u8]) -> String {
    percent_encode(path, IN_PATH).to_string()
}

fn canonical_path(path: &str) -> String {
    let decoded: Cow<'_, [u8]> = percent_decode_str(path).into();
    encode_path(&decoded)
}

/// The sorted parameters, each encoded once.
fn canonical_query(query: &str) -> String {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut encoded: Vec<(String, String)> = pairs
        .filter(|(name, _)| *name != OWN)
        .map(|(name, value)| (canonical_word(name), canonical_word(value)))
        .collect();
    encoded.sort_unstable();
    let pairs: Vec<String> =
        encoded.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join("&")
}

/// Encodes a parameter; a plus means a space, as for the operations.
fn canonical_word(word: &str) -> String {
    let word = word.replace('+', "%20");
    let decoded: Cow<'_, [u8]> = percent_decode_str(&word).into();
    percent_encode(&decoded, UNRESERVED).to_string()
}
