//! What people typed is stored with its five HTML signs escaped; here it is read back. The result is
//! text, to be escaped again wherever it is written into a page.

/// Text as its author typed it, without the escaping of storage.
pub fn unescape(stored: &str) -> String {
    let mut text = String::with_capacity(stored.len());
    let mut rest = stored;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (sign, length) = sign(rest);
        text.push(sign);
        rest = &rest[length..];
    }
    text.push_str(rest);
    text
}

/// The sign at the head of a text that begins with `&`, and the bytes it takes.
fn sign(text: &str) -> (char, usize) {
    const SIGNS: [(&str, char); 6] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&#x27;", '\''),
        ("&#39;", '\''),
    ];
    let known = SIGNS.iter().find(|(escaped, _)| text.starts_with(escaped));
    known.map_or(('&', 1), |(escaped, sign)| (*sign, escaped.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_five_signs_are_read_back_once() {
        assert_eq!(
            unescape("Tom &amp; &quot;Ada&quot; &lt;3 L&#x27;île"),
            "Tom & \"Ada\" <3 L'île"
        );
        assert_eq!(unescape("&amp;lt;"), "&lt;");
        assert_eq!(unescape("&nbsp; & &"), "&nbsp; & &");
    }
}
