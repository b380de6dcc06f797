//! Stored descriptions as plain text, for titles and previews.
//!
//! Owners' texts are stored with the five special characters of HTML escaped. This module unescapes
//! them and removes formatting. The result is plain text, which must be escaped again when it is
//! written into a page.

pub use compat_http::unescape_html as unescape;

/// The tags that may be inside a word; any other tag separates words.
const INLINE: [&str; 9] = ["a", "b", "code", "em", "i", "s", "span", "strong", "u"];

/// A stored description on one line: unescaped, without tags, bold and italic marks. The pages do
/// the same (`frontend/src/lib/text/stored-text.ts`).
pub fn summary(stored: &str) -> String {
    // The marks are removed first: if they were removed later, a tag could result where there was
    // none.
    let text = unescape(stored).replace('*', "");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        let (tag, after) = rest[at..].split_at(tag(&rest[at..]));
        if tag.is_empty() {
            plain.push('<');
            rest = &after[1..];
            continue;
        }
        // A `<` before a tag must not begin a tag with the text after it.
        if !is_inline(tag) || plain.ends_with('<') {
            plain.push(' ');
        }
        rest = after;
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The length in bytes of the tag at the start of a text that begins with `<`; 0 when it is not a
/// tag.
fn tag(text: &str) -> usize {
    let opens = text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    let end = text.find('>').map_or(text.len(), |at| at + 1);
    if opens { end } else { 0 }
}

fn is_inline(tag: &str) -> bool {
    let name = tag[1..].trim_start_matches('/');
    let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    INLINE.iter().any(|inline| name.eq_ignore_ascii_case(inline))
}

#[cfg(test)]
mod tests {
    use super::*;
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn a_description_becomes_one_plain_line() {
        let stored = "&lt;p&gt;**Bienvenue** sur&lt;/p&gt;\n&lt;p&gt;L&#x27;île&lt;/p&gt;";
        assert_eq!(summary(stored), "Bienvenue sur L'île");
        assert_eq!(summary("1 &lt; 2 &lt;br&gt; *3* &gt; 2"), "1 < 2 3 > 2");
        assert_eq!(summary("cut &lt;b off"), "cut");
        assert_eq!(summary("&lt;*b*&gt;bold"), "bold");
    }

    #[test]
    fn a_description_reads_as_on_the_pages() {
        let vectors: Value = serde_json::from_str(include_str!(
            "../../../../frontend/src/lib/stored-text.vectors.json"
        ))
        .expect("vectors");
        for vector in vectors["plain"].as_array().expect("a list") {
            let stored = vector["stored"].as_str().expect("a text");
            assert_eq!(summary(stored), vector["plain"], "{vector}");
        }
    }

    fn escape(text: &str) -> String {
        let ampersands = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        ampersands.replace('"', "&quot;").replace('\'', "&#x27;")
    }

    #[test]
    fn random_texts_survive_escaping_exactly() {
        property_test("escaping", any::<String>(), |text| {
            assert_eq!(unescape(&escape(&text)), text)
        });
    }

    #[test]
    fn random_summaries_hold_no_tag_or_line_break() {
        property_test("summary", prop_oneof![any::<String>(), "[<>&;*/a-z\\n]{0,40}"], |text| {
            let plain = summary(&text);
            let opens = |(at, _): (usize, &str)| tag(&plain[at..]) > 0;
            assert!(!plain.match_indices('<').any(opens) && !plain.contains('\n'), "{plain}");
        });
    }
}
