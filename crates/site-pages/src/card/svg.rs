//! The drawing of a card as SVG: 1200 by 630 pixels, in the site's dark colours, over the backdrop
//! of its game.
//!
//! The same facts always give the same text, so that a card can be identified by its text.

use std::fmt::Write as _;

use compat_http::escape_html;

use super::pictures::PictureRequest;
use super::text_layout::{Font, TextLayout, cut, drawable, fit, width};

/// The address of the site's mark among the pictures.
pub const MARK: &str = "/pictures/brand/mark.svg";

/// The width of a card.
pub const WIDTH: u16 = 1200;
/// The height of a card.
pub const HEIGHT: u16 = 630;

/// The margin on the left and on the right.
const MARGIN: f32 = 72.0;
/// The width between the margins.
pub const CONTENT_WIDTH: f32 = 1056.0;
const LOGO: u16 = 184;
/// The top of the tiles, their height, and the gap between them.
const TILES: f32 = 430.0;
const TILE: f32 = 132.0;
const GAP: f32 = 24.0;

const TEXT: &str = "#f2effb";
const MUTED: &str = "#b9b2d0";
const ACCENT: &str = "#8b5cf6";
const ACCENT_TEXT: &str = "#c3adff";

const NAME_SIZES: [f32; 5] = [88.0, 76.0, 66.0, 56.0, 48.0];

/// A builder for a drawing.
pub struct Card<'a> {
    out: String,
    /// The pictures that the drawing contains.
    pub requests: Vec<PictureRequest>,
    has: &'a dyn Fn(&str) -> bool,
}

/// A figure with its caption.
pub struct Tile {
    /// The figure.
    pub figure: String,
    /// The colour of the figure.
    pub colour: &'static str,
    /// What the figure counts.
    pub caption: String,
}

/// One of the top servers, in a tile.
pub struct PodiumEntry<'a> {
    /// The name of the server.
    pub name: &'a str,
    /// The logo of the server.
    pub logo: Option<&'a str>,
    /// The place as text.
    pub place: String,
    /// The number of votes as text.
    pub votes: String,
}

/// The colour of a place. Gold, silver and bronze are used only for the first three places.
pub fn medal(place: i32) -> &'static str {
    match place {
        1 => "#f6c945",
        2 => "#cdd6e4",
        3 => "#dd9a63",
        _ => ACCENT_TEXT,
    }
}

/// The colour of a figure that is not a place.
pub const FIGURE: &str = TEXT;

impl<'a> Card<'a> {
    /// Starts a card with its background in the game's colour and the name of the site. `has` tells
    /// which pictures exist.
    pub fn new(
        site: &str,
        backdrop: Option<&str>,
        accent: Option<&str>,
        has: &'a dyn Fn(&str) -> bool,
    ) -> Self {
        let accent = accent.filter(|colour| is_colour(colour)).unwrap_or(ACCENT);
        let out = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"><defs><linearGradient id="shade"><stop stop-color="#0c0a15" stop-opacity=".95"/><stop offset=".55" stop-color="#0c0a15" stop-opacity=".8"/><stop offset="1" stop-color="#0c0a15" stop-opacity=".45"/></linearGradient><linearGradient id="foot" x2="0" y2="1"><stop offset=".35" stop-color="#0c0a15" stop-opacity="0"/><stop offset="1" stop-color="#0c0a15" stop-opacity=".9"/></linearGradient><radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="1080" cy="40" r="720"><stop stop-color="{accent}" stop-opacity=".38"/><stop offset="1" stop-color="{accent}" stop-opacity="0"/></radialGradient><linearGradient id="strip"><stop stop-color="#8b5cf6"/><stop offset="1" stop-color="{accent}"/></linearGradient><linearGradient id="blank" x2="1" y2="1"><stop stop-color="#a98cfb"/><stop offset="1" stop-color="#5b2bd0"/></linearGradient></defs><rect width="{WIDTH}" height="{HEIGHT}" fill="#0c0a15"/>"##
        );
        let mut card = Self { out, requests: Vec::new(), has };
        if let Some(backdrop) = backdrop.filter(|address| (card.has)(address)) {
            card.picture(backdrop, (0.0, 0.0), (WIDTH, HEIGHT));
            card.plain(r#"<rect width="1200" height="630" fill="url(#shade)"/><rect width="1200" height="630" fill="url(#foot)"/>"#);
        }
        card.plain(r#"<rect width="1200" height="630" fill="url(#glow)"/><rect y="622" width="1200" height="8" fill="url(#strip)"/>"#);
        card.picture(MARK, (MARGIN, 52.0), (56, 56));
        card.text(&drawable(site), (MARGIN + 72.0, 92.0), Font::Display, 36.0, TEXT);
        card
    }

    /// Adds the name of the subject with its logo; an initial replaces a missing logo. `under` is
    /// the line below the name.
    pub fn title(&mut self, logo: Option<&str>, name: &str, under: &str) {
        let middle = 268.0;
        let top = middle - f32::from(LOGO) / 2.0;
        self.logo(logo, name, (MARGIN, top), LOGO);
        let left = MARGIN + f32::from(LOGO) + 40.0;
        self.lines(name, under, left, middle);
    }

    /// Adds the name of the subject without a logo, with the text `above` over it.
    pub fn heading(&mut self, above: &str, name: &str, under: &str) {
        self.text(above, (MARGIN, 178.0), Font::Bold, 28.0, ACCENT_TEXT);
        self.lines(name, under, MARGIN, 290.0);
    }

    fn lines(&mut self, name: &str, under: &str, left: f32, middle: f32) {
        let max_width = MARGIN + CONTENT_WIDTH - left;
        let TextLayout { size, lines } = fit(name, Font::Display, &NAME_SIZES, max_width);
        let count = if lines.len() > 1 { 2.0 } else { 1.0 };
        let (step, below) = (size * 1.06, 52.0);
        // The height from the capitals of the first line to the baseline of the last one.
        let height = size * 0.72 + step * (count - 1.0) + below;
        let mut foot = middle - height / 2.0 + size * 0.72;
        for line in &lines {
            self.text(line, (left, foot), Font::Display, size, TEXT);
            foot += step;
        }
        let under = cut(under, Font::Text, 34.0, max_width);
        self.text(&under, (left, foot - step + below), Font::Text, 34.0, ACCENT_TEXT);
    }

    /// Adds figures side by side.
    pub fn tiles(&mut self, tiles: &[Tile]) {
        for (left, column_width, tile) in columns(tiles) {
            self.panel(left, column_width);
            let (x, inside) = (left + 32.0, column_width - 64.0);
            let figure = cut(&tile.figure, Font::Display, 60.0, inside);
            self.text(&figure, (x, TILES + 68.0), Font::Display, 60.0, tile.colour);
            let caption = cut(&tile.caption, Font::Text, 26.0, inside);
            self.text(&caption, (x, TILES + 106.0), Font::Text, 26.0, MUTED);
        }
    }

    /// Adds the top servers side by side.
    pub fn podium(&mut self, entries: &[PodiumEntry<'_>]) {
        for (place, (left, column_width, server)) in (1..).zip(columns(entries)) {
            self.panel(left, column_width);
            self.logo(server.logo, server.name, (left + 24.0, TILES + 24.0), 84);
            let (x, inside) = (left + 124.0, column_width - 140.0);
            let rank = cut(&server.place, Font::Display, 30.0, inside);
            self.text(&rank, (x, TILES + 46.0), Font::Display, 30.0, medal(place));
            let name = cut(&drawable(server.name), Font::Bold, 24.0, inside);
            self.text(&name, (x, TILES + 79.0), Font::Bold, 24.0, TEXT);
            let votes = cut(&server.votes, Font::Text, 22.0, inside);
            self.text(&votes, (x, TILES + 108.0), Font::Text, 22.0, MUTED);
        }
    }

    /// Returns the drawing and the pictures that it contains.
    pub fn finish(mut self) -> (String, Vec<PictureRequest>) {
        self.plain("</svg>");
        (self.out, self.requests)
    }

    fn panel(&mut self, x: f32, width: f32) {
        self.write(format_args!(
            r##"<rect x="{x}" y="{TILES}" width="{width}" height="{TILE}" rx="20" fill="#141120" fill-opacity=".82" stroke="#ffffff" stroke-opacity=".12" stroke-width="1.5"/>"##
        ));
    }

    fn logo(&mut self, address: Option<&str>, name: &str, at: (f32, f32), size: u16) {
        let (x, y) = at;
        let (side, corner) = (f32::from(size), f32::from(size) * 0.22);
        let frame = format!(r#"x="{x}" y="{y}" width="{side}" height="{side}" rx="{corner}""#);
        match address.filter(|address| (self.has)(address)) {
            Some(address) => {
                // A podium shows several logos, and each `picture` adds to `requests`: ids differ.
                let id = format!("logo{}", self.requests.len());
                self.write(format_args!(
                    r#"<clipPath id="{id}"><rect {frame}/></clipPath><g clip-path="url(#{id})">"#
                ));
                self.picture(address, at, (size, size));
                self.plain("</g>");
            }
            None => {
                self.write(format_args!(r#"<rect {frame} fill="url(#blank)"/>"#));
                let initial: String =
                    drawable(name).chars().take(1).flat_map(char::to_uppercase).collect();
                let font_size = side * 0.56;
                let x = x + (side - width(&initial, Font::Display, font_size)) / 2.0;
                self.text(&initial, (x, y + side * 0.7), Font::Display, font_size, "#ffffff");
            }
        }
        self.write(format_args!(
            r##"<rect {frame} fill="none" stroke="#ffffff" stroke-opacity=".16" stroke-width="2"/>"##
        ));
    }

    fn picture(&mut self, address: &str, (x, y): (f32, f32), (width, height): (u16, u16)) {
        self.requests.push(PictureRequest { address: address.to_owned(), width, height });
        let address = escape_html(address);
        self.write(format_args!(
            r#"<image href="{address}" x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="xMidYMid slice"/>"#
        ));
    }

    fn text(&mut self, text: &str, (x, y): (f32, f32), font: Font, size: f32, fill: &str) {
        let (attributes, text) = (font.attributes(), escape_html(text));
        self.write(format_args!(
            r#"<text x="{x}" y="{y}" {attributes} font-size="{size}" fill="{fill}">{text}</text>"#
        ));
    }

    fn plain(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }
}

/// The left edge and the width of each item, when all share the content width.
fn columns<T>(items: &[T]) -> impl Iterator<Item = (f32, f32, &T)> {
    let count = f32::from(u8::try_from(items.len().max(1)).unwrap_or(1));
    let column_width = (CONTENT_WIDTH - GAP * (count - 1.0)) / count;
    let starts = std::iter::successors(Some(MARGIN), move |left| Some(left + column_width + GAP));
    starts.zip(items).map(move |(left, item)| (left, column_width, item))
}

fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}
