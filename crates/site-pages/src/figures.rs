//! The formatting of numbers in each language.

use page_registry::Language;

/// A number with the thousands separators of the language.
pub fn number(language: Language, figure: i64) -> String {
    let digits = figure.to_string();
    let (mark, from) = match language {
        Language::Fr => ('\u{202F}', 4),
        Language::En => (',', 4),
        Language::Es => ('\u{A0}', 5),
    };
    if digits.len() < from {
        return digits;
    }
    let mut apart = String::with_capacity(digits.len() + 4);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            apart.push(mark);
        }
        apart.push(digit);
    }
    apart
}

/// Whether a count takes the singular, which French also uses for zero.
pub fn is_one(language: Language, count: i64) -> bool {
    count == 1 || (count == 0 && language == Language::Fr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_separators_follow_the_language() {
        let texts = Language::ALL.map(|language| number(language, 1234567));
        assert_eq!(texts, ["1\u{202f}234\u{202f}567", "1,234,567", "1\u{a0}234\u{a0}567"]);
        assert_eq!(
            Language::ALL.map(|language| number(language, 1234)),
            ["1\u{202f}234", "1,234", "1234"]
        );
    }

    #[test]
    fn nothing_is_one_in_french_alone() {
        assert_eq!(Language::ALL.map(|language| is_one(language, 0)), [true, false, false]);
        assert!(Language::ALL.iter().all(|language| is_one(*language, 1)));
    }
}
