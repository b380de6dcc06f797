//! A widget as a page: one link, one style sheet, and the script that updates its figures.

use std::sync::LazyLock;

use compat_http::escape_html;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use ranking::WidgetFacts;
use serde_json::Value;

use super::figure;
use super::options::{Format, Options};
use crate::address::paths::path_of;
use crate::figures::{is_one, number};
use crate::head::texts::fill;
use page_registry::Language;

/// The style of all formats, sizes and themes.
pub const STYLE: &str = include_str!("style.css");

/// The element of the script that updates the figures; empty without attributes for it.
pub fn script(live: &str) -> &'static str {
    if live.is_empty() { "" } else { "<script src=\"/live.js\" defer></script>" }
}

/// The texts in the order of [`Language::ALL`].
static TEXTS: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [include_str!("texts/fr.json"), include_str!("texts/en.json"), include_str!("texts/es.json")]
        .map(|json| serde_json::from_str(json).unwrap_or_default())
});

/// The text of widgets with this name, with the values in place of its `{{names}}`.
pub fn text(language: Language, name: &str, values: &[(&str, &str)]) -> String {
    fill(TEXTS[language as usize][name].as_str().unwrap_or_default(), values)
}

/// The votes, such as `1 234 votes`.
pub fn votes(language: Language, count: i32) -> String {
    let name = if is_one(language, count.into()) { "votes_one" } else { "votes_other" };
    text(language, name, &[("count", &number(language, count.into()))])
}

/// The place, such as `#3`.
pub fn place(language: Language, rank: i32) -> String {
    text(language, "place", &[("rank", &number(language, rank.into()))])
}

/// Renders the page; without facts it says that there is no such server. `live` are the attributes
/// of its body for the script.
pub fn draw(
    facts: Option<&WidgetFacts>,
    options: &Options,
    (site, origin): (&str, &str),
    live: &str,
) -> String {
    let language = options.language;
    let (title, link, content) = match facts {
        Some(facts) => {
            let name = facts.name.as_str();
            let title = text(language, "voteFor", &[("name", name)]);
            (title, vote_link(facts, options, origin), inside(facts, options, site))
        }
        None => {
            let missing = text(language, "missing", &[]);
            let content = format!(r#"<span class="name">{}</span>"#, escape_html(&missing));
            (missing, format!("{origin}{}", path_of("home", "", language)), content)
        }
    };
    let classes = [
        options.format.word(),
        options.size,
        options.theme,
        if options.rounded { "rounded" } else { "square" },
        if options.animation { "animated" } else { "still" },
        if facts.is_some() { "found" } else { "gone" },
    ];
    // The link opens a new tab, because no other page of this site may be framed.
    format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">\
         <title>{title}</title><style>{STYLE}</style>{script}</head>\
         <body class=\"{classes}\"{live}><a href=\"{link}\" target=\"_blank\" rel=\"noopener\" title=\"{title}\">\
         {content}</a></body></html>\n",
        lang = language.code(),
        title = escape_html(&title),
        script = script(live),
        classes = classes.join(" "),
        link = escape_html(&link),
    )
}

/// The address of the server's page with the vote dialog open.
fn vote_link(facts: &WidgetFacts, options: &Options, origin: &str) -> String {
    let page = path_of("server", &facts.slug, options.language);
    let nickname = options
        .nickname
        .as_deref()
        .map(|name| format!("&nickname={}", utf8_percent_encode(name, NON_ALPHANUMERIC)));
    format!("{origin}{page}?vote=1{}", nickname.unwrap_or_default())
}

fn inside(facts: &WidgetFacts, options: &Options, site: &str) -> String {
    let language = options.language;
    let name = escape_html(&facts.name);
    let rank = figure::place(language, "rank", facts.game_rank);
    let votes = options.votes.then(|| figure::votes(language, "votes", facts.monthly_votes));
    let votes = votes.as_deref().unwrap_or_default();
    match options.format {
        Format::Badge => format!(r#"{rank}<span class="name">{name}</span>{votes}"#),
        Format::Button => {
            let vote = escape_html(&text(language, "voteFor", &[("name", &facts.name)]));
            let below = match votes {
                "" => escape_html(&text(language, "on", &[("site", site)])),
                votes => format!("{} · {votes}", figure::place(language, "", facts.game_rank)),
            };
            format!(r#"<span class="name">{vote}</span><span class="soft">{below}</span>"#)
        }
        Format::Banner => {
            let (logo, game) = (logo(facts), escape_html(&facts.game_name));
            let (state, vote) = (state(facts, language), escape_html(&text(language, "vote", &[])));
            format!(
                "{logo}<span class=\"text\"><span class=\"name\">{name}</span>\
                 <span class=\"soft game\">{game}</span>\
                 <span class=\"facts\">{rank}{votes}{state}</span></span>\
                 <span class=\"vote\">{vote}</span>"
            )
        }
    }
}

/// The server's logo; empty if it has none.
pub fn logo(facts: &WidgetFacts) -> String {
    let logo = facts.logo_url.as_deref().map(|logo| {
        let address = escape_html(logo);
        format!(r#"<img class="logo" src="{address}" alt="" width="96" height="96">"#)
    });
    logo.unwrap_or_default()
}

/// Whether the server is online and how many play; empty if it has never been checked.
fn state(facts: &WidgetFacts, language: Language) -> String {
    if facts.status_checked_at.is_none() {
        return String::new();
    }
    let (dot, words) = match (facts.is_online, facts.max_players) {
        (false, _) => ("dot", escape_html(&text(language, "offline", &[]))),
        (true, 0) => ("dot on", escape_html(&text(language, "online", &[]))),
        (true, places) => ("dot on", figure::players(language, facts.online_players, places)),
    };
    format!(r#"<span class="soft players"><i class="{dot}"></i>{words}</span>"#)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A server whose owner tries to inject HTML.
    pub fn facts() -> WidgetFacts {
        WidgetFacts {
            slug: "loupgarde".into(),
            name: "<img src=x> \"Loup\" & Garde".into(),
            game_name: "Minecraft".into(),
            logo_url: Some("/pictures/a.svg\" onerror=\"x".into()),
            monthly_votes: 12_345,
            game_rank: 3,
            is_online: true,
            online_players: 214,
            max_players: 400,
            status_checked_at: Some(std::time::SystemTime::UNIX_EPOCH.into()),
        }
    }

    #[test]
    fn vote_counts_follow_each_languages_format() {
        let texts = |count| Language::ALL.map(|language| votes(language, count));
        assert_eq!(texts(1), ["1 vote", "1 vote", "1 voto"]);
        assert_eq!(texts(0), ["0 vote", "0 votes", "0 votos"]);
        assert_eq!(texts(1234), ["1\u{202F}234 votes", "1,234 votes", "1234 votos"]);
        assert_eq!(
            texts(1_234_567),
            ["1\u{202F}234\u{202F}567 votes", "1,234,567 votes", "1\u{A0}234\u{A0}567 votos"]
        );
    }

    #[test]
    fn widgets_link_to_vote_and_escape_names() {
        for format in ["badge", "button", "banner"] {
            for theme in ["light", "dark", "retro"] {
                let query = format!("format={format}&theme={theme}&lang=en&nickname=A%26b%22");
                let html =
                    draw(Some(&facts()), &Options::read(&query), ("Palmarès", "https://p.fr"), "");
                let link =
                    r#"href="https://p.fr/en/server/loupgarde?vote=1&amp;nickname=A%26b%22""#;
                assert!(html.contains(link), "{html}");
                assert!(html.contains("&lt;img src=x&gt;"), "{html}");
                assert!(!html.contains("<img src=x") && !html.contains("\" onerror"), "{html}");
                assert!(html.contains("12,345 votes"), "{html}");
                assert_eq!(html.matches("<a ").count(), 1);
            }
        }
    }

    #[test]
    fn votes_may_be_left_out() {
        for format in ["badge", "button", "banner"] {
            let options = Options::read(&format!("format={format}&votes=0"));
            let html = draw(Some(&facts()), &options, ("Palmarès", "https://p.fr"), "");
            assert!(!html.contains("345"), "{html}");
        }
    }

    #[test]
    fn unknown_status_and_player_count_are_omitted() {
        let state_text = |facts: WidgetFacts| state(&facts, Language::En);
        assert_eq!(state_text(WidgetFacts { status_checked_at: None, ..facts() }), "");
        let reached = state_text(WidgetFacts { max_players: 0, online_players: 0, ..facts() });
        assert!(reached.contains("Online") && !reached.contains('0'), "{reached}");
        assert!(state_text(WidgetFacts { is_online: false, ..facts() }).contains("Offline"));
        assert!(state_text(facts()).contains("214 / 400"));
    }

    #[test]
    fn missing_server_widget_links_to_home() {
        let html = draw(None, &Options::read("lang=es"), ("Palmarès", "https://p.fr"), "");
        assert!(html.contains("Servidor no encontrado"), "{html}");
        assert!(html.contains(r#"href="https://p.fr/es""#), "{html}");
    }
}
