//! Places by votes: in a competitive event, in past months, and of voters.

use chrono::NaiveDate;
use compat_http::escape_html;
use ranking::unescape;
use serde::Deserialize;

use super::{NoscriptSource, link, links_named, text};
use crate::address::paths::path_of;
use crate::head::texts::month_name;
use page_registry::Language;

#[derive(Debug, Deserialize)]
struct Place {
    /// The month in which the place was won.
    #[serde(default)]
    month: Option<String>,
    #[serde(alias = "rank")]
    place: i32,
    #[serde(alias = "votes_count")]
    votes: i32,
    #[serde(default)]
    slug: Option<String>,
    #[serde(default, alias = "voter_name")]
    name: Option<String>,
    /// The name of the server at that time.
    #[serde(default)]
    server_name: Option<String>,
}

/// The number of places on a page of an archive.
const ARCHIVED: i32 = 50;

#[derive(Debug, Deserialize)]
struct Month {
    month: NaiveDate,
}

/// Links to the archives of the past months.
pub fn months(source: &NoscriptSource<'_>) -> String {
    let language = source.head.language;
    let months: Vec<Month> = source.answers.rows("podium_months");
    let links = months.iter().map(|Month { month }| {
        let path = path_of("monthArchive", &month.format("%Y-%m").to_string(), language);
        link(&path, &month_name(language, *month))
    });
    links_named(&text(language, "months", &[]), links)
}

/// Renders the places as HTML, in the order of the rows.
pub fn read(key: &str, source: &NoscriptSource<'_>) -> String {
    let about = match key {
        "leaderboard" => "rpc/get_leaderboard",
        "gameHall" => "won_places",
        "monthArchive" | "gameMonthArchive" => "month_places",
        _ => "competitive_event_standings",
    };
    let mut places: Vec<Place> = source.answers.rows(about);
    if key == "gameMonthArchive" {
        // The rows contain the places among all servers. The place within the game follows from the
        // page and the position on it.
        let first = (i32::try_from(source.list_query.page).unwrap_or(1) - 1) * ARCHIVED + 1;
        for (place, at) in places.iter_mut().zip(first..) {
            place.place = at;
        }
    }
    let items: String = places.iter().map(|place| item(place, source.head.language)).collect();
    if items.is_empty() { items } else { format!("<ol>{items}</ol>") }
}

fn item(place: &Place, language: Language) -> String {
    let name = place.name.as_ref().or(place.server_name.as_ref());
    let name = unescape(name.map_or("", String::as_str));
    let name = match &place.slug {
        Some(slug) => link(&path_of("server", slug, language), &name),
        None => escape_html(&name),
    };
    let month = place.month.as_deref().and_then(|day| day.get(..7)).map(str::to_owned);
    let rank = text(language, "place", &[("place", &place.place.to_string())]);
    let votes = text(language, "votesOfMonth", &[("votes", &place.votes.to_string())]);
    let facts: Vec<String> = month.into_iter().chain([rank, votes]).collect();
    format!("<li>{name} · {}</li>", escape_html(&facts.join(" · ")))
}
