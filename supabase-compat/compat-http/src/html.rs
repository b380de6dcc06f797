//! Escaping of text in HTML.

/// Escapes text for an element or a quoted attribute.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Undoes [`escape_html`]. The result must be escaped again before it is written into a page.
pub fn unescape_html(escaped: &str) -> String {
    let mut text = String::with_capacity(escaped.len());
    let mut rest = escaped;
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

/// The character that a text beginning with `&` encodes at its start, and the bytes it takes.
fn sign(text: &str) -> (char, usize) {
    const SIGNS: [(&str, char); 6] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&#x27;", '\''),
        ("&#39;", '\''),
    ];
    let known = SIGNS.iter().find(|(form, _)| text.starts_with(form));
    known.map_or(('&', 1), |(form, sign)| (*sign, form.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_no_element_and_no_attribute() {
        assert_eq!(
            escape_html("<b a=\"1\" b='2'>&é"),
            "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;é"
        );
    }

    #[test]
    fn the_five_signs_are_read_back_once() {
        assert_eq!(
            unescape_html("Tom &amp; &quot;Ada&quot; &lt;3 L&#x27;île"),
            "Tom & \"Ada\" <3 L'île"
        );
        assert_eq!(unescape_html("&amp;lt;"), "&lt;");
        assert_eq!(unescape_html("&nbsp; & &"), "&nbsp; & &");
    }
}
