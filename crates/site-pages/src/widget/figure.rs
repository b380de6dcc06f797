//! Figures that move while they are shown: HTML that holds, beside a figure, the words with which
//! the script writes the next one.

use compat_http::escape_html;
use page_registry::Language;

use super::html::text;
use crate::figures::{is_one, number};

/// Votes of this month; `words` are `votes`, or `monthVotes` where there is room for when they were
/// cast.
pub fn votes(language: Language, words: &str, count: i32) -> String {
    let (one, other) = (format!("{words}_one"), format!("{words}_other"));
    let name = if is_one(language, count.into()) { &one } else { &other };
    let shown = text(language, name, &[("count", &number(language, count.into()))]);
    figure(language, ("votes", "votes"), &[("one", &one), ("other", &other)], &shown)
}

/// `#3`, as an element of this class.
pub fn place(language: Language, class: &str, rank: i32) -> String {
    let shown = super::html::place(language, rank);
    figure(language, ("place", class), &[("other", "place")], &shown)
}

/// `214 / 400`.
pub fn players(language: Language, online: i32, max: i32) -> String {
    let (online, max) = (number(language, online.into()), number(language, max.into()));
    let shown = text(language, "players", &[("online", &online), ("max", &max)]);
    figure(language, ("players", "count"), &[("other", "players")], &shown)
}

fn figure(
    language: Language,
    (name, class): (&str, &str),
    forms: &[(&str, &str)],
    shown: &str,
) -> String {
    let forms: String = forms
        .iter()
        .map(|(form, key)| format!(" data-{form}=\"{}\"", escape_html(&text(language, key, &[]))))
        .collect();
    let shown = escape_html(shown);
    format!("<span class=\"{class}\" data-figure=\"{name}\"{forms}>{shown}</span>")
}
