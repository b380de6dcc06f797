//! The messages of webhooks: the event as JSON, signed as <https://www.standardwebhooks.com>
//! specifies, a message for Discord, or the URL of a postback.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use page_registry::{Language, path_of};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use sha2::Sha256;

use super::delivery::{Hook, PendingDelivery};

/// The site's violet.
const COLOUR: u32 = 0x8B_5C_F6;

/// The event as JSON. It is the same at every attempt, except for the receipt, which is signed
/// again.
pub(crate) fn body(pending: &PendingDelivery, receipt: Option<&str>) -> String {
    let mut body = json!({ "id": pending.id });
    if let (Value::Object(body), Value::Object(facts)) = (&mut body, &pending.payload) {
        body.extend(facts.iter().map(|(name, fact)| (name.clone(), fact.clone())));
    }
    if let Some(receipt) = receipt {
        body["receipt"] = json!(receipt);
    }
    body.to_string()
}

/// The signatures of a body: one for each valid secret.
pub(crate) fn signatures(
    hook: &Hook,
    pending: &PendingDelivery,
    at: DateTime<Utc>,
    body: &str,
) -> String {
    let signed = format!("{}.{}.{body}", pending.id, at.timestamp());
    let secrets = std::iter::once(&hook.secret).chain(&hook.previous_secret);
    let all: Vec<_> = secrets.map(|secret| format!("v1,{}", mac(secret, &signed))).collect();
    all.join(" ")
}

/// The MAC of a text. A secret that begins with `whsec_` is the base64 of the key; any other is the
/// key itself.
fn mac(secret: &str, signed: &str) -> String {
    let encoded = secret.strip_prefix("whsec_").and_then(|text| STANDARD.decode(text).ok());
    let key = encoded.unwrap_or_else(|| secret.as_bytes().to_vec());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes keys of any length");
    mac.update(signed.as_bytes());
    STANDARD.encode(mac.finalize().into_bytes())
}

/// The message for Discord; it mentions nobody.
pub(crate) fn discord(pending: &PendingDelivery, language: Language, origin: &str) -> Value {
    let nickname = escape(pending.fact("/vote/nickname"));
    let (server, slug) = (pending.fact("/server/name"), pending.fact("/server/slug"));
    let is_test = pending.event != "vote.created";
    let title = match (language, is_test) {
        (Language::Fr, false) => format!("{nickname} a voté"),
        (Language::En, false) => format!("{nickname} voted"),
        (Language::Es, false) => format!("{nickname} ha votado"),
        (Language::Fr, true) => "Message d’essai".to_owned(),
        (Language::En, true) => "Test message".to_owned(),
        (Language::Es, true) => "Mensaje de prueba".to_owned(),
    };
    let votes = pending.payload.pointer("/server/monthly_votes").and_then(Value::as_i64);
    let votes = votes.unwrap_or_default();
    let description = match language {
        Language::Fr => format!("Votes ce mois-ci\u{a0}: {votes}"),
        Language::En => format!("Votes this month: {votes}"),
        Language::Es => format!("Votos este mes: {votes}"),
    };
    let mut embed = json!({
        "title": title,
        "description": description,
        "url": format!("{origin}{}", path_of("server", slug, language)),
        "color": COLOUR,
        "author": { "name": server },
    });
    if let Some(at) = pending.payload.pointer("/vote/voted_at") {
        embed["timestamp"] = at.clone();
    }
    // With an empty `parse`, Discord notifies nobody, whatever a nickname contains.
    json!({ "allowed_mentions": { "parse": [] }, "embeds": [embed] })
}

/// Escapes the characters of Discord's markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '*' | '_' | '~' | '`' | '|' | '>' | '[' | ']' | '(' | ')' | '#'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The URL of a postback with its placeholders filled in. There is no placeholder for the voter's
/// address, which nobody knows.
pub(crate) fn postback(hook: &Hook, pending: &PendingDelivery, secret: &str) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let facts = [
        ("{nick}", pending.fact("/vote/nickname").to_owned()),
        ("{ticket}", pending.fact("/vote/ticket").to_owned()),
        ("{vote}", pending.fact("/vote/id").to_owned()),
        ("{server}", pending.fact("/server/id").to_owned()),
        ("{time}", pending.fact("/vote/voted_at").to_owned()),
        ("{secret}", secret.to_owned()),
    ];
    // From left to right, once: inserted values are not searched for placeholders.
    let mut rest = &*hook.url;
    let mut address = String::with_capacity(rest.len());
    while let Some(at) = rest.find('{') {
        let (before, place) = rest.split_at(at);
        address.push_str(before);
        let known = facts.iter().find(|(name, _)| place.starts_with(name));
        let length = known.map_or(1, |(name, _)| name.len());
        match known {
            Some((_, fact)) => address.push_str(&encode(fact)),
            None => address.push('{'),
        }
        rest = &place[length..];
    }
    address + rest
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::delivery::Format;
    use super::*;

    fn hook(url: &str) -> Hook {
        Hook {
            url: url.into(),
            secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into(),
            previous_secret: None,
            format: Format::Json,
            language: Language::En,
            is_active: true,
        }
    }

    fn pending(nickname: &str) -> PendingDelivery {
        PendingDelivery {
            id: Uuid::from_u128(1),
            event: "vote.created".into(),
            payload: json!({
                "event": "vote.created",
                "vote": { "id": "v", "nickname": nickname, "voted_at": "2026-11-23T00:00:00Z" },
                "server": { "id": "s", "slug": "tom", "name": "Tom", "monthly_votes": 3 },
            }),
            attempts: 0,
            queued_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn signature_matches_standard_webhooks_example() {
        // The example of the standard's own libraries.
        let signed = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{\"test\": 2432232314}";
        assert_eq!(mac(&hook("").secret, signed), "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn two_secrets_sign_while_one_follows_the_other() {
        let mut hook = hook("https://h.example");
        let pending = pending("Ada");
        let alone = signatures(&hook, &pending, DateTime::UNIX_EPOCH, "{}");
        hook.previous_secret = Some(std::mem::replace(&mut hook.secret, "a new secret".into()));
        let both = signatures(&hook, &pending, DateTime::UNIX_EPOCH, "{}");
        assert!(both.ends_with(&format!(" {alone}")) && both.len() == 2 * alone.len() + 1);
    }

    #[test]
    fn postback_url_escapes_values_and_keeps_unknown_placeholders() {
        let hook = hook("https://h.example/in?p={nick}&t={ticket}&s={secret}&{x}");
        assert_eq!(
            postback(&hook, &pending("{secret}&a=b"), "k/="),
            "https://h.example/in?p=%7Bsecret%7D%26a%3Db&t=&s=k%2F%3D&{x}"
        );
    }

    #[test]
    fn discord_message_escapes_nickname_without_mentions() {
        let message = discord(&pending("*@everyone*"), Language::En, "https://site.example");
        assert_eq!(message["embeds"][0]["title"], r"\*@everyone\* voted");
        assert_eq!(message["embeds"][0]["url"], "https://site.example/en/server/tom");
        assert_eq!(message["allowed_mentions"], json!({ "parse": [] }));
    }

    #[test]
    fn the_body_begins_with_the_id_that_stays() {
        let start =
            r#"{"id":"00000000-0000-0000-0000-000000000001","event":"vote.created","vote":{"#;
        assert!(body(&pending("Ada"), None).starts_with(start));
        let receipted = body(&pending("Ada"), Some("a.b.c"));
        assert!(receipted.starts_with(start) && receipted.ends_with(r#","receipt":"a.b.c"}"#));
    }
}
