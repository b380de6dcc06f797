//! Text on cards: which characters the fonts contain, how wide a text is, and how a name is set in
//! the available width.
//!
//! Kerning is ignored: its effect is tiny, and every text keeps a margin.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb::Database;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};

const BRICOLAGE: &[u8] = include_bytes!("fonts/bricolage-grotesque.ttf");
const GEIST_MEDIUM: &[u8] = include_bytes!("fonts/geist-medium.ttf");
const GEIST_BOLD: &[u8] = include_bytes!("fonts/geist-bold.ttf");

/// A font of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// Names and figures.
    Display,
    /// Everything else.
    Text,
    /// Emphasized text.
    Bold,
}

impl Font {
    /// The SVG attributes of a text in this font.
    pub fn attributes(self) -> &'static str {
        match self {
            Self::Display => {
                r#"font-family="'Bricolage Grotesque 96pt ExtraBold', Geist" font-weight="800""#
            }
            Self::Text => r#"font-family="Geist" font-weight="500""#,
            Self::Bold => r#"font-family="Geist" font-weight="700""#,
        }
    }

    /// The font itself, then the fallbacks for characters that it lacks.
    fn fonts(self) -> &'static [FontRef<'static>] {
        static FONTS: LazyLock<Vec<FontRef<'static>>> = LazyLock::new(|| {
            let files = [BRICOLAGE, GEIST_BOLD, GEIST_MEDIUM];
            files.iter().filter_map(|bytes| FontRef::new(bytes).ok()).collect()
        });
        let places = match self {
            Self::Display => 0..2,
            Self::Bold => 1..2,
            Self::Text => 2..3,
        };
        FONTS.get(places).unwrap_or_default()
    }
}

/// The fonts for the SVG renderer, in the order of their fallbacks.
pub static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for bytes in [BRICOLAGE, GEIST_BOLD, GEIST_MEDIUM] {
        fonts.load_font_data(bytes.to_vec());
    }
    Arc::new(fonts)
});

/// The text without characters that no font contains, such as emoji, and with single spaces.
pub fn drawable(text: &str) -> String {
    let is_known = |character: char| {
        Font::Display.fonts().iter().any(|font| font.charmap().map(character).is_some())
    };
    let known: String = text
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .filter(|character| *character == ' ' || (!character.is_control() && is_known(*character)))
        .collect();
    known.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The width of a text in pixels.
pub fn width(text: &str, font: Font, size: f32) -> f32 {
    let measures: Vec<_> = font
        .fonts()
        .iter()
        .map(|font| (font.charmap(), font.glyph_metrics(Size::new(size), LocationRef::default())))
        .collect();
    let of = |character| {
        measures
            .iter()
            .find_map(|(map, metrics)| metrics.advance_width(map.map(character)?))
            .unwrap_or(size)
    };
    text.chars().map(of).sum()
}

/// The text, cut to the maximum width with an ellipsis if necessary.
pub fn cut(text: &str, font: Font, size: f32, max_width: f32) -> String {
    if width(text, font, size) <= max_width {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        short.push(character);
        if width(&short, font, size) + width("…", font, size) > max_width {
            short.pop();
            break;
        }
    }
    format!("{}…", short.trim_end())
}

/// A text set in lines.
#[derive(Debug, Clone, PartialEq)]
pub struct TextLayout {
    /// The font size.
    pub size: f32,
    /// The lines of the text.
    pub lines: Vec<String>,
}

/// Sets the text at the first of these sizes (largest first) at which it fits into two lines; at
/// the last size it is cut.
pub fn fit(text: &str, font: Font, sizes: &[f32], max_width: f32) -> TextLayout {
    for size in sizes {
        let lines = wrap(text, font, *size, max_width);
        if lines.len() <= 2 {
            return TextLayout { size: *size, lines };
        }
    }
    let size = sizes.last().copied().unwrap_or(16.0);
    let lines = wrap(text, font, size, max_width);
    let first = lines.first().cloned().unwrap_or_default();
    let rest = cut(&lines.get(1..).unwrap_or_default().join(" "), font, size, max_width);
    TextLayout { size, lines: vec![first, rest] }
}

/// Breaks a text into lines between words; a word that is wider than a line is split.
fn wrap(text: &str, font: Font, size: f32, max_width: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map(String::as_str).unwrap_or_default();
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(&longer, font, size) <= max_width {
            lines.pop();
            lines.push(longer);
            continue;
        }
        if line.is_empty() {
            lines.pop();
        }
        let mut part = String::new();
        for character in word.chars() {
            part.push(character);
            // A line takes at least one letter, even where the width is less than the letter's.
            if width(&part, font, size) > max_width && part.chars().count() > 1 {
                part.pop();
                lines.push(std::mem::replace(&mut part, character.to_string()));
            }
        }
        lines.push(part);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f32; 3] = [80.0, 60.0, 44.0];

    #[test]
    fn every_embedded_font_is_found_by_name() {
        assert_eq!(DATABASE.faces().count(), 3);
        for name in ["Bricolage Grotesque 96pt ExtraBold", "Geist"] {
            let is_it = |family: &(String, _)| family.0 == name;
            assert!(DATABASE.faces().any(|font| font.families.iter().any(is_it)), "{name}");
        }
        assert_eq!(Font::Display.fonts().len() + Font::Bold.fonts().len(), 3);
    }

    #[test]
    fn characters_without_a_glyph_are_dropped() {
        assert_eq!(drawable("🔥  Été\u{a0}ŞŁŐ\u{202e} Зима 冬\0"), "Été ŞŁŐ Зима");
        assert_eq!(drawable("冬の戦争 🔥"), "");
    }

    #[test]
    fn long_names_shrink_and_end_in_ellipsis() {
        let short = fit("Astra", Font::Display, &SIZES, 800.0);
        assert_eq!(short, TextLayout { size: 80.0, lines: vec!["Astra".into()] });
        let long = fit(&"Les Chevaliers ".repeat(9), Font::Display, &SIZES, 800.0);
        assert_eq!((long.size, long.lines.len()), (44.0, 2));
        assert!(long.lines[1].ends_with('…'), "{long:?}");
        for line in long.lines {
            assert!(width(&line, Font::Display, 44.0) <= 800.0, "{line}");
        }
    }

    #[test]
    fn overlong_words_break_at_the_line_width() {
        let fitted = fit(&"W".repeat(100), Font::Display, &SIZES, 800.0);
        assert_eq!(fitted.lines.len(), 2);
        assert!(fitted.lines.iter().all(|line| width(line, Font::Display, 44.0) <= 800.0));
        assert_eq!(wrap("", Font::Text, 20.0, 10.0), [""]);
        assert_eq!(wrap("ab", Font::Text, 20.0, 1.0), ["a", "b"]);
    }
}
