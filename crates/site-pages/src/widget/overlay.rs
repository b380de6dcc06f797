//! An overlay for streams: a server's place, votes and name on a transparent page that updates
//! itself.

use compat_http::escape_html;
use ranking::WidgetFacts;

use super::figure::{place, votes};
use super::html::{logo, script, text};
use super::options::Options;

/// The style of all sizes and themes.
pub const STYLE: &str = include_str!("overlay.css");

/// Renders the page; without facts it says that there is no such server. `live` are the attributes
/// of its body for the script.
pub fn draw(facts: Option<&WidgetFacts>, options: &Options, live: &str) -> String {
    let language = options.language;
    let (title, content) = match facts {
        Some(facts) => (escape_html(&facts.name), inside(facts, options)),
        None => {
            let missing = escape_html(&text(language, "missing", &[]));
            let content = format!("<div class=\"text\"><h1>{missing}</h1></div>");
            (missing, content)
        }
    };
    let classes = [
        options.size,
        options.theme,
        if options.rounded { "rounded" } else { "square" },
        if options.animation { "animated" } else { "still" },
    ];
    format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">\
         <title>{title}</title><style>{STYLE}</style>{script}</head>\
         <body class=\"{classes}\"{live}><main>{content}</main></body></html>\n",
        lang = language.code(),
        script = script(live),
        classes = classes.join(" "),
    )
}

fn inside(facts: &WidgetFacts, options: &Options) -> String {
    let language = options.language;
    let votes = options.votes.then(|| votes(language, "monthVotes", facts.monthly_votes));
    format!(
        "{logo}<div class=\"text\"><h1>{name}</h1><p>{place}<span class=\"game\">{game}</span>{votes}</p></div>",
        logo = logo(facts),
        name = escape_html(&facts.name),
        place = place(language, "place", facts.game_rank),
        game = escape_html(&facts.game_name),
        votes = votes.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::html::tests::facts;
    use super::*;

    #[test]
    fn an_overlay_shows_place_votes_and_name() {
        let html = draw(Some(&facts()), &Options::overlay("lang=en&size=large"), " data-key=\"k\"");
        assert!(html.contains("&lt;img src=x&gt;") && !html.contains("<img src=x"), "{html}");
        assert!(html.contains("12,345 votes this month"), "{html}");
        assert!(
            html.contains("<body class=\"large dark rounded animated\" data-key=\"k\">"),
            "{html}"
        );
        assert_eq!(html.matches("data-figure=").count(), 2);
        let without = draw(Some(&facts()), &Options::overlay("votes=0"), "");
        assert!(!without.contains("345"), "{without}");
    }

    #[test]
    fn an_overlay_of_no_server_says_so() {
        let html = draw(None, &Options::overlay("lang=es"), "");
        assert!(html.contains("<h1>Servidor no encontrado</h1>"), "{html}");
        assert!(!html.contains("<script"), "{html}");
    }
}
