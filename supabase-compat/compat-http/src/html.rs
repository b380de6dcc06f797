//! Text in HTML.

/// Text for an element or a quoted attribute.
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
}
