//! Status protocols of game servers: the queries to send, and parsers for the replies.

pub mod bedrock;
pub mod fivem;
pub mod minecraft;
pub mod valve;

/// The upper limit for a reported number of players; larger values are replaced by it.
const MOST_PLAYERS: i64 = 100_000;

/// The longest name of a server or a map in characters; the rest is cut off.
const LONGEST_TEXT: usize = 100;

/// What a server reports in its reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of players; `None` where the reply does not contain it.
    pub players: Option<i32>,
    /// The number of player slots; `None` where the reply does not contain it.
    pub places: Option<i32>,
    /// The current map.
    pub map: Option<String>,
    /// The server's name as the server reports it.
    pub name: Option<String>,
}

/// Limits a reported number to the range from 0 to [`MOST_PLAYERS`].
fn figure(value: i64) -> i32 {
    i32::try_from(value.clamp(0, MOST_PLAYERS)).unwrap_or_default()
}

/// A reported text on one line, without control characters; `None` when nothing is left.
fn text(reply: &str) -> Option<String> {
    let cleaned: String = reply.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = cleaned.split_whitespace().collect::<Vec<_>>().join(" ");
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
