//! The announcement of a new server, in the format of Discord's webhooks.

use page_registry::Language;
use serde_json::{Value, json};
use uuid::Uuid;

use super::plain_text::{summary, unescape};

/// A new public server, its name and description as they are stored.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub(crate) struct Announcement {
    pub id: Uuid,
    pub name: String,
    pub description: String,
    pub game_name: String,
    pub logo_image_url: Option<String>,
}

/// The site's violet, as the colour of the embed.
const COLOUR: u32 = 0x8B_5C_F6;
/// The longest description in characters; Discord accepts more, but a preview needs less.
const LONGEST: usize = 300;

fn title(language: Language) -> &'static str {
    match language {
        Language::Fr => "Un nouveau serveur rejoint le classement",
        Language::En => "A new server joins the ranking",
        Language::Es => "Un nuevo servidor entra en la clasificación",
    }
}

fn game(language: Language) -> &'static str {
    match language {
        Language::Fr => "Jeu",
        Language::En => "Game",
        Language::Es => "Juego",
    }
}

impl Announcement {
    /// The message, for a site at `origin`. It mentions nobody, whatever an owner wrote.
    pub fn message(&self, language: Language, origin: &str) -> Value {
        let mut embed = json!({
            "title": unescape(&self.name),
            "url": format!("{origin}/{}/server/{}", language.code(), self.id),
            "description": cut(&summary(&self.description)),
            "color": COLOUR,
            "fields": [{ "name": game(language), "value": self.game_name, "inline": true }],
        });
        if let Some(logo) = &self.logo_image_url {
            let logo = if logo.starts_with('/') { format!("{origin}{logo}") } else { logo.clone() };
            embed["thumbnail"] = json!({ "url": logo });
        }
        json!({
            "content": title(language),
            "allowed_mentions": { "parse": [] },
            "embeds": [embed],
        })
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcement_shows_plain_text_without_mentions() {
        let announcement = Announcement {
            id: Uuid::nil(),
            name: "Loup &amp; @everyone".into(),
            description: "&lt;p&gt;**Bold** é&lt;/p&gt;".to_owned() + &"a".repeat(400),
            game_name: "Rust".into(),
            logo_image_url: Some("/storage/v1/logo.webp".into()),
        };
        let message = announcement.message(Language::En, "https://site.example");
        assert_eq!(message["content"], "A new server joins the ranking");
        assert_eq!(message["allowed_mentions"], json!({ "parse": [] }));
        let embed = &message["embeds"][0];
        assert_eq!(embed["title"], "Loup & @everyone");
        let page = "https://site.example/en/server/00000000-0000-0000-0000-000000000000";
        assert_eq!(embed["url"], page);
        assert_eq!(embed["thumbnail"]["url"], "https://site.example/storage/v1/logo.webp");
        let text = embed["description"].as_str().expect("a text");
        assert!(text.starts_with("Bold é") && text.ends_with('…'), "{text}");
        assert_eq!(text.chars().count(), LONGEST + 1);
    }
}
