//! The request body: removes the chunk framing and verifies the announced digests.

use bytes::Bytes;
use http::HeaderMap;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::S3Refusal;
use super::checksum::{Algorithm, Sum, promised};
use super::chunked::ChunkedBody;
use super::signature::Seed;

/// The meaning of `x-amz-content-sha256`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// The digest of the body, in hexadecimal.
    Digest(String),
    Unsigned,
    Framed {
        is_signed: bool,
        has_trailer: bool,
    },
}

impl Payload {
    /// # Errors
    /// [`S3Refusal::InvalidDigest`]; [`S3Refusal::NotImplemented`] for other streaming formats,
    /// such as signatures with elliptic curves.
    pub(crate) fn read(text: &str) -> Result<Self, S3Refusal> {
        let framed = |is_signed, has_trailer| Ok(Self::Framed { is_signed, has_trailer });
        let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match text {
            "UNSIGNED-PAYLOAD" => Ok(Self::Unsigned),
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" => framed(true, false),
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" => framed(true, true),
            "STREAMING-UNSIGNED-PAYLOAD-TRAILER" => framed(false, true),
            other if other.starts_with("STREAMING-") => Err(S3Refusal::NotImplemented),
            digest if digest.len() == 64 && digest.bytes().all(hexadecimal) => {
                Ok(Self::Digest(digest.to_owned()))
            }
            _ => Err(S3Refusal::InvalidDigest("x-amz-content-sha256")),
        }
    }
}

/// Decodes and verifies a request body.
pub(crate) struct Guard {
    chunked: Option<ChunkedBody>,
    digest: Option<(Sha256, String)>,
    sums: Vec<(Algorithm, Sum)>,
    promised: Vec<(Algorithm, Vec<u8>)>,
    /// The checksum that `x-amz-trailer` announced.
    announced: Option<Algorithm>,
}

impl Guard {
    /// Creates a guard for a request whose signature was verified.
    ///
    /// # Errors
    /// [`S3Refusal::MissingContentLength`] for a chunked body without its decoded length,
    /// [`S3Refusal::InvalidDigest`].
    pub(crate) fn new(
        payload: &Payload,
        seed: Option<Seed>,
        headers: &HeaderMap,
    ) -> Result<Self, S3Refusal> {
        let promised = promised(headers)?;
        let (mut chunked, mut announced) = (None, None);
        if let Payload::Framed { is_signed, has_trailer } = *payload {
            let length = decoded_length(headers).ok_or(S3Refusal::MissingContentLength)?;
            chunked = Some(ChunkedBody::new(seed.filter(|_| is_signed), has_trailer, length));
            let name = headers.get("x-amz-trailer").and_then(|name| name.to_str().ok());
            announced = name.and_then(|name| Algorithm::of_trailer(name.trim()));
        }
        let algorithms = promised.iter().map(|(algorithm, _)| *algorithm).chain(announced);
        let sums = algorithms.map(|algorithm| (algorithm, Sum::new(algorithm))).collect();
        let digest = match payload {
            Payload::Digest(digest) => Some((Sha256::new(), digest.clone())),
            _ => None,
        };
        Ok(Self { chunked, digest, sums, promised, announced })
    }

    /// The next bytes of the content; `None` if more input is needed.
    ///
    /// # Errors
    /// Framing errors.
    pub(crate) fn next(&mut self, input: &mut Bytes) -> Result<Option<Bytes>, S3Refusal> {
        let content = match &mut self.chunked {
            Some(chunked) => chunked.next(input)?,
            None => Some(std::mem::take(input)).filter(|content| !content.is_empty()),
        };
        if let Some(content) = &content {
            if let Some((digest, _)) = &mut self.digest {
                digest.update(content);
            }
            self.sums.iter_mut().for_each(|(_, sum)| sum.update(content));
        }
        Ok(content)
    }

    /// Verifies the whole content against the announced digests.
    ///
    /// # Errors
    /// [`S3Refusal::IncompleteBody`], [`S3Refusal::XAmzContentSha256Mismatch`],
    /// [`S3Refusal::BadDigest`].
    pub(crate) fn finish(mut self) -> Result<(), S3Refusal> {
        if let Some(chunked) = self.chunked.take() {
            let trailers = chunked.finish()?;
            let carried =
                |algorithm: &Algorithm| trailers.iter().any(|(carried, _)| carried == algorithm);
            // Otherwise a body whose checksum was announced and never sent would pass unverified.
            if self.announced.is_some_and(|announced| !carried(&announced)) {
                return Err(S3Refusal::InvalidRequest("the trailer that was announced is missing"));
            }
            self.promised.extend(trailers);
        }
        if let Some((digest, expected)) = self.digest.take() {
            let computed = hex::encode(digest.finalize());
            if !bool::from(computed.as_bytes().ct_eq(expected.as_bytes())) {
                return Err(S3Refusal::XAmzContentSha256Mismatch);
            }
        }
        for (algorithm, expected) in self.promised {
            let at = self.sums.iter().position(|(known, _)| *known == algorithm);
            let unannounced = S3Refusal::InvalidRequest("there are trailers nobody announced");
            let (_, sum) = at.map(|at| self.sums.swap_remove(at)).ok_or(unannounced)?;
            if sum.finish() != expected {
                return Err(S3Refusal::BadDigest(algorithm.header()));
            }
        }
        Ok(())
    }
}

/// The content length, if it is announced: a chunked body has a header of its own for it.
pub(crate) fn content_length(payload: &Payload, headers: &HeaderMap) -> Option<u64> {
    match payload {
        Payload::Framed { .. } => decoded_length(headers),
        _ => length(headers, "content-length"),
    }
}

fn decoded_length(headers: &HeaderMap) -> Option<u64> {
    length(headers, "x-amz-decoded-content-length")
}

fn length(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    fn guarded(payload: &Payload, headers: &HeaderMap, body: &[u8]) -> Result<Vec<u8>, S3Refusal> {
        let mut guard = Guard::new(payload, None, headers)?;
        let (mut input, mut output) = (Bytes::copy_from_slice(body), Vec::new());
        while let Some(content) = guard.next(&mut input)? {
            output.extend_from_slice(&content);
        }
        guard.finish().map(|()| output)
    }

    #[test]
    fn body_must_match_its_digests() {
        let digest = hex::encode(Sha256::digest(b"hello, y"));
        let signed = Payload::read(&digest).unwrap();
        let crc = headers(&[("x-amz-checksum-crc32", "chnnow==")]);
        assert_eq!(guarded(&signed, &crc, b"hello, y"), Ok(b"hello, y".to_vec()));
        let refusal = guarded(&signed, &HeaderMap::new(), b"hello, z");
        assert_eq!(refusal, Err(S3Refusal::XAmzContentSha256Mismatch));
        let refusal = guarded(&Payload::Unsigned, &crc, b"hello, z");
        assert_eq!(refusal, Err(S3Refusal::BadDigest("x-amz-checksum-crc32")));
        let md5 = headers(&[("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg==")]);
        assert_eq!(guarded(&Payload::Unsigned, &md5, b""), Ok(Vec::new()));
        let refusal = guarded(&Payload::Unsigned, &md5, b"x");
        assert_eq!(refusal, Err(S3Refusal::BadDigest("content-md5")));
    }

    #[test]
    fn trailer_must_match_its_announcement() {
        let framed = Payload::read("STREAMING-UNSIGNED-PAYLOAD-TRAILER").unwrap();
        let length = ("x-amz-decoded-content-length", "5");
        let announced = headers(&[length, ("x-amz-trailer", "x-amz-checksum-crc32")]);
        let body = |trailer: &str| format!("5\r\nhello\r\n0\r\n{trailer}\r\n").into_bytes();
        let right = body("x-amz-checksum-crc32:NhCmhg==\r\n");
        let wrong = body("x-amz-checksum-crc32:AAAAAA==\r\n");
        assert_eq!(guarded(&framed, &announced, &right), Ok(b"hello".to_vec()));
        let refusal = guarded(&framed, &announced, &wrong);
        assert_eq!(refusal, Err(S3Refusal::BadDigest("x-amz-checksum-crc32")));
        for (headers, body) in [(announced, body("")), (headers(&[length]), right)] {
            let refusal = guarded(&framed, &headers, &body);
            assert!(matches!(refusal, Err(S3Refusal::InvalidRequest(_))));
        }
        let refusal = guarded(&framed, &HeaderMap::new(), b"");
        assert_eq!(refusal, Err(S3Refusal::MissingContentLength));
    }

    #[test]
    fn payload_that_is_no_digest_is_refused() {
        let short = Payload::read("abc");
        assert_eq!(short, Err(S3Refusal::InvalidDigest("x-amz-content-sha256")));
        let curve = Payload::read("STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD");
        assert_eq!(curve, Err(S3Refusal::NotImplemented));
    }
}
