//! Amounts of money as text.

use page_registry::Language;

/// Formats an amount in cents for a language.
pub(crate) fn amount(language: Language, cents: i32, currency: &str) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let (units, rest) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
    let unit = if currency == "eur" { "€".to_owned() } else { currency.to_uppercase() };
    match language {
        Language::En if unit == "€" => format!("{sign}€{units}.{rest:02}"),
        Language::En => format!("{sign}{unit}\u{a0}{units}.{rest:02}"),
        Language::Fr | Language::Es => format!("{sign}{units},{rest:02}\u{a0}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_writes_money_its_own_way() {
        assert_eq!(amount(Language::Fr, 3005, "eur"), "30,05\u{a0}€");
        assert_eq!(amount(Language::En, 3005, "eur"), "€30.05");
        assert_eq!(amount(Language::Es, 100_000, "eur"), "1000,00\u{a0}€");
        assert_eq!(amount(Language::En, 7, "usd"), "USD\u{a0}0.07");
    }
}
