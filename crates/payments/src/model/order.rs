//! Orders, and their description for a provider.

use chrono::{DateTime, NaiveDate, Utc};
use compat_http::unescape_html;
use page_registry::{Language, path_of};
use uuid::Uuid;

/// A request for days of Prestige.
#[derive(Debug)]
pub(crate) struct PrestigeOrderRequest {
    pub server: Uuid,
    pub days: i32,
    pub language: Language,
    pub begins_at_once: bool,
}

/// A request for an Arcade spot.
#[derive(Debug)]
pub(crate) struct ArcadeOrderRequest {
    pub position: i32,
    pub starts: NaiveDate,
    pub ends: NaiveDate,
    pub image_url: String,
    pub website_url: Option<String>,
    pub server: Option<Uuid>,
    pub language: Language,
    pub begins_at_once: bool,
}

/// A payment with all that a provider needs to know of it.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct PaymentDetails {
    pub id: Uuid,
    pub kind: String,
    pub server_id: Option<Uuid>,
    pub days: i32,
    pub amount_cents: i32,
    pub currency: String,
    pub language: String,
    pub provider: Option<String>,
    pub session_url: Option<String>,
    pub expires_at: DateTime<Utc>,
    pub email: String,
    pub server_name: Option<String>,
    pub spot_position: Option<i32>,
    pub start_date: Option<NaiveDate>,
    pub end_date: Option<NaiveDate>,
}

/// The session of a payment.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct SessionLink {
    pub session_id: Option<String>,
    pub session_url: Option<String>,
}

impl PaymentDetails {
    /// The language of the payer.
    pub fn language(&self) -> Language {
        Language::parse(&self.language).unwrap_or(Language::Fr)
    }

    /// What the payment is for, as the provider's page shows it.
    pub fn description(&self) -> String {
        purchase(
            self.language(),
            self.days,
            self.server_name.as_deref(),
            self.spot_position,
            self.start_date.zip(self.end_date),
        )
    }

    /// The path of the page to which the payer returns after paying, with the session's id.
    pub fn success_path(&self, session: &str) -> String {
        let page = if self.kind == "arcade" { "arcadeSpotsSuccess" } else { "prestigeSuccess" };
        format!("{}?session_id={session}", path_of(page, "", self.language()))
    }

    /// The path of the page to which the payer returns without having paid.
    pub fn cancel_path(&self) -> String {
        let path = match self.server_id.filter(|_| self.kind == "prestige") {
            Some(server) => path_of("editServerPrestige", &server.to_string(), self.language()),
            None => path_of("arcadeSpotsManagement", "", self.language()),
        };
        format!("{path}?cancelled=1")
    }
}

/// The purchase in one line: days of Prestige, or an Arcade spot where there is a position. The
/// server's name is used as stored.
pub(crate) fn purchase(
    language: Language,
    days: i32,
    server: Option<&str>,
    position: Option<i32>,
    dates: Option<(NaiveDate, NaiveDate)>,
) -> String {
    let days = counted_days(language, days);
    let subject = match (position.map(|position| place(language, position)), dates) {
        (None, _) => format!("Prestige, {days}"),
        (Some(place), None) => format!("{place}, {days}"),
        (Some(place), Some((starts, ends))) => {
            format!("{place}, {days} ({})", date_range(language, starts, ends))
        }
    };
    match server {
        Some(server) => format!("{subject} · {}", unescape_html(server)),
        None => subject,
    }
}

fn counted_days(language: Language, days: i32) -> String {
    match (language, days) {
        (Language::Fr, 1) => "1 jour".to_owned(),
        (Language::Fr, _) => format!("{days} jours"),
        (Language::En, 1) => "1 day".to_owned(),
        (Language::En, _) => format!("{days} days"),
        (Language::Es, 1) => "1 día".to_owned(),
        (Language::Es, _) => format!("{days} días"),
    }
}

fn place(language: Language, position: i32) -> &'static str {
    match (language, position) {
        (Language::Fr, 1) => "Espace Arcade de gauche",
        (Language::Fr, 2) => "Espace Arcade du centre",
        (Language::Fr, _) => "Espace Arcade de droite",
        (Language::En, 1) => "Left Arcade spot",
        (Language::En, 2) => "Center Arcade spot",
        (Language::En, _) => "Right Arcade spot",
        (Language::Es, 1) => "Espacio Arcade izquierdo",
        (Language::Es, 2) => "Espacio Arcade central",
        (Language::Es, _) => "Espacio Arcade derecho",
    }
}

fn date_range(language: Language, starts: NaiveDate, ends: NaiveDate) -> String {
    let (starts, ends) = (starts.format("%d/%m/%Y"), ends.format("%d/%m/%Y"));
    match language {
        Language::Fr => format!("du {starts} au {ends}"),
        Language::En => format!("{starts} to {ends}"),
        Language::Es => format!("del {starts} al {ends}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purchase_is_one_line_in_each_language() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let dates = Some((day("2026-12-01"), day("2026-12-03")));
        assert_eq!(
            purchase(Language::Fr, 30, Some("Tom &amp; Co"), None, None),
            "Prestige, 30 jours · Tom & Co"
        );
        assert_eq!(
            purchase(Language::En, 1, None, Some(2), dates),
            "Center Arcade spot, 1 day (01/12/2026 to 03/12/2026)"
        );
        assert_eq!(
            purchase(Language::Es, 3, None, Some(3), dates),
            "Espacio Arcade derecho, 3 días (del 01/12/2026 al 03/12/2026)"
        );
    }
}
