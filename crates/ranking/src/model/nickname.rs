//! A voter's nickname: the name of the player on the server they vote for.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

/// The shortest nickname, in characters.
pub const MIN_CHARS: usize = 2;
/// The longest nickname, in characters.
pub const MAX_CHARS: usize = 50;
/// The characters of player names beside letters and digits. None of them has a meaning in HTML, in
/// a shell, in JSON or in the line protocol of vote listeners, and none is invisible.
const MARKS: &str = " _-.'#@[]()|~!+*=$^:,";

/// A nickname that satisfies the site's general rule. A server's own rule may be stricter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nickname(String);

/// Why a text is not a nickname.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NicknameRefusal {
    /// Fewer than [`MIN_CHARS`] or more than [`MAX_CHARS`].
    Length,
    /// A character that is neither a letter, a digit nor one of the allowed marks.
    Characters,
}

impl Nickname {
    /// Parses a nickname, without surrounding whitespace.
    ///
    /// # Errors
    /// [`NicknameRefusal`]; the length is checked first.
    pub fn parse(text: &str) -> Result<Self, NicknameRefusal> {
        let name = text.trim();
        if !(MIN_CHARS..=MAX_CHARS).contains(&name.chars().count()) {
            return Err(NicknameRefusal::Length);
        }
        // Some letters are invisible: the fillers of Hangul, for instance.
        let unseen = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let is_letter = |c: char| c.is_alphanumeric() && !unseen.contains(c);
        let is_allowed = |c: char| is_letter(c) || MARKS.contains(c);
        if name.chars().all(is_allowed) {
            Ok(Self(name.to_owned()))
        } else {
            Err(NicknameRefusal::Characters)
        }
    }

    /// The name as it is stored and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compat_testkit::property_test;
    use proptest::prelude::*;

    #[test]
    fn names_players_carry_are_taken_as_they_are() {
        for name in ["Ada_99", "Éowyn", "Иван", "小明小", "[Modo] Zoé", "O'Neil", "a.b-c", "x2"]
        {
            assert_eq!(Nickname::parse(name).map(|n| n.as_str().to_owned()), Ok(name.to_owned()));
        }
        assert_eq!(Nickname::parse("  Ada \n").map(|n| n.0), Ok("Ada".to_owned()));
    }

    #[test]
    fn length_counts_characters_after_trimming() {
        let of = |count| "é".repeat(count);
        assert_eq!(Nickname::parse(""), Err(NicknameRefusal::Length));
        assert_eq!(Nickname::parse(" a "), Err(NicknameRefusal::Length));
        assert!(Nickname::parse(&of(2)).is_ok());
        assert!(Nickname::parse(&of(50)).is_ok());
        assert_eq!(Nickname::parse(&of(51)), Err(NicknameRefusal::Length));
    }

    #[test]
    fn markup_control_and_invisible_characters_are_refused() {
        let bad = ["<b>", "a\"b", "a&b", "a\nb", "a\0b", "a\u{200b}b", "a\u{202e}b", "a/b", "a\\b"];
        for name in bad {
            assert_eq!(Nickname::parse(name), Err(NicknameRefusal::Characters), "{name:?}");
        }
        for unseen in ['\u{3164}', '\u{115f}', '\u{1160}', '\u{ffa0}'] {
            let name = format!("ab{unseen}");
            assert_eq!(Nickname::parse(&name), Err(NicknameRefusal::Characters), "{name:?}");
        }
        assert_eq!(Nickname::parse("ab{}"), Err(NicknameRefusal::Characters));
        assert_eq!(Nickname::parse("ab`;"), Err(NicknameRefusal::Characters));
    }

    #[test]
    fn random_nicknames_that_are_accepted_stay_accepted() {
        property_test(
            "nickname",
            prop_oneof![any::<String>(), "[\\w \\u{3160}-\\u{3170}]{0,60}"],
            |text| {
                let Ok(name) = Nickname::parse(&text) else { return };
                assert!((MIN_CHARS..=MAX_CHARS).contains(&name.as_str().chars().count()));
                assert_eq!(name.as_str().trim(), name.as_str());
                assert!(
                    !name.as_str().chars().any(|c| c.is_control() || "<>&\"\u{3164}".contains(c))
                );
                assert_eq!(Nickname::parse(name.as_str()), Ok(name));
            },
        );
    }

    proptest! {
        #[test]
        fn alphanumeric_nicknames_of_valid_length_are_accepted(name in "[A-Za-z0-9é]{2,50}") {
            prop_assert!(Nickname::parse(&name).is_ok());
        }

        #[test]
        fn one_bad_character_spoils_any_name(
            head in "[a-z]{2,20}", bad in "[<>&\"/;{}\\\\`\u{0}-\u{1f}\u{200b}-\u{200f}]", tail in "[a-z]{1,20}",
        ) {
            let name = format!("{head}{bad}{tail}");
            prop_assert_eq!(Nickname::parse(&name), Err(NicknameRefusal::Characters));
        }
    }
}
