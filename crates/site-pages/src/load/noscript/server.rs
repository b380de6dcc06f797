//! The page of a server: its facts, its description and its reviews.

use compat_http::escape_html;
use ranking::{summary, unescape};
use serde::Deserialize;
use uuid::Uuid;

use super::{Game, NoscriptSource, link, paragraph, text};
use crate::load::first_load::RowsRequest;
use crate::load::prefetch::RestAnswers;

/// The request for the newest reviews.
const REVIEWS: &str = "reviews_public?select=rating,comment,author_name&server_id=eq.{id}\
    &order=created_at.desc,id.asc&limit=10";

#[derive(Debug, Deserialize)]
struct Server {
    id: Uuid,
    review_count: i32,
    description: Option<String>,
    ip_address: Option<String>,
    version: Option<String>,
    website_url: Option<String>,
    discord_url: Option<String>,
    tags: Vec<String>,
    monthly_votes: i32,
    game_rank: Option<i32>,
    games: Option<Game>,
}

#[derive(Debug, Deserialize)]
struct Review {
    rating: i32,
    comment: String,
    author_name: Option<String>,
}

/// The request for the reviews of the server, if it has any.
pub fn reviews_of(answers: &RestAnswers) -> Vec<RowsRequest> {
    let servers: Vec<Server> = answers.rows("servers_public");
    let reviewed = servers.first().filter(|server| server.review_count > 0);
    let question = reviewed.map(|server| REVIEWS.replace("{id}", &server.id.to_string()));
    question.map(|get| RowsRequest { get, ..RowsRequest::default() }).into_iter().collect()
}

/// Renders the page as HTML.
pub fn read(source: &NoscriptSource<'_>) -> String {
    let servers: Vec<Server> = source.answers.rows("servers_public");
    let Some(server) = servers.first() else {
        return String::new();
    };
    facts(server, source) + &description(server) + &reviews(source)
}

fn facts(server: &Server, source: &NoscriptSource<'_>) -> String {
    let language = source.head.language;
    let row_of = |name: &str, value: &str| {
        escape_html(&text(language, name, &[("value", &unescape(value))]))
    };
    let lead = |name: &str, address: &Option<String>| {
        // The address comes from the owner, so the link must not count as the site's
        // recommendation.
        let address = address.as_deref().filter(|address| !address.is_empty())?;
        let (address, words) =
            (escape_html(&unescape(address)), escape_html(&text(language, name, &[])));
        Some(format!("<a href=\"{address}\" rel=\"nofollow ugc noopener\">{words}</a>"))
    };
    let game = server.games.as_ref().map(|game| link(&game.path(language), &game.name));
    let place =
        server.game_rank.map(|rank| text(language, "place", &[("place", &rank.to_string())]));
    let votes = text(language, "votes", &[("votes", &server.monthly_votes.to_string())]);
    let address = server.ip_address.as_deref().filter(|address| !matches!(*address, "" | "N/A"));
    let version = server.version.as_deref().filter(|version| !version.is_empty());
    let tags = (!server.tags.is_empty())
        .then(|| escape_html(&text(language, "tags", &[("tags", &server.tags.join(", "))])));
    let all = [
        game,
        place.map(|place| escape_html(&place)),
        Some(escape_html(&votes)),
        address.map(|address| row_of("address", address)),
        version.map(|version| row_of("version", version)),
        tags,
        lead("website", &server.website_url),
        lead("discord", &server.discord_url),
    ];
    let items: String = all.into_iter().flatten().map(|fact| format!("<li>{fact}</li>")).collect();
    format!("<ul>{items}</ul>")
}

/// The description, with one element for each paragraph.
fn description(server: &Server) -> String {
    let stored = server.description.as_deref().unwrap_or_default();
    let ends = ["&lt;/p&gt;", "&lt;/li&gt;", "&lt;br", "\n"];
    let parted = ends
        .iter()
        .fold(stored.to_owned(), |text, end| text.replace(end, &format!("\n{}", end.trim_end())));
    parted.lines().map(summary).map(|words| paragraph(&words)).collect()
}

fn reviews(source: &NoscriptSource<'_>) -> String {
    let language = source.head.language;
    let reviews: Vec<Review> = source.answers.rows("reviews_public");
    if reviews.is_empty() {
        return String::new();
    }
    let items: String = reviews
        .iter()
        .map(|review| {
            let rating = text(language, "rating", &[("rating", &review.rating.to_string())]);
            let author = review.author_name.as_deref().map(unescape);
            let by: Vec<String> = author.into_iter().chain([rating]).collect();
            format!(
                "<li><p>{}</p>{}</li>",
                escape_html(&by.join(" · ")),
                paragraph(&summary(&review.comment))
            )
        })
        .collect();
    format!("<h2>{}</h2><ul>{items}</ul>", escape_html(&text(language, "reviews", &[])))
}
