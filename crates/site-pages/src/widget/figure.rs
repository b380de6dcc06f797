//! Figures that the script updates while they are shown. The HTML of a figure contains the text
//! templates with which the script writes the next value.

use compat_http::escape_html;
use page_registry::Language;

use super::html::text;
use crate::figures::{is_one, number};

/// The votes of this month. `words` names the text: `votes`, or `monthVotes` where there is room to
/// name the month.
pub fn votes(language: Language, words: &str, count: i32) -> String {
    let (one, other) = (format!("{words}_one"), format!("{words}_other"));
    let name = if is_one(language, count.into()) { &one } else { &other };
    let text_of_figure = text(language, name, &[("count", &number(language, count.into()))]);
    figure(language, ("votes", "votes"), &[("one", &one), ("other", &other)], &text_of_figure)
}

/// The place, such as `#3`, as an element of this class.
pub fn place(language: Language, class: &str, rank: i32) -> String {
    let text_of_figure = super::html::place(language, rank);
    figure(language, ("place", class), &[("other", "place")], &text_of_figure)
}

/// The players, such as `214 / 400`.
pub fn players(language: Language, online: i32, max: i32) -> String {
    let (online, max) = (number(language, online.into()), number(language, max.into()));
    let text_of_figure = text(language, "players", &[("online", &online), ("max", &max)]);
    figure(language, ("players", "count"), &[("other", "players")], &text_of_figure)
}

fn figure(
    language: Language,
    (name, class): (&str, &str),
    forms: &[(&str, &str)],
    text_of_figure: &str,
) -> String {
    let forms: String = forms
        .iter()
        .map(|(form, key)| format!(" data-{form}=\"{}\"", escape_html(&text(language, key, &[]))))
        .collect();
    let text_of_figure = escape_html(text_of_figure);
    format!("<span class=\"{class}\" data-figure=\"{name}\"{forms}>{text_of_figure}</span>")
}
