//! The texts of cards in each language.

use std::sync::LazyLock;

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value;

use crate::figures::{is_one, number};
use crate::head::texts::fill;
use page_registry::Language;

/// The texts in the order of [`Language::ALL`].
static TEXTS: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [include_str!("texts/fr.json"), include_str!("texts/en.json"), include_str!("texts/es.json")]
        .map(|json| serde_json::from_str(json).unwrap_or_default())
});

/// The text with this name, with the values in place of its `{{names}}`.
pub fn text(language: Language, name: &str, values: &[(&str, &str)]) -> String {
    fill(TEXTS[language as usize][name].as_str().unwrap_or_default(), values)
}

/// The text with this name in singular or plural; `{{count}}` stands for the number.
pub fn counted(language: Language, name: &str, count: i64, values: &[(&str, &str)]) -> String {
    let form = if is_one(language, count) { "one" } else { "other" };
    let count = number(language, count);
    let values: Vec<_> = values.iter().copied().chain([("count", &*count)]).collect();
    text(language, &format!("{name}_{form}"), &values)
}

/// The name of a day's month, without the year.
pub fn month(language: Language, day: NaiveDate) -> String {
    let months = text(language, "months", &[]);
    let place = usize::try_from(day.month0()).unwrap_or_default();
    months.split(' ').nth(place).unwrap_or_default().to_owned()
}

/// A range of days, with the year only once if both share it; a single day if the range is one day.
pub fn days(language: Language, from: NaiveDate, to: NaiveDate) -> String {
    let last = format_day(language, "dayOfYear", to);
    if from >= to {
        return last;
    }
    let name = if from.year() == to.year() { "day" } else { "dayOfYear" };
    format!("{} – {last}", format_day(language, name, from))
}

fn format_day(language: Language, name: &str, day: NaiveDate) -> String {
    let (month, year) = (month(language, day), day.year().to_string());
    let day = match day.day() {
        1 => text(language, "first", &[]),
        day => day.to_string(),
    };
    text(language, name, &[("day", &day), ("month", &month), ("year", &year)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).expect("a day")
    }

    #[test]
    fn every_language_says_the_same_things() {
        let [french, others @ ..] = &*TEXTS;
        for (name, _) in french.as_object().expect("texts") {
            for texts in others {
                assert!(!texts[name].as_str().unwrap_or_default().is_empty(), "{name}");
            }
        }
        let counts = TEXTS.iter().map(|texts| texts.as_object().map(serde_json::Map::len));
        assert_eq!(counts.collect::<Vec<_>>(), [Some(19); 3]);
        for language in Language::ALL {
            assert_eq!(text(language, "months", &[]).split(' ').count(), 12);
        }
    }

    #[test]
    fn a_contest_is_dated_as_one_says_it() {
        let texts = Language::ALL.map(|it| days(it, day(2026, 12, 1), day(2026, 12, 24)));
        assert_eq!(
            texts,
            [
                "1er décembre – 24 décembre 2026",
                "December 1 – December 24, 2026",
                "1 de diciembre – 24 de diciembre de 2026"
            ]
        );
        let (eve, new_year) = (day(2026, 12, 31), day(2027, 1, 1));
        assert_eq!(days(Language::Fr, eve, new_year), "31 décembre 2026 – 1er janvier 2027");
        assert_eq!(days(Language::Fr, eve, eve), "31 décembre 2026");
    }

    #[test]
    fn plural_forms_agree_with_their_figures() {
        let text = |count| counted(Language::Fr, "votesIn", count, &[("month", "mai")]);
        assert_eq!([text(0), text(2)], ["vote en mai", "votes en mai"]);
        assert_eq!(counted(Language::En, "servers", 1200, &[]), "1,200 ranked servers");
    }
}
