use serde_json::json;

use super::*;
use crate::load::above_fold::AboveFold;

fn head(language: Language, path: &str) -> Head {
    Head {
        language,
        path: path.to_owned(),
        query: String::new(),
        title: "Voters | Palmarès".into(),
        description: "Who votes".into(),
        image: String::new(),
        feed: None,
        kind: "website",
        indexed: true,
        keywords: Vec::new(),
        structured: Vec::new(),
        above_fold: None,
    }
}

fn read(
    key: &str,
    head: Head,
    list_query: &ListQuery<'_>,
    answers: &[(&str, Value)],
) -> NoscriptText {
    let answers = RestAnswers::of(answers);
    let source = NoscriptSource { head: &head, answers: &answers, list_query, is_reversed: false };
    NoscriptText::of(key, &source, "https://p.example")
}

fn listed(name: &str) -> Value {
    json!({
        "slug": "astra", "name": name, "description": "&lt;p&gt;L&#x27;île&lt;/p&gt;",
        "is_prestige": true, "monthly_votes": 12,
        "games": {"name": "Flyff", "slug": "flyff", "page_slug": "minecraft"},
    })
}

#[test]
fn noscript_list_links_servers_and_other_pages() {
    let above_fold = Some(AboveFold::Server { name: String::new(), backdrop: None });
    let head = Head { above_fold, ..head(Language::En, "/en/game/minecraft") };
    let list_query = ListQuery { page: 2, game: Some("flyff"), is_plain: true };
    let answers = [
        ("servers_public", json!([listed("A &amp; &lt;b&gt;")])),
        ("game_figures", json!([{"servers": 60}])),
    ];
    let NoscriptText { html, structured } = read("game", head, &list_query, &answers);
    for part in [
        "<ol start=\"26\"><li><h2><a href=\"/en/server/astra\">A &amp; &lt;b&gt;</a></h2>",
        "<p>Flyff · Sponsored · Votes this month: 12</p><p>L&#39;île</p>",
        "<a href=\"/en/game/minecraft?game=flyff\">Page 1</a>",
        "<span aria-current=\"page\">Page 2</span>",
        "<a href=\"/en/game/minecraft?game=flyff&amp;page=3\">Page 3</a>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(!html.contains("<h1>") && !html.contains("Page 4"), "{html}");
    let structured = structured.expect("a list");
    assert_eq!(structured["numberOfItems"], 60);
    let first = &structured["itemListElement"][0];
    assert_eq!((&first["position"], &first["name"]), (&json!(26), &json!("A & <b>")));
    assert_eq!(first["url"], "https://p.example/en/server/astra");
}

#[test]
fn noscript_server_shows_description_and_reviews() {
    let list_query = ListQuery::read(None);
    let server = json!([{
        "id": "00000000-0000-0000-0000-000000000001", "review_count": 1,
        "description": "&lt;p&gt;Un&lt;/p&gt;&lt;p&gt;**Deux**&lt;script&gt;&lt;/p&gt;",
        "ip_address": "play.example", "version": "", "website_url": "https://a.example/?a=1&amp;b=2",
        "discord_url": null, "tags": ["PvP", "RP"], "monthly_votes": 3, "game_rank": 4,
        "games": {"name": "Rust", "slug": "rust", "page_slug": "rust"},
    }]);
    let reviews = json!([{"rating": 5, "comment": "Bien &lt;i&gt;fait", "author_name": null}]);
    let answers = [("servers_public", server), ("reviews_public", reviews)];
    let html = read("server", head(Language::Fr, "/serveur/a"), &list_query, &answers).html;
    for part in [
        "<li><a href=\"/game/rust\">Rust</a></li><li>Place 4</li>",
        "<li>Adresse\u{a0}: play.example</li>",
        "href=\"https://a.example/?a=1&amp;b=2\" rel=\"nofollow ugc noopener\"",
        "<p>Un</p><p>Deux</p>",
        "<h2>Avis</h2><ul><li><p>Note\u{a0}: 5 sur 5</p><p>Bien fait</p></li></ul>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(!html.contains("Version"), "{html}");
}

#[test]
fn reviews_are_requested_for_reviewed_servers_only() {
    let noscript = |review_count: i32| {
        let server = json!([{
            "id": "00000000-0000-0000-0000-000000000001", "review_count": review_count,
            "description": null, "ip_address": null, "version": null, "website_url": null,
            "discord_url": null, "tags": [], "monthly_votes": 0, "game_rank": null, "games": null,
        }]);
        server::reviews_of(&RestAnswers::of(&[("servers_public", server)]))
    };
    assert!(noscript(0).is_empty());
    assert!(noscript(2)[0].get.contains("server_id=eq.00000000-0000-0000-0000-000000000001&"));
}

#[test]
fn noscript_rankings_show_voter_and_server_places() {
    let list_query = ListQuery::read(None);
    let voters = json!([{"rank": 1, "voter_name": "A &amp; B", "votes_count": 9}]);
    let won = json!([{"month": "2026-10-01", "place": 2, "votes": 7, "server_name": "Old"},
        {"month": "2026-09-01", "place": 1, "votes": 8, "name": "New", "slug": "new"}]);
    let html_of = |key, about, rows| {
        read(key, head(Language::En, "/en/x"), &list_query, &[(about, rows)]).html
    };
    let html = html_of("leaderboard", "rpc/get_leaderboard", voters);
    assert!(html.contains("<h1>Voters</h1><p>Who votes</p>"), "{html}");
    assert!(html.contains("<li>A &amp; B · Place 1 · Votes: 9</li>"), "{html}");
    let html = html_of("gameHall", "won_places", won);
    assert!(html.contains("<li>Old · 2026-10 · Place 2 · Votes: 7</li>"), "{html}");
    assert!(html.contains("<li><a href=\"/en/server/new\">New</a> · 2026-09"), "{html}");
}

#[test]
fn months_that_are_over_lead_to_their_archives() {
    let list_query = ListQuery::read(None);
    let months = json!([{"month": "2026-10-01"}]);
    let head = head(Language::Es, "/es/salon-de-la-fama");
    let html = read("hallOfFame", head, &list_query, &[("podium_months", months)]).html;
    assert!(html.contains("<a href=\"/es/archivo/2026-10\">octubre de 2026</a>"), "{html}");
    let path = path_of("gameMonthArchive", "2026-10/rust", Language::En);
    assert_eq!(path, "/en/archive/2026-10/rust");
}

#[test]
fn game_archive_places_count_within_the_game() {
    let rows = json!([{"rank": 37, "votes": 7, "name": "A", "slug": "a"}]);
    let html = |key, page| {
        let list_query = ListQuery { page, game: None, is_plain: true };
        read(key, head(Language::En, "/en/x"), &list_query, &[("month_places", rows.clone())]).html
    };
    assert!(html("monthArchive", 1).contains("Place 37 ·"));
    assert!(html("gameMonthArchive", 1).contains("Place 1 ·"));
    assert!(html("gameMonthArchive", 2).contains("Place 51 ·"));
}

#[test]
fn missing_rows_leave_their_part_out() {
    let list_query = ListQuery::read(None);
    for key in ["home", "server", "leaderboard", "privacy"] {
        let html = read(key, head(Language::Es, "/es/x"), &list_query, &[]).html;
        assert!(html.starts_with("<div class=\"reading\"><h1>Voters</h1>"), "{html}");
        assert!(html.contains("<nav aria-label=\"El sitio\">") && !html.contains("<ol"), "{html}");
    }
}

#[test]
fn every_language_has_the_same_words() {
    let names = |language: Language| {
        let words = TEXTS[language as usize].as_object().expect("words");
        words.keys().cloned().collect::<Vec<_>>()
    };
    for language in Language::ALL {
        assert_eq!(names(language), names(Language::Fr), "{language:?}");
    }
}
