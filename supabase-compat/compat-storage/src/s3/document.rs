//! The XML documents that clients send: the objects to delete, and the parts of a completed upload.

use super::S3Refusal;
use super::xml::walk;

/// The maximum number of keys in one request, as at AWS.
const MOST_KEYS: usize = 1000;
const MOST_PARTS: usize = 10_000;

/// The maximum document length: 10,000 parts with their digests, or 1,000 escaped keys of a
/// kilobyte each.
pub(crate) const LONGEST: usize = 4 << 20;

/// `DeleteObjects`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct DeleteRequest {
    pub(crate) keys: Vec<String>,
    /// Whether the response names only the failures.
    pub(crate) is_quiet: bool,
}

impl DeleteRequest {
    /// # Errors
    /// [`S3Refusal::MalformedXml`], also for no or too many keys; [`S3Refusal::NotImplemented`] for
    /// a version, which this service does not support.
    pub(crate) fn read(body: &[u8]) -> Result<Self, S3Refusal> {
        let (mut read, mut key) = (Self::default(), None);
        walk(text_of(body)?, |path, text| {
            match words(path).as_slice() {
                ["Delete", "Quiet"] => read.is_quiet = text == "true",
                ["Delete", "Object", "Key"] => key = Some(text.to_owned()),
                ["Delete", "Object", "VersionId"] if !matches!(text, "" | "null") => {
                    return Err(S3Refusal::NotImplemented);
                }
                ["Delete", "Object"] => {
                    read.keys.push(key.take().ok_or(S3Refusal::MalformedXml)?);
                }
                [root, ..] if *root != "Delete" => return Err(S3Refusal::MalformedXml),
                _ => {}
            }
            if read.keys.len() > MOST_KEYS { Err(S3Refusal::MalformedXml) } else { Ok(()) }
        })?;
        if read.keys.is_empty() { Err(S3Refusal::MalformedXml) } else { Ok(read) }
    }
}

/// A part that the client names when it completes an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The part number, from 1 to 10,000.
    pub(crate) number: u32,
    /// The entity tag without quotes.
    pub(crate) etag: String,
}

/// Parses `CompleteMultipartUpload`.
///
/// # Errors
/// [`S3Refusal::MalformedXml`], also for no or too many parts; [`S3Refusal::InvalidPartOrder`];
/// [`S3Refusal::InvalidPart`] for a number out of range.
pub(crate) fn read_parts(body: &[u8]) -> Result<Vec<Part>, S3Refusal> {
    let (mut parts, mut number, mut etag) = (Vec::<Part>::new(), None, None);
    walk(text_of(body)?, |path, text| {
        match words(path).as_slice() {
            ["CompleteMultipartUpload", "Part", "PartNumber"] => {
                number = Some(part_number(text).ok_or(S3Refusal::InvalidPart)?);
            }
            ["CompleteMultipartUpload", "Part", "ETag"] => {
                etag = Some(text.trim_matches('"').to_owned());
            }
            ["CompleteMultipartUpload", "Part"] => {
                let (Some(number), Some(etag)) = (number.take(), etag.take()) else {
                    return Err(S3Refusal::MalformedXml);
                };
                if parts.last().is_some_and(|last| last.number >= number) {
                    return Err(S3Refusal::InvalidPartOrder);
                }
                parts.push(Part { number, etag });
            }
            [root, ..] if *root != "CompleteMultipartUpload" => {
                return Err(S3Refusal::MalformedXml);
            }
            _ => {}
        }
        // Checked at each element, so that a long document is rejected before all of it is parsed.
        if parts.len() > MOST_PARTS { Err(S3Refusal::MalformedXml) } else { Ok(()) }
    })?;
    if parts.is_empty() { Err(S3Refusal::MalformedXml) } else { Ok(parts) }
}

/// Parses a part number; none if it is out of range.
pub(crate) fn part_number(text: &str) -> Option<u32> {
    let shaped = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = shaped.then(|| text.parse().ok()).flatten();
    number.filter(|number| (1..=10_000).contains(number))
}

fn text_of(body: &[u8]) -> Result<&str, S3Refusal> {
    std::str::from_utf8(body).map_err(|_| S3Refusal::MalformedXml)
}

fn words(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delete_request_document_is_parsed() {
        let body =
            b"<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Object><Key>a&amp;b\
                     </Key></Object><Object><Key>c/d</Key><VersionId>null</VersionId></Object>\
                     <Quiet>true</Quiet></Delete>";
        let keys = vec!["a&b".to_owned(), "c/d".to_owned()];
        assert_eq!(DeleteRequest::read(body), Ok(DeleteRequest { keys, is_quiet: true }));
    }

    #[test]
    fn deletions_that_cannot_be_are_refused() {
        let many = "<Object><Key>a</Key></Object>".repeat(1001);
        for (body, refusal) in [
            ("<Delete/>", S3Refusal::MalformedXml),
            ("<Other><Object><Key>a</Key></Object></Other>", S3Refusal::MalformedXml),
            ("<Delete><Object/></Delete>", S3Refusal::MalformedXml),
            (&*format!("<Delete>{many}</Delete>"), S3Refusal::MalformedXml),
            (
                "<Delete><Object><Key>a</Key><VersionId>7</VersionId></Object></Delete>",
                S3Refusal::NotImplemented,
            ),
        ] {
            assert_eq!(DeleteRequest::read(body.as_bytes()), Err(refusal), "{body}");
        }
        assert_eq!(DeleteRequest::read(b"<Delete>\xff</Delete>"), Err(S3Refusal::MalformedXml));
    }

    fn parts(inner: &str) -> Result<Vec<Part>, S3Refusal> {
        let body = format!("<CompleteMultipartUpload>{inner}</CompleteMultipartUpload>");
        read_parts(body.as_bytes())
    }

    #[test]
    fn parts_are_read_in_their_order() {
        let read = parts(
            "<Part><PartNumber>1</PartNumber><ETag>\"aa\"</ETag></Part>\
             <Part><ETag>&quot;bb&quot;</ETag><ChecksumCRC32>x</ChecksumCRC32>\
             <PartNumber>10000</PartNumber></Part>",
        );
        let part = |number, etag: &str| Part { number, etag: etag.to_owned() };
        assert_eq!(read, Ok(vec![part(1, "aa"), part(10_000, "bb")]));
    }

    #[test]
    fn parts_that_cannot_be_are_refused() {
        let part = |number| format!("<Part><PartNumber>{number}</PartNumber><ETag>a</ETag></Part>");
        for (inner, refusal) in [
            (String::new(), S3Refusal::MalformedXml),
            ("<Part><ETag>a</ETag></Part>".to_owned(), S3Refusal::MalformedXml),
            (part("0"), S3Refusal::InvalidPart),
            (part("10001"), S3Refusal::InvalidPart),
            (part("+1"), S3Refusal::InvalidPart),
            (format!("{}{}", part("2"), part("1")), S3Refusal::InvalidPartOrder),
            (format!("{}{}", part("2"), part("2")), S3Refusal::InvalidPartOrder),
        ] {
            assert_eq!(parts(&inner), Err(refusal), "{inner}");
        }
    }

    #[test]
    fn random_bodies_never_panic_the_parser() {
        let piece = "(<Delete>|</Delete>|<Object>|</Object>|<Key>|</Key>|<Part>|</Part>|<ETag>|\
                     </ETag>|<PartNumber>|</PartNumber>|<CompleteMultipartUpload>|\
                     </CompleteMultipartUpload>|[0-9a]){0,16}";
        compat_testkit::property_test("bodies", piece, |body: String| {
            if let Ok(read) = DeleteRequest::read(body.as_bytes()) {
                assert!((1..=MOST_KEYS).contains(&read.keys.len()));
            }
            if let Ok(parts) = read_parts(body.as_bytes()) {
                assert!(parts.windows(2).all(|pair| pair[0].number < pair[1].number));
            }
        });
    }
}
