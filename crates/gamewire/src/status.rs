//! What game servers say of themselves, in the protocols they are asked by: questions to send, and
//! what the bytes that come back mean.

pub mod bedrock;
pub mod fivem;
pub mod minecraft;
pub mod valve;

/// More players than any server holds: who tells more is taken to have so many.
const MOST_PLAYERS: i64 = 100_000;

/// Characters of a name or a map that are kept.
const LONGEST_TEXT: usize = 100;

/// What a server that answers says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// People playing; none where the protocol tells none.
    pub players: Option<i32>,
    /// Places; none where the protocol tells none.
    pub places: Option<i32>,
    /// The map that is played.
    pub map: Option<String>,
    /// What it calls itself.
    pub name: Option<String>,
}

/// A figure as it may stand among the others.
fn figure(value: i64) -> i32 {
    i32::try_from(value.clamp(0, MOST_PLAYERS)).unwrap_or_default()
}

/// A stranger's text on one line, without what nobody sees; none when nothing is left.
fn text(reply: &str) -> Option<String> {
    let seen: String = reply.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(LONGEST_TEXT).collect();
    Some(short).filter(|short| !short.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_figures_are_held_within_what_can_be() {
        for (value, expected) in [(-5, 0), (0, 0), (64, 64), (i64::MAX, 100_000), (i64::MIN, 0)] {
            assert_eq!(figure(value), expected);
        }
    }

    #[test]
    fn a_text_is_one_short_line() {
        assert_eq!(text("  de_dust2\u{0}\n x ").as_deref(), Some("de_dust2 x"));
        assert_eq!(text("\u{1}\t "), None);
        assert_eq!(text(&"é".repeat(500)).map(|short| short.chars().count()), Some(100));
    }
}
