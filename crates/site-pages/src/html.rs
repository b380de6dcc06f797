//! Text that is safe inside HTML.

use serde_json::Value;

/// JSON that cannot end the script element around it.
pub fn in_script(value: &Value) -> String {
    keep_in_script(&value.to_string())
}

/// Like [`in_script`], for JSON that is already text. These characters occur only inside JSON
/// strings.
pub fn keep_in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Cuts a text at `length` characters, at the end of a word if one is near, with an ellipsis. The
/// front end does the same (`frontend/src/lib/text/stored-text.ts`).
pub fn shorten(text: &str, length: usize) -> String {
    let cut: Vec<char> = text.chars().take(length + 1).collect();
    if cut.len() <= length {
        return text.to_owned();
    }
    let cut = &cut[..length];
    let word = cut.iter().rposition(|character| character.is_whitespace());
    let end = word.filter(|word| word * 10 > length * 7).unwrap_or(length);
    let short: String = cut[..end].iter().collect();
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorten_matches_the_frontend_test_vectors() {
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
