//! The media types that a bucket accepts.

/// A media type pattern of a bucket: `image/png`, `image/*`, or `*` for any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaPattern(String);

impl MediaPattern {
    /// Parses a pattern; none if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/')
        };
        let is_pair = text
            .split_once('/')
            .is_some_and(|(kind, form)| is_part(kind) && kind != "*" && is_part(form));
        (text == "*" || text == "*/*" || is_pair).then(|| Self(text.to_ascii_lowercase()))
    }

    /// Whether the pattern matches this type. Parameters count only where the pattern has some.
    pub fn takes(&self, media_type: &str) -> bool {
        let lower = media_type.trim().to_ascii_lowercase();
        let bare = lower.split(';').next().unwrap_or_default().trim();
        match self.0.strip_suffix("/*") {
            _ if self.0 == "*" => true,
            Some("*") => true,
            Some(kind) => bare.split_once('/').is_some_and(|(main, _)| main == kind),
            None => self.0 == bare || self.0 == lower,
        }
    }
}

/// Whether a bucket with these patterns accepts this type; a bucket without patterns accepts any.
pub fn is_taken(patterns: Option<&[String]>, media_type: &str) -> bool {
    let Some(patterns) = patterns.filter(|patterns| !patterns.is_empty()) else { return true };
    patterns.iter().filter_map(|text| MediaPattern::parse(text)).any(|one| one.takes(media_type))
}

/// Whether a text can be a `Content-Type`: printable, and of the form `type/subtype`.
pub fn is_media_type(text: &str) -> bool {
    let is_printable = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    text.len() <= 255 && text.bytes().all(is_printable) && {
        let bare = text.split(';').next().unwrap_or_default().trim();
        bare.split_once('/').is_some_and(|(kind, form)| !kind.is_empty() && !form.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_types_by_both_parts() {
        let takes = |pattern: &str, kind: &str| MediaPattern::parse(pattern).unwrap().takes(kind);
        assert!(takes("image/png", "image/png"));
        assert!(takes("image/png", "Image/PNG; charset=binary"));
        assert!(takes("image/*", "image/webp"));
        assert!(takes("*", "anything/else") && takes("*/*", "x/y"));
        assert!(takes("text/plain;charset=utf-8", "text/plain;charset=UTF-8"));
        assert!(!takes("image/*", "video/mp4") && !takes("image/png", "image/pngx"));
        assert!(!takes("image/*", "image") && !takes("image/*", "imagex/png"));
    }

    #[test]
    fn malformed_patterns_are_refused() {
        for text in ["", "image", "/", "image/", "/png", "*/png", "a/b/c", "image /png"] {
            assert_eq!(MediaPattern::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_bucket_without_patterns_takes_anything() {
        let png = ["image/png".to_owned()];
        assert!(is_taken(None, "video/mp4") && is_taken(Some(&[]), "video/mp4"));
        assert!(is_taken(Some(&png), "image/png") && !is_taken(Some(&png), "video/mp4"));
    }

    #[test]
    fn random_media_types_never_panic_the_parser() {
        let pair = ("\\PC{0,12}", "[a-z*]{0,6}/?[a-z*;=]{0,8}");
        compat_testkit::property_test("media types", pair, |(kind, pattern): (String, String)| {
            let one = MediaPattern::parse(&pattern);
            let accepted = is_taken(Some(std::slice::from_ref(&pattern)), &kind);
            assert_eq!(accepted, one.is_some_and(|one| one.takes(&kind)), "{pattern} {kind}");
            assert!(!is_media_type(&kind) || kind.contains('/'));
        });
    }
}
