//! Follows the bytes of one connection and encodes what stands unencoded in an address.
//!
//! hyper reads the same bytes behind this reader, so that nothing here may be taken for an address
//! which hyper takes for something else. Only the plainest form of a request is known, read in
//! hyper's own steps; from the first byte outside of it everything passes as it is, and what hyper
//! makes of it is what the sender wrote.

/// The most bytes that are examined of a method, a version, a header's name or a length.
const WINDOW: usize = 64;

/// The position of the next byte within the stream of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ParsePosition {
    /// In a method or the empty lines before one.
    Method,
    /// In an address.
    Target,
    /// Behind an address, in its line.
    Version,
    /// At the beginning of a header, in its name.
    Name,
    /// In the value of `Content-Length`.
    Length,
    /// In the value of any other header.
    Value,
    /// In a body, so many bytes before its end.
    Body(u64),
    /// Beyond the point up to which the stream is parsed.
    Beyond,
}

/// The reader of one connection.
#[derive(Debug)]
pub(super) struct Sanitizer {
    place: ParsePosition,
    /// The bytes read so far of the current word, at most [`WINDOW`].
    word: Vec<u8>,
    /// The body's length, once a header of the current request has given it.
    length: Option<u64>,
}

impl Sanitizer {
    pub fn new() -> Self {
        Self { place: ParsePosition::Method, word: Vec::with_capacity(WINDOW), length: None }
    }

    /// Parses `bytes`; returns the sanitized bytes if any had to be changed.
    pub fn sanitize(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut sanitized: Option<Vec<u8>> = None;
        let mut rest = bytes;
        while !rest.is_empty() {
            let in_target = self.place == ParsePosition::Target;
            let (passed, after) = rest.split_at(self.step(rest).min(rest.len()));
            if in_target && passed.iter().any(|byte| is_forgiven(*byte)) {
                let before = bytes.len() - rest.len();
                let start = || bytes.get(..before).unwrap_or_default().to_vec();
                encode(passed, sanitized.get_or_insert_with(start));
            } else if let Some(sanitized) = &mut sanitized {
                sanitized.extend_from_slice(passed);
            }
            rest = after;
        }
        sanitized
    }

    /// Continues at the current position; returns how many bytes belong to it.
    fn step(&mut self, bytes: &[u8]) -> usize {
        match self.place {
            ParsePosition::Method => self.method(bytes),
            ParsePosition::Target => self.target(bytes),
            ParsePosition::Version => self.version(bytes),
            ParsePosition::Name => self.name(bytes),
            ParsePosition::Length => self.length(bytes),
            ParsePosition::Value => self.value(bytes),
            ParsePosition::Body(left) => self.body(bytes, left),
            ParsePosition::Beyond => bytes.len(),
        }
    }

    fn method(&mut self, bytes: &[u8]) -> usize {
        self.word(bytes, b" \n", |word| match word {
            // Every server ignores empty lines before a request.
            b"\r\n" | b"\n" => ParsePosition::Method,
            // No request follows the head of a tunnel.
            b"CONNECT " => ParsePosition::Beyond,
            _ => match word.strip_suffix(b" ") {
                Some(method) if is_token(method) => ParsePosition::Target,
                _ => ParsePosition::Beyond,
            },
        })
    }

    fn target(&mut self, bytes: &[u8]) -> usize {
        let Some(end) = bytes.iter().position(|byte| *byte <= b' ' || *byte == 0x7f) else {
            return bytes.len();
        };
        self.place = if bytes.get(end) == Some(&b' ') {
            ParsePosition::Version
        } else {
            ParsePosition::Beyond
        };
        end + 1
    }

    fn version(&mut self, bytes: &[u8]) -> usize {
        self.length = None;
        self.word(bytes, b"\n", |word| match word {
            b"HTTP/1.1\r\n" | b"HTTP/1.1\n" | b"HTTP/1.0\r\n" | b"HTTP/1.0\n" => {
                ParsePosition::Name
            }
            _ => ParsePosition::Beyond,
        })
    }

    fn name(&mut self, bytes: &[u8]) -> usize {
        let length = self.length;
        self.word(bytes, b":\n", |word| match (word, word.strip_suffix(b":")) {
            (b"\r\n" | b"\n", _) => body_of(length.unwrap_or(0)),
            (_, Some(name)) if is_token(name) => value_of(name, length),
            _ => ParsePosition::Beyond,
        })
    }

    fn length(&mut self, bytes: &[u8]) -> usize {
        let mut stated = None;
        let size = self.word(bytes, b"\n", |word| {
            stated = length_in(word);
            stated.map_or(ParsePosition::Beyond, |_| ParsePosition::Name)
        });
        self.length = stated;
        size
    }

    fn value(&mut self, bytes: &[u8]) -> usize {
        match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                self.place = ParsePosition::Name;
                end + 1
            }
            None => bytes.len(),
        }
    }

    fn body(&mut self, bytes: &[u8], left: u64) -> usize {
        let size = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        self.place = body_of(left - size as u64);
        size
    }

    /// Reads on in a word, up to and with one of `ends`; when it is whole, `next` says what
    /// follows. A word that is longer than the window is not understood.
    fn word(
        &mut self,
        bytes: &[u8],
        ends: &[u8],
        next: impl FnOnce(&[u8]) -> ParsePosition,
    ) -> usize {
        let end = bytes.iter().position(|byte| ends.contains(byte));
        let size = end.map_or(bytes.len(), |at| at + 1);
        let part = bytes.get(..size).unwrap_or(bytes);
        if self.word.len() + part.len() > WINDOW {
            self.place = ParsePosition::Beyond;
            return size;
        }
        self.word.extend_from_slice(part);
        if end.is_some() {
            self.place = next(&self.word);
            self.word.clear();
        }
        size
    }
}

/// The position at the start of a body of this length.
fn body_of(length: u64) -> ParsePosition {
    if length == 0 { ParsePosition::Method } else { ParsePosition::Body(length) }
}

/// The position after a header's name; `length` is the body's length, if a header has given it
/// already.
fn value_of(name: &[u8], length: Option<u64>) -> ParsePosition {
    let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
    match length {
        _ if is(b"transfer-encoding") || is(b"upgrade") => ParsePosition::Beyond,
        None if is(b"content-length") => ParsePosition::Length,
        Some(_) if is(b"content-length") => ParsePosition::Beyond,
        _ => ParsePosition::Value,
    }
}

/// The length in the value of a line: digits, with blanks around them.
fn length_in(line: &[u8]) -> Option<u64> {
    let value = line.strip_suffix(b"\n")?;
    let value = value.strip_suffix(b"\r").unwrap_or(value);
    let digits = std::str::from_utf8(value).ok()?.trim_matches([' ', '\t']);
    // A number may carry a sign for Rust, not for HTTP.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// A token of RFC 9110, 5.6.2.
fn is_token(word: &[u8]) -> bool {
    let marks = b"!#$%&'*+-.^_`|~";
    !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(byte))
}

/// Printable characters that an address may not contain, but that many do.
pub(super) fn is_forgiven(byte: u8) -> bool {
    matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

fn encode(target: &[u8], into: &mut Vec<u8>) {
    for byte in target {
        if is_forgiven(*byte) {
            into.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            into.push(*byte);
        }
    }
}
