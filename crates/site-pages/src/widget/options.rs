//! The look of a widget, from an untrusted query.

use percent_encoding::percent_decode_str;

use page_registry::Language;

/// The longest nickname that is accepted, in characters.
const LONGEST_NICKNAME: usize = 50;

/// The longest query in bytes; a longer one is ignored.
const LONGEST_QUERY: usize = 2_000;

/// The format of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The place and the votes in one line.
    Badge,
    /// A button with the server's name.
    Button,
    /// Logo, name, figures and a button.
    Banner,
}

impl Format {
    /// The name of the format in queries and in the style sheet.
    pub fn word(self) -> &'static str {
        match self {
            Self::Badge => "badge",
            Self::Button => "button",
            Self::Banner => "banner",
        }
    }
}

/// The options of a widget. A missing or invalid one has the default in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `format` (`button`).
    pub format: Format,
    /// `size`: `small`, `medium` or `large` (`medium`).
    pub size: &'static str,
    /// `theme`: `light`, `dark` or `retro` (`light`).
    pub theme: &'static str,
    /// `lang` (`fr`).
    pub language: Language,
    /// `votes` (`1`): whether votes are shown.
    pub votes: bool,
    /// `rounded` (`1`): whether the corners are rounded.
    pub rounded: bool,
    /// `animation` (`0`): whether the widget is animated.
    pub animation: bool,
    /// `nickname`: the nickname that the vote dialog is filled with.
    pub nickname: Option<String>,
}

impl Options {
    /// Reads the query of an overlay, which by default is dark and animated.
    pub fn overlay(query: &str) -> Self {
        Self::read(&format!("{query}&theme=dark&animation=1"))
    }

    /// Reads a query.
    pub fn read(query: &str) -> Self {
        let param = |name: &str| -> Option<String> {
            let query = Some(query).filter(|query| query.len() <= LONGEST_QUERY)?;
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            // A plus sign stands for a space, but an encoded plus sign does not, so plus signs are
            // replaced before decoding.
            let value = pairs.into_iter().find(|(key, _)| *key == name)?.1.replace('+', " ");
            Some(percent_decode_str(&value).decode_utf8().ok()?.into_owned())
        };
        let one_of = |name, words: [&'static str; 3], usual| {
            let param = param(name);
            let known = words.into_iter().find(|word| Some(*word) == param.as_deref());
            known.unwrap_or(usual)
        };
        let is_on = |name, usual| match param(name).as_deref() {
            Some("1" | "true") => true,
            Some("0" | "false") => false,
            _ => usual,
        };
        let language = one_of("lang", ["fr", "en", "es"], "fr");
        Self {
            format: match one_of("format", ["badge", "button", "banner"], "button") {
                "badge" => Format::Badge,
                "banner" => Format::Banner,
                _ => Format::Button,
            },
            size: one_of("size", ["small", "medium", "large"], "medium"),
            theme: one_of("theme", ["light", "dark", "retro"], "light"),
            language: Language::ALL
                .into_iter()
                .find(|known| known.code() == language)
                .unwrap_or(Language::Fr),
            votes: is_on("votes", true),
            rounded: is_on("rounded", true),
            animation: is_on("animation", false),
            nickname: param("nickname").map(|name| name.trim().to_owned()).filter(|name| {
                (2..=LONGEST_NICKNAME).contains(&name.chars().count())
                    && !name.chars().any(char::is_control)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    #[test]
    fn unknown_options_fall_back_to_defaults() {
        let usual = Options::read("");
        assert_eq!((usual.format, usual.size, usual.theme), (Format::Button, "medium", "light"));
        assert!(usual.votes && usual.rounded && !usual.animation && usual.nickname.is_none());
        let query = "format=banner&size=large&theme=retro&lang=es&votes=0&rounded=false\
            &animation=1&nickname=L%C3%A9a+99";
        let chosen = Options {
            format: Format::Banner,
            size: "large",
            theme: "retro",
            language: Language::Es,
            votes: false,
            rounded: false,
            animation: true,
            nickname: Some("Léa 99".into()),
        };
        assert_eq!(Options::read(query), chosen);
        let hostile = "format=<script>&size=9&theme=\"&lang=../&votes=2&nickname=%00x&rounded=%ff";
        assert_eq!(Options::read(hostile), usual);
        assert_eq!(Options::read(&format!("theme=dark&x={}", "y".repeat(3000))), usual);
    }

    #[test]
    fn overlay_defaults_to_dark_and_animated() {
        let usual = Options::overlay("");
        assert_eq!((usual.theme, usual.animation), ("dark", true));
        let chosen = Options::overlay("theme=light&animation=0&lang=en");
        assert_eq!(
            (chosen.theme, chosen.animation, chosen.language),
            ("light", false, Language::En)
        );
    }

    #[test]
    fn random_queries_never_panic_the_reader() {
        property_test("widget options", "[a-z=&%+0-9 \u{0}-\u{ff}]{0,120}", |query| {
            Options::read(&query);
        });
    }
}
