//! The badge as a picture, for forums and readme files, which allow no frames.

use compat_http::escape_html;
use ranking::WidgetFacts;

use super::html::{place, text, votes};
use super::options::Options;

const HEIGHT: usize = 28;

/// The background and text colours of the left half, then those of the right half.
fn colours(theme: &str) -> [&'static str; 4] {
    match theme {
        "dark" => ["#141120", "#f2effb", "#7443eb", "#ffffff"],
        "retro" => ["#0b120b", "#b8f5b0", "#8ff086", "#07130a"],
        _ => ["#edeaf6", "#1a1429", "#6d3ae6", "#ffffff"],
    }
}

/// Draws the picture; without facts it says that there is no such server.
pub fn draw(facts: Option<&WidgetFacts>, options: &Options, site: &str) -> String {
    let language = options.language;
    let value = match facts {
        None => text(language, "missing", &[]),
        Some(facts) if options.votes => {
            let place = place(language, facts.game_rank);
            format!("{place} · {}", votes(language, facts.monthly_votes))
        }
        Some(facts) => place(language, facts.game_rank),
    };
    let label = match facts {
        Some(facts) => shorten(&facts.name),
        None => site.to_owned(),
    };
    let [background, ink, fill, on_fill] = colours(options.theme);
    let (left, right) = (width(&label), width(&value));
    let (total_width, radius) = (left + right, if options.rounded { 6 } else { 0 });
    let (left_mid, right_mid) = (left / 2, left + right / 2);
    let (left_text, right_text) = (left - 20, right - 20);
    // The texts are escaped after the widths are measured, since entities would count as letters.
    let (label, value) = (escape_html(&label), escape_html(&value));
    let font = match options.theme {
        "retro" => "ui-monospace,Menlo,Consolas,monospace",
        _ => "system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif",
    };
    let scale = match options.size {
        "small" => 20,
        "large" => 36,
        _ => HEIGHT,
    };
    let drawn_width = total_width * scale / HEIGHT;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{drawn_width}" height="{scale}" viewBox="0 0 {total_width} {HEIGHT}" role="img" aria-label="{label}: {value}"><title>{label}: {value}</title><clipPath id="r"><rect width="{total_width}" height="{HEIGHT}" rx="{radius}"/></clipPath><g clip-path="url(#r)"><rect width="{left}" height="{HEIGHT}" fill="{background}"/><rect x="{left}" width="{right}" height="{HEIGHT}" fill="{fill}"/></g><g text-anchor="middle" font-family="{font}" font-size="13" font-weight="600"><text x="{left_mid}" y="18.5" fill="{ink}" textLength="{left_text}" lengthAdjust="spacingAndGlyphs">{label}</text><text x="{right_mid}" y="18.5" fill="{on_fill}" textLength="{right_text}" lengthAdjust="spacingAndGlyphs">{value}</text></g></svg>
"#
    )
}

/// The estimated width of a text with its margins. The reader's font is unknown, so the SVG fits
/// the text to this width.
fn width(text: &str) -> usize {
    let tenths: usize =
        text.chars()
            .map(|character| match character {
                'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | ' ' | '.' | ',' | '·' | '\''
                | '\u{202F}' => 42,
                'm' | 'w' | 'M' | 'W' => 112,
                character if character.is_ascii_uppercase() => 88,
                character if u32::from(character) >= 0x1100 => 130,
                _ => 75,
            })
            .sum();
    tenths / 10 + 20
}

fn shorten(name: &str) -> String {
    match name.char_indices().nth(32) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default().trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::html::tests::facts;
    use super::*;

    #[test]
    fn badge_svg_is_complete_in_every_theme() {
        for theme in ["light", "dark", "retro"] {
            let options = Options::read(&format!("theme={theme}&lang=en"));
            let svg = draw(Some(&facts()), &options, "Palmarès");
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
            assert!(
                svg.contains("#3 · 12,345 votes") && svg.contains("&lt;img src=x&gt;"),
                "{svg}"
            );
            assert!(!svg.contains("<img"), "{svg}");
        }
        assert!(draw(None, &Options::read("lang=en"), "Palmarès").contains("Server not found"));
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(shorten(&"é".repeat(40)).chars().count(), 33);
        assert_eq!(shorten("Loupgarde"), "Loupgarde");
    }
}
