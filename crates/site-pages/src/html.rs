//! Text as it may stand in HTML.

use serde_json::Value;

/// JSON that cannot end the script element it stands in.
pub fn in_script(value: &Value) -> String {
    keep_in_script(&value.to_string())
}

/// The same of JSON that is text already: these characters stand nowhere but in its strings.
pub fn keep_in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Cut at `length` characters, at a word's end where one is near, with an ellipsis. The pages do
/// the same (`frontend/src/lib/text/stored-text.ts`).
pub fn shorten(text: &str, length: usize) -> String {
    let cut: Vec<char> = text.chars().take(length + 1).collect();
    if cut.len() <= length {
        return text.to_owned();
    }
    let cut = &cut[..length];
    let word = cut.iter().rposition(|letter| letter.is_whitespace());
    let end = word.filter(|word| word * 10 > length * 7).unwrap_or(length);
    let short: String = cut[..end].iter().collect();
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_description_is_cut_where_the_pages_cut_it() {
        let vectors: Value = serde_json::from_str(include_str!(
            "../../../frontend/src/lib/stored-text.vectors.json"
        ))
        .expect("vectors");
        for vector in vectors["shortened"].as_array().expect("a list") {
            let text = vector["text"].as_str().expect("a text");
            let length = vector["length"].as_u64().expect("a length");
            let short = shorten(text, usize::try_from(length).expect("a length"));
            assert_eq!(short, vector["short"], "{vector}");
        }
    }
}
