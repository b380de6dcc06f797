//! Titles and descriptions, from the same files the pages use, so that both say the same.

use std::sync::LazyLock;

use serde_json::Value;

use super::paths::Language;

static FR: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../frontend/locales/fr/seo.json")));
static EN: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../frontend/locales/en/seo.json")));
static ES: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../frontend/locales/es/seo.json")));

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The title and the description of a kind of page, `{{names}}` filled in.
pub fn title_and_description(
    language: Language,
    key: &str,
    values: &[(&str, &str)],
) -> (String, String) {
    let texts = match language {
        Language::Fr => &FR[key],
        Language::En => &EN[key],
        Language::Es => &ES[key],
    };
    let text = |name: &str| fill(texts[name].as_str().unwrap_or_default(), values);
    (text("title"), text("description"))
}

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{{{name}}}}}"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_same_keys_and_no_empty_text() {
        for (key, texts) in FR.as_object().expect("texts") {
            for language in [&EN, &ES] {
                let same = language[key].as_object().expect("the same key");
                let names: Vec<_> = same.keys().collect();
                assert_eq!(
                    names,
                    texts.as_object().expect("texts").keys().collect::<Vec<_>>(),
                    "{key}"
                );
                assert!(same.values().all(|text| !text.as_str().unwrap_or_default().is_empty()));
            }
        }
    }

    #[test]
    fn names_are_filled_in() {
        let (title, _) = title_and_description(Language::En, "game", &[("game", "Rust")]);
        assert!(title.contains("Rust") && !title.contains("{{"), "{title}");
    }
}
