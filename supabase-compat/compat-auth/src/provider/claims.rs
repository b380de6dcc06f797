//! A provider's user document in the form that identities store.

use serde_json::{Value, json};

use super::table::{ClaimMap, EmailVerification};
use crate::model::metadata::Metadata;

/// A person as the provider describes them.
#[derive(Debug, Clone)]
pub struct Person {
    /// The account's name at the provider.
    pub sub: String,
    /// The address, lower-cased, and whether the provider verified it.
    pub email: Option<(String, bool)>,
    /// The data that the identity stores.
    pub data: Metadata,
}

impl Person {
    /// Reads `document`; `listed` is the provider's separate list of addresses, where it has one.
    /// `None` if the document does not identify its person.
    pub fn read(
        map: &ClaimMap,
        issuer: &str,
        document: &Value,
        listed: Option<&Value>,
    ) -> Option<Self> {
        let text = |pointer: &str| document.pointer(pointer).and_then(text_of);
        let sub = text(map.sub).filter(|sub| !sub.is_empty())?;
        let email = match map.verified {
            EmailVerification::Listed(_) => listed.and_then(primary),
            EmailVerification::Always => text(map.email).map(|email| (email, true)),
            EmailVerification::Never => text(map.email).map(|email| (email, false)),
            EmailVerification::At(pointer) => {
                let verified = document.pointer(pointer).is_some_and(is_true);
                text(map.email).map(|email| (email, verified))
            }
        };
        let email = email
            .map(|(email, verified)| (email.trim().to_lowercase(), verified))
            .filter(|(email, _)| !email.is_empty());
        let mut data = Metadata::new();
        data.insert("iss".to_owned(), json!(issuer));
        data.insert("sub".to_owned(), json!(sub));
        data.insert("provider_id".to_owned(), json!(sub));
        put(&mut data, &["name", "full_name"], text(map.name));
        put(&mut data, &["user_name", "preferred_username"], text(map.user_name));
        put(&mut data, &["avatar_url", "picture"], text(map.picture));
        if let Some((email, _)) = &email {
            data.insert("email".to_owned(), json!(email));
        }
        let verified = email.as_ref().is_some_and(|(_, verified)| *verified);
        data.insert("email_verified".to_owned(), json!(verified));
        data.insert("phone_verified".to_owned(), json!(false));
        Some(Self { sub, email, data })
    }
}

fn put(data: &mut Metadata, keys: &[&str], value: Option<String>) {
    if let Some(value) = value.filter(|value| !value.is_empty()) {
        for key in keys {
            data.insert((*key).to_owned(), json!(value));
        }
    }
}

/// An id as text; some providers have numbers.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A boolean; some providers write it as text.
fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or(value.as_str() == Some("true"))
}

/// The primary address of a list, else its first verified one, else its first.
fn primary(listed: &Value) -> Option<(String, bool)> {
    let entries = listed.as_array()?;
    let is = |entry: &&Value, key: &str| entry.get(key).is_some_and(is_true);
    let chosen = entries
        .iter()
        .find(|entry| is(entry, "primary"))
        .or_else(|| entries.iter().find(|entry| is(entry, "verified")))
        .or_else(|| entries.first())?;
    Some((chosen.get("email")?.as_str()?.to_owned(), is(&chosen, "verified")))
}

#[cfg(test)]
mod tests {
    use super::super::Provider;
    use super::*;

    #[test]
    fn standard_claims_keep_old_and_new_names() {
        let document = json!({
            "sub": "42", "email": "Ada@Example.test", "email_verified": true,
            "name": "Ada", "preferred_username": "ada", "picture": "https://p.example/a.png",
        });
        let map = Provider::from_name("google").map;
        let person = Person::read(&map, "https://i.example", &document, None).unwrap();
        assert_eq!(person.sub, "42");
        assert_eq!(person.email, Some(("ada@example.test".to_owned(), true)));
        assert_eq!(
            Value::Object(person.data),
            json!({
                "iss": "https://i.example", "sub": "42", "provider_id": "42",
                "name": "Ada", "full_name": "Ada", "user_name": "ada", "preferred_username": "ada",
                "avatar_url": "https://p.example/a.png", "picture": "https://p.example/a.png",
                "email": "ada@example.test", "email_verified": true, "phone_verified": false,
            })
        );
    }

    #[test]
    fn a_list_gives_its_primary_address() {
        let map = Provider::from_name("github").map;
        let listed = json!([
            {"email": "old@example.test", "verified": true, "primary": false},
            {"email": "ada@example.test", "verified": false, "primary": true},
        ]);
        let document = json!({"id": 7, "login": "ada", "email": "ignored@example.test"});
        let person = Person::read(&map, "x", &document, Some(&listed)).unwrap();
        assert_eq!(person.sub, "7");
        assert_eq!(person.email, Some(("ada@example.test".to_owned(), false)));
        assert_eq!(Person::read(&map, "x", &document, None).unwrap().email, None);
    }

    #[test]
    fn document_without_id_names_no_person() {
        let map = Provider::from_name("discord").map;
        for document in [json!({}), json!({"id": ""}), json!([]), Value::Null] {
            assert!(Person::read(&map, "x", &document, None).is_none());
        }
    }
}
