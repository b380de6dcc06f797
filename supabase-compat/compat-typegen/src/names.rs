//! Converts PostgreSQL's names into names of a programming language: ASCII letters and digits, with
//! the words between other characters joined.

/// `pokemon_center` as `PokemonCenter`.
pub(crate) fn pascal(name: &str) -> String {
    words(name).map(capitalized).collect()
}

/// The runs of letters and digits, with an empty word for each additional character between them.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric())
}

/// The word with its first letter in upper case.
pub(crate) fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| {
        let first = first.to_ascii_uppercase();
        format!("{first}{}", characters.as_str())
    })
}

/// A text as a JSON string, which Go and Python parse in the same way.
pub(crate) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
