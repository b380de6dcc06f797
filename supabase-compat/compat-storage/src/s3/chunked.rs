//! The framing of a body that is signed while it is sent (`Content-Encoding: aws-chunked`): chunks
//! of `size[;chunk-signature=…]`, each signature computed over the previous one, and trailers at
//! the end.
//!
//! The decoder receives the bytes as they arrive and returns slices of the same memory; of the
//! framing it buffers one line at most. If a signature turns out wrong, the caller must discard the
//! bytes that it received before.

use bytes::{Buf as _, Bytes};
use sha2::{Digest as _, Sha256};

use super::S3Refusal;
use super::checksum::Algorithm;
use super::signature::{EMPTY_SHA256, Seed};

/// The maximum length of a framing line; a size and a signature take less.
const LONGEST_LINE: usize = 1024;
/// The maximum length of all trailers together.
const LONGEST_TRAILERS: usize = 4096;
/// The maximum chunk size; AWS accepts parts of up to 5 GiB.
const LARGEST_CHUNK: u64 = 5 << 30;

const CHUNK: &str = "AWS4-HMAC-SHA256-PAYLOAD";
const TRAILER: &str = "AWS4-HMAC-SHA256-TRAILER";
const TRAILER_SIGNATURE: &str = "x-amz-trailer-signature";

/// The state of the decoder.
enum State {
    /// Reading the line with a chunk's size.
    Size,
    /// Reading the chunk's data; the number of bytes still missing.
    Data(u64),
    /// Reading the line break after a chunk.
    End,
    Trailers,
    Over,
}

/// The chain of chunk signatures.
struct Chain {
    seed: Seed,
    /// The signature that the current chunk claims.
    claimed: String,
    digest: Sha256,
}

/// Decodes a chunked body.
pub(crate) struct ChunkedBody {
    state: State,
    line: Vec<u8>,
    chain: Option<Chain>,
    has_trailer: bool,
    trailers: Vec<(String, String)>,
    trailers_len: usize,
    trailer_signature: Option<String>,
    decoded: u64,
    promised: u64,
}

impl ChunkedBody {
    /// `promised` is `x-amz-decoded-content-length`; with a `seed` each chunk must be signed.
    pub(crate) fn new(seed: Option<Seed>, has_trailer: bool, promised: u64) -> Self {
        let chain = seed.map(|seed| Chain { seed, claimed: String::new(), digest: Sha256::new() });
        Self {
            state: State::Size,
            line: Vec::new(),
            chain,
            has_trailer,
            trailers: Vec::new(),
            trailers_len: 0,
            trailer_signature: None,
            decoded: 0,
            promised,
        }
    }

    /// The next bytes of the body; `None` if more input is needed.
    ///
    /// # Errors
    /// [`S3Refusal::SignatureDoesNotMatch`], [`S3Refusal::IncompleteBody`] if the body is longer
    /// than announced, [`S3Refusal::InvalidRequest`] for invalid framing.
    pub(crate) fn next(&mut self, input: &mut Bytes) -> Result<Option<Bytes>, S3Refusal> {
        while !input.is_empty() {
            match self.state {
                State::Data(left) => return self.data(left, input).map(Some),
                State::Over => return Err(invalid("there is something behind the last chunk")),
                State::Size | State::End | State::Trailers => {
                    if let Some(line) = self.line(input)? {
                        self.read_line(&line)?;
                    }
                }
            }
        }
        Ok(None)
    }

    /// The checksums in the trailers, after the whole body was read.
    ///
    /// # Errors
    /// [`S3Refusal::IncompleteBody`] if a part of the body is missing;
    /// [`S3Refusal::SignatureDoesNotMatch`] if the trailers' signature is missing or wrong.
    pub(crate) fn finish(mut self) -> Result<Vec<(Algorithm, Vec<u8>)>, S3Refusal> {
        // Some clients omit the last line break.
        let is_over = matches!(self.state, State::Over | State::Trailers) && self.line.is_empty();
        if !is_over || self.decoded != self.promised {
            return Err(S3Refusal::IncompleteBody);
        }
        self.check_trailers()?;
        let carried = |(name, value): &(String, String)| {
            let algorithm = Algorithm::of_trailer(name)?;
            Some(algorithm.read(value).map(|digest| (algorithm, digest)))
        };
        self.trailers.iter().filter_map(carried).collect()
    }

    fn data(&mut self, left: u64, input: &mut Bytes) -> Result<Bytes, S3Refusal> {
        let len = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
        let bytes = input.split_to(len);
        let left = left - len as u64;
        self.decoded += len as u64;
        if let Some(chain) = &mut self.chain {
            chain.digest.update(&bytes);
        }
        self.state = State::Data(left);
        if left == 0 {
            self.end_chunk()?;
            self.state = State::End;
        }
        Ok(bytes)
    }

    /// The next complete line without its line break; none if more input is needed.
    fn line(&mut self, input: &mut Bytes) -> Result<Option<String>, S3Refusal> {
        let end = input.iter().position(|byte| *byte == b'\n');
        let len = end.unwrap_or(input.len());
        if self.line.len() + len > LONGEST_LINE {
            return Err(invalid("a line of the framing is too long"));
        }
        self.line.extend_from_slice(&input.split_to(len));
        if end.is_none() {
            return Ok(None);
        }
        input.advance(1);
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        String::from_utf8(line).map(Some).map_err(|_| invalid("a line of the framing is no text"))
    }

    fn read_line(&mut self, line: &str) -> Result<(), S3Refusal> {
        match self.state {
            State::Size => self.begin_chunk(line),
            State::End if line.is_empty() => {
                self.state = State::Size;
                Ok(())
            }
            State::End => Err(invalid("a chunk is longer than it says")),
            _ if line.is_empty() => {
                self.state = State::Over;
                Ok(())
            }
            _ => self.trailer(line),
        }
    }

    fn begin_chunk(&mut self, line: &str) -> Result<(), S3Refusal> {
        let (size, extension) = line.split_once(';').unwrap_or((line, ""));
        let digits = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_hexdigit());
        let size = digits.then(|| u64::from_str_radix(size, 16).ok()).flatten();
        let size = size.filter(|size| *size <= LARGEST_CHUNK);
        let size = size.ok_or(invalid("a chunk's size is no number"))?;
        if self.decoded + size > self.promised {
            return Err(S3Refusal::IncompleteBody);
        }
        if let Some(chain) = &mut self.chain {
            let claimed = extension.strip_prefix("chunk-signature=");
            chain.claimed = claimed.ok_or(S3Refusal::SignatureDoesNotMatch)?.to_owned();
        }
        self.state = State::Data(size);
        if size == 0 {
            self.end_chunk()?;
            self.state = State::Trailers;
        }
        Ok(())
    }

    fn end_chunk(&mut self) -> Result<(), S3Refusal> {
        let Some(chain) = &mut self.chain else { return Ok(()) };
        let digest = hex::encode(std::mem::take(&mut chain.digest).finalize());
        let claimed = std::mem::take(&mut chain.claimed);
        chain.accept(CHUNK, &format!("{EMPTY_SHA256}\n{digest}"), claimed)
    }

    fn trailer(&mut self, line: &str) -> Result<(), S3Refusal> {
        self.trailers_len += line.len();
        if !self.has_trailer || self.trailers_len > LONGEST_TRAILERS {
            return Err(invalid("there are trailers nobody announced"));
        }
        let (name, value) = line.split_once(':').ok_or(invalid("a trailer has no name"))?;
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_owned());
        if name == TRAILER_SIGNATURE {
            self.trailer_signature = Some(value);
        } else {
            self.trailers.push((name, value));
        }
        Ok(())
    }

    /// Verifies the trailers' signature, the last one in the chain.
    fn check_trailers(&mut self) -> Result<(), S3Refusal> {
        let Some(chain) = self.chain.as_mut().filter(|_| self.has_trailer) else { return Ok(()) };
        let claimed = self.trailer_signature.take().ok_or(S3Refusal::SignatureDoesNotMatch)?;
        let lines: String =
            self.trailers.iter().map(|(name, value)| format!("{name}:{value}\n")).collect();
        chain.accept(TRAILER, &hex::encode(Sha256::digest(lines.as_bytes())), claimed)
    }
}

impl Chain {
    /// Verifies a signature against the previous one and continues the chain with it.
    fn accept(&mut self, kind: &str, digests: &str, claimed: String) -> Result<(), S3Refusal> {
        let Seed { timestamp, scope, signature, .. } = &self.seed;
        let text = format!("{kind}\n{timestamp}\n{scope}\n{signature}\n{digests}");
        if !self.seed.key.is_signature_of(&text, &claimed) {
            return Err(S3Refusal::SignatureDoesNotMatch);
        }
        self.seed.signature = claimed;
        Ok(())
    }
}

fn invalid(message: &'static str) -> S3Refusal {
    S3Refusal::InvalidRequest(message)
}

#[cfg(test)]
mod tests;
