//! Titles, descriptions and headings, from the files that the front end also uses.

use std::sync::LazyLock;

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value;

use page_registry::Language;

static FR: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../frontend/locales/fr/seo.json")));
static EN: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../frontend/locales/en/seo.json")));
static ES: LazyLock<Value> =
    LazyLock::new(|| parse(include_str!("../../../../frontend/locales/es/seo.json")));

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The title and the description of a kind of page, with the values in place of their `{{names}}`.
pub fn title_and_description(
    language: Language,
    key: &str,
    values: &[(&str, &str)],
) -> (String, String) {
    let all = match language {
        Language::Fr => &*FR,
        Language::En => &*EN,
        Language::Es => &*ES,
    };
    // The sections of such a page share a head, since only owners or administrators read it.
    let shared = if key.starts_with("editServer") { "editServer" } else { "admin" };
    let texts = all.get(key).unwrap_or(&all[shared]);
    let text = |name: &str| fill(texts[name].as_str().unwrap_or_default(), values);
    (text("title"), text("description"))
}

/// The texts of the home page; like the statics below, in the order of [`Language::ALL`].
static HOME: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        parse(include_str!("../../../../frontend/locales/fr/home.json")),
        parse(include_str!("../../../../frontend/locales/en/home.json")),
        parse(include_str!("../../../../frontend/locales/es/home.json")),
    ]
});
static NAMES: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        parse(include_str!("../../../../frontend/locales/fr/pages.json")),
        parse(include_str!("../../../../frontend/locales/en/pages.json")),
        parse(include_str!("../../../../frontend/locales/es/pages.json")),
    ]
});
static UI: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        parse(include_str!("../../../../frontend/locales/fr/ui.json")),
        parse(include_str!("../../../../frontend/locales/en/ui.json")),
        parse(include_str!("../../../../frontend/locales/es/ui.json")),
    ]
});

/// The text with this name in `hero` of the home page, with the values in place of its `{{names}}`.
pub fn hero(language: Language, name: &str, values: &[(&str, &str)]) -> String {
    let text = HOME[language as usize]["hero"][name].as_str().unwrap_or_default();
    fill(text, values)
}

/// The name of a page in a list of pages.
pub fn page_name(language: Language, key: &str) -> String {
    NAMES[language as usize][key].as_str().unwrap_or_default().to_owned()
}

/// The month and year of a day: `novembre 2026`.
pub fn month_name(language: Language, day: NaiveDate) -> String {
    // The language is the index, so the order is that of `Language::ALL`.
    const NAMES: [[&str; 12]; 3] = [
        [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
        [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
    ];
    let of = if language == Language::Es { " de " } else { " " };
    format!("{}{of}{}", NAMES[language as usize][day.month0() as usize], day.year())
}

/// An interval in the largest unit of which it is a whole number: `every 2 hours`.
pub fn every(language: Language, seconds: i64) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    let (length, unit) =
        units.into_iter().find(|(length, _)| seconds % length == 0).unwrap_or((1, "second"));
    let count = seconds / length;
    let form = if count == 1 { "one" } else { "other" };
    let text = UI[language as usize]["every"][format!("{unit}_{form}")].as_str();
    fill(text.unwrap_or_default(), &[("count", &count.to_string())])
}

/// Replaces the `{{names}}` of a text by the values.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{{{name}}}}}"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use page_registry::PAGES;

    #[test]
    fn languages_share_keys_and_have_no_empty_text() {
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
    fn every_page_has_its_texts_in_every_language() {
        for page in PAGES.iter() {
            // These pages have the texts of the page that they show.
            let key = match &*page.key {
                "shortcut" => "game",
                "serverById" => "server",
                key => key,
            };
            for language in Language::ALL {
                let (title, description) =
                    title_and_description(language, key, &[("description", "d")]);
                assert!(!title.is_empty() && !description.is_empty(), "{key} {language:?}");
            }
            let is_section = ["admin", "editServer"].iter().any(|page| key.starts_with(page));
            assert!(FR.get(key).is_some() || is_section, "{key} has no texts");
        }
    }

    #[test]
    fn headings_are_filled_in_for_every_language() {
        for language in Language::ALL {
            let every = every(language, 7200);
            for name in ["title", "lead", "gameTitle", "gameLead"] {
                let text = hero(language, name, &[("game", "Rust"), ("every", &every)]);
                assert!(!text.is_empty() && !text.contains("{{"), "{name} {language:?}: {text}");
            }
        }
        assert_eq!(every(Language::Fr, 7200), "toutes les 2 heures");
        assert_eq!(every(Language::En, 86_400), "every day");
    }

    #[test]
    fn months_are_called_as_the_pages_call_them() {
        let day = NaiveDate::from_ymd_opt(2026, 8, 1).expect("a day");
        let names = Language::ALL.map(|language| month_name(language, day));
        assert_eq!(names, ["août 2026", "August 2026", "agosto de 2026"]);
    }

    #[test]
    fn names_are_filled_in() {
        let (title, _) =
            title_and_description(Language::En, "game", &[("game", "Rust"), ("site", "P")]);
        assert!(title.contains("Rust") && !title.contains("{{"), "{title}");
    }
}
