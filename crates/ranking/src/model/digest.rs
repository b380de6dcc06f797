//! The weekly mail to an owner, in three languages.

use std::fmt::Write as _;

use compat_http::escape_html;
use compat_mail::RenderedEmail;
use page_registry::{Language, path_of};
use serde::Deserialize;

/// The figures of a server for one week.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ServerWeek {
    /// The name in plain text.
    pub name: String,
    /// The slug in its URL.
    pub slug: String,
    /// The current rank in its game; `None` without votes this month.
    pub place: Option<i32>,
    /// The rank in the previous mail.
    pub before: Option<i32>,
    pub votes: i64,
    pub votes_before: i64,
    pub clicks: i64,
    pub reviews: i64,
}

/// The facts of one mail.
pub(crate) struct Week<'a> {
    pub language: Language,
    pub site_name: &'a str,
    /// The site's address, without the last slash.
    pub site_url: &'a str,
    pub servers: &'a [ServerWeek],
    /// The unsubscribe link.
    pub end_url: &'a str,
}

/// The sentences of the mail, with `{}` for a figure.
struct Words {
    subject: &'static str,
    title: &'static str,
    lead: &'static str,
    place: &'static str,
    no_place: &'static str,
    up: [&'static str; 2],
    down: [&'static str; 2],
    same: &'static str,
    votes: [&'static str; 2],
    clicks: [&'static str; 2],
    reviews: [&'static str; 2],
    week_before: &'static str,
    see: &'static str,
    reason: &'static str,
    end: &'static str,
}

fn words(language: Language) -> Words {
    match language {
        Language::Fr => Words {
            subject: "Votre semaine\u{a0}:",
            title: "Votre semaine",
            lead: "Voici ce que vos serveurs ont vécu la semaine dernière.",
            place: "n°\u{a0}{} de son jeu",
            no_place: "pas encore classé ce mois-ci",
            up: ["en hausse de {} place", "en hausse de {} places"],
            down: ["en baisse de {} place", "en baisse de {} places"],
            same: "place inchangée",
            votes: ["{} vote", "{} votes"],
            clicks: ["{} visite", "{} visites"],
            reviews: ["{} nouvel avis", "{} nouveaux avis"],
            week_before: "{} la semaine d’avant",
            see: "Voir la page",
            reason: "Vous recevez ce message chaque lundi parce qu’un serveur vous appartient.",
            end: "Ne plus le recevoir",
        },
        Language::En => Words {
            subject: "Your week:",
            title: "Your week",
            lead: "Here is what happened to your servers last week.",
            place: "no. {} of its game",
            no_place: "no place yet this month",
            up: ["up {} place", "up {} places"],
            down: ["down {} place", "down {} places"],
            same: "same place",
            votes: ["{} vote", "{} votes"],
            clicks: ["{} visit", "{} visits"],
            reviews: ["{} new review", "{} new reviews"],
            week_before: "{} the week before",
            see: "See its page",
            reason: "You get this mail every Monday because a server is yours.",
            end: "Stop receiving it",
        },
        Language::Es => Words {
            subject: "Tu semana:",
            title: "Tu semana",
            lead: "Esto es lo que vivieron tus servidores la semana pasada.",
            place: "n.º {} de su juego",
            no_place: "todavía sin puesto este mes",
            up: ["sube {} puesto", "sube {} puestos"],
            down: ["baja {} puesto", "baja {} puestos"],
            same: "mismo puesto",
            votes: ["{} voto", "{} votos"],
            clicks: ["{} visita", "{} visitas"],
            reviews: ["{} reseña nueva", "{} reseñas nuevas"],
            week_before: "{} la semana anterior",
            see: "Ver su página",
            reason: "Recibes este mensaje cada lunes porque un servidor es tuyo.",
            end: "Dejar de recibirlo",
        },
    }
}

/// Renders the email.
pub(crate) fn render(week: &Week<'_>) -> RenderedEmail {
    let words = words(week.language);
    let votes: i64 = week.servers.iter().map(|server| server.votes).sum();
    let count = |n, forms| counted(week.language, n, forms);
    let subject = format!("{} {} · {}", words.subject, count(votes, words.votes), week.site_name);
    RenderedEmail { subject, html: html(week, &words), text: text(week, &words) }
}

/// Fills a figure into its singular or plural form; French uses the singular for zero.
fn counted(language: Language, n: i64, forms: [&str; 2]) -> String {
    let is_one = n == 1 || (n == 0 && language == Language::Fr);
    filled(forms[usize::from(!is_one)], n)
}

fn filled(form: &str, n: i64) -> String {
    form.replace("{}", &n.to_string())
}

fn place_line(language: Language, words: &Words, server: &ServerWeek) -> String {
    let Some(place) = server.place else { return words.no_place.to_owned() };
    let now = filled(words.place, place.into());
    let Some(before) = server.before else { return now };
    let moved = i64::from(before) - i64::from(place);
    let movement = match moved {
        0 => words.same.to_owned(),
        1.. => counted(language, moved, words.up),
        _ => counted(language, -moved, words.down),
    };
    format!("{now}, {movement}")
}

fn figures(language: Language, words: &Words, server: &ServerWeek) -> [String; 3] {
    let before = filled(words.week_before, server.votes_before);
    [
        format!("{} ({before})", counted(language, server.votes, words.votes)),
        counted(language, server.clicks, words.clicks),
        counted(language, server.reviews, words.reviews),
    ]
}

fn text(week: &Week<'_>, words: &Words) -> String {
    let mut text = format!("{}\n\n", words.lead);
    for server in week.servers {
        let place_line = place_line(week.language, words, server);
        let figures = figures(week.language, words, server).join(", ");
        let page = path_of("server", &server.slug, week.language);
        let _ =
            write!(text, "{}\n{place_line}\n{figures}\n{}{page}\n\n", server.name, week.site_url);
    }
    let _ = write!(text, "{}\n{} {}\n", words.reason, words.end, week.end_url);
    text
}

fn html(week: &Week<'_>, words: &Words) -> String {
    let mut servers = String::new();
    for server in week.servers {
        let figures: String = figures(week.language, words, server)
            .iter()
            .map(|figure| format!("<li>{}</li>", escape_html(figure)))
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(
            servers,
            "<div style=\"margin:20px 0;padding:16px 20px;border:1px solid #e1dcee;\
             border-radius:12px\"><p style=\"margin:0;font-size:18px;font-weight:700\">{}</p>\
             <p style=\"margin:4px 0 0;color:#6d3ae6;font-weight:600\">{}</p>\
             <ul style=\"margin:12px 0;padding-left:20px\">{figures}</ul>\
             <a href=\"{}\" style=\"color:#6d3ae6;font-weight:600\">{}</a></div>",
            escape_html(&server.name),
            escape_html(&place_line(week.language, words, server)),
            escape_html(&format!(
                "{}{}",
                week.site_url,
                path_of("server", &server.slug, week.language)
            )),
            words.see,
        );
    }
    format!(
        "<!doctype html><html lang=\"{}\"><body style=\"margin:0;background:#f4f4f6\">\
         <div style=\"max-width:520px;margin:0 auto;padding:32px 24px;background:#fff;\
         font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1e26\">\
         <p style=\"margin:0 0 24px;color:#6d3ae6;font-size:18px;font-weight:700\">{}</p>\
         <h1 style=\"font-size:22px;margin:0 0 16px\">{}</h1><p>{}</p>{servers}\
         <p style=\"color:#5c6070;font-size:14px\">{} <a href=\"{}\" style=\"color:#5c6070\">{}</a>\
         </p></div></body></html>",
        week.language.code(),
        escape_html(week.site_name),
        words.title,
        words.lead,
        words.reason,
        escape_html(week.end_url),
        words.end,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> ServerWeek {
        ServerWeek {
            name: "Tom & <b>Co</b>".into(),
            slug: "tom".into(),
            place: Some(3),
            before: Some(5),
            votes: 1,
            votes_before: 12,
            clicks: 0,
            reviews: 2,
        }
    }

    fn rendered(language: Language, server: ServerWeek) -> RenderedEmail {
        render(&Week {
            language,
            site_name: "Palmarès",
            site_url: "https://site.example",
            servers: &[server],
            end_url: "https://site.example/weekly-mail?a=1&b=2",
        })
    }

    #[test]
    fn digest_uses_plural_rules_and_locale_links() {
        let french = rendered(Language::Fr, server());
        assert_eq!(french.subject, "Votre semaine\u{a0}: 1 vote · Palmarès");
        assert!(french.text.contains("n°\u{a0}3 de son jeu, en hausse de 2 places"));
        assert!(french.text.contains("1 vote (12 la semaine d’avant), 0 visite, 2 nouveaux avis"));
        let english = rendered(Language::En, server());
        assert!(english.text.contains("0 visits, 2 new reviews"));
        assert!(english.text.contains("https://site.example/en/server/tom\n"));
        let spanish = rendered(Language::Es, server()).text;
        assert!(spanish.contains("n.º 3 de su juego, sube 2 puestos"));
    }

    #[test]
    fn what_owners_typed_is_shown_and_never_obeyed() {
        let mail = rendered(Language::En, server());
        assert!(mail.html.contains("Tom &amp; &lt;b&gt;Co&lt;/b&gt;"), "{}", mail.html);
        assert!(mail.html.contains("?a=1&amp;b=2") && !mail.html.contains("<b>"));
        assert!(mail.text.contains("Tom & <b>Co</b>"));
    }

    #[test]
    fn place_line_shows_known_place_and_change() {
        let place_line = |place, before| {
            place_line(
                Language::En,
                &words(Language::En),
                &ServerWeek { place, before, ..server() },
            )
        };
        assert_eq!(place_line(None, Some(2)), "no place yet this month");
        assert_eq!(place_line(Some(2), None), "no. 2 of its game");
        assert_eq!(place_line(Some(2), Some(2)), "no. 2 of its game, same place");
        assert_eq!(place_line(Some(2), Some(1)), "no. 2 of its game, down 1 place");
    }
}
