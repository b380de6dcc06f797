//! Vote reminders: the browser that subscribed, and the message it receives.

use page_registry::{Language, path_of};
use serde_json::{Value, json};
use uuid::Uuid;

/// A browser's push subscription.
#[derive(Debug)]
pub(crate) struct Browser {
    /// The URL at its push service.
    pub endpoint: String,
    /// The public key, uncompressed.
    pub p256dh: Vec<u8>,
    /// The authentication secret.
    pub auth: Vec<u8>,
    /// The language of the messages.
    pub language: Language,
    /// The account of the browser; `None` for a guest.
    pub account: Option<Uuid>,
}

/// A server for which the browser can vote again.
#[derive(Debug, Clone)]
pub(crate) struct RemindedServer {
    /// The name in plain text.
    pub name: String,
    /// The slug in its URL.
    pub slug: String,
}

/// The most names in a message; the others are given as a number.
const NAMED: usize = 3;

/// The message for the site's service worker, which shows it as it is (`public/service-worker.js`).
pub(crate) fn message(language: Language, servers: &[RemindedServer]) -> Value {
    let title = match language {
        Language::Fr => "Vous pouvez revoter",
        Language::En => "You can vote again",
        Language::Es => "Puedes volver a votar",
    };
    let stop = match language {
        Language::Fr => "Ne plus me prévenir",
        Language::En => "Stop reminding me",
        Language::Es => "No avisarme más",
    };
    let url = match servers {
        [only] => format!("{}?vote=1", path_of("server", &only.slug, language)),
        _ => format!("{}/", language.home()),
    };
    json!({
        "title": title,
        "body": names(language, servers),
        "url": url,
        "stop": stop,
        "lang": language.code(),
    })
}

fn names(language: Language, servers: &[RemindedServer]) -> String {
    let named: Vec<&str> = servers.iter().take(NAMED).map(|server| &*server.name).collect();
    let named = named.join(", ");
    match (servers.len().saturating_sub(NAMED), language) {
        (0, _) => named,
        (1, Language::Fr) => format!("{named} et 1 autre serveur"),
        (more, Language::Fr) => format!("{named} et {more} autres serveurs"),
        (1, Language::En) => format!("{named} and 1 more server"),
        (more, Language::En) => format!("{named} and {more} more servers"),
        (1, Language::Es) => format!("{named} y 1 servidor más"),
        (more, Language::Es) => format!("{named} y {more} servidores más"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(names: &[&str]) -> Vec<RemindedServer> {
        let waiting =
            |name: &&str| RemindedServer { name: (*name).into(), slug: name.to_lowercase() };
        names.iter().map(waiting).collect()
    }

    #[test]
    fn reminder_links_single_server_and_lists_several() {
        let one = message(Language::Es, &waiting(&["Avalon"]));
        assert_eq!(one["url"], "/es/servidor/avalon?vote=1");
        assert_eq!(one["body"], "Avalon");
        let five = message(Language::Fr, &waiting(&["A", "B", "C", "D", "E"]));
        assert_eq!(
            (&five["url"], &five["body"]),
            (&"/".into(), &"A, B, C et 2 autres serveurs".into())
        );
        let four = message(Language::En, &waiting(&["A", "B", "C", "D"]));
        assert_eq!(
            (&four["url"], &four["body"]),
            (&"/en/".into(), &"A, B, C and 1 more server".into())
        );
    }
}
