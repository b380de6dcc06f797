//! E-mail addresses and telephone numbers, in their stored form.

use crate::error::InvalidRequest;

/// A lower-cased, plausible e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Accepts `local@domain` as HTML's e-mail fields do, plus any letters beyond ASCII.
    ///
    /// # Errors
    /// [`InvalidRequest::Email`] or [`InvalidRequest::EmailTooLong`].
    pub fn parse(text: &str) -> Result<Self, InvalidRequest> {
        let text = text.trim().to_lowercase();
        if text.len() > 255 {
            return Err(InvalidRequest::EmailTooLong);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(InvalidRequest::Email)?;
        let plausible = !local.is_empty()
            && local.chars().all(is_local)
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && is_domain(domain);
        if plausible { Ok(Self(text)) } else { Err(InvalidRequest::Email) }
    }

    /// An address from the database, which is not checked again.
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The address as stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c)
}

fn is_domain(domain: &str) -> bool {
    let labels: Vec<&str> = domain.split('.').collect();
    labels.len() > 1 && labels.iter().all(|label| is_label(label))
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// A telephone number in E.164 without its plus sign.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phone(String);

impl Phone {
    /// Parses a number; a leading plus and spaces are dropped.
    ///
    /// # Errors
    /// [`InvalidRequest::Phone`].
    pub fn parse(text: &str) -> Result<Self, InvalidRequest> {
        let digits: String = text.trim().trim_start_matches('+').replace(' ', "");
        let first = digits.bytes().next().unwrap_or(b'0');
        let plausible = (2..=15).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && first != b'0';
        if plausible { Ok(Self(digits)) } else { Err(InvalidRequest::Phone) }
    }

    /// A number from the database, which is not checked again.
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The number as stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An address at which a person receives messages and with which they sign in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    Email(Email),
    Phone(Phone),
}

impl Address {
    /// The address as stored.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Email(email) => email.as_str(),
            Self::Phone(phone) => phone.as_str(),
        }
    }

    /// The address, if it is an e-mail address.
    pub fn email(&self) -> Option<&str> {
        match self {
            Self::Email(email) => Some(email.as_str()),
            Self::Phone(_) => None,
        }
    }

    /// The number, if it is a telephone number.
    pub fn phone(&self) -> Option<&str> {
        match self {
            Self::Email(_) => None,
            Self::Phone(phone) => Some(phone.as_str()),
        }
    }

    /// The name of the provider of identities with this kind of address.
    pub fn provider(&self) -> &'static str {
        match self {
            Self::Email(_) => "email",
            Self::Phone(_) => "phone",
        }
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_stored_in_lower_case() {
        assert_eq!(Email::parse(" Ada@Example.COM ").unwrap().as_str(), "ada@example.com");
    }

    #[test]
    fn unreachable_addresses_are_refused() {
        for text in
            ["", "ada", "@b.c", "a@", "a@b", "a b@c.d", "a@b..c", "a@-b.c", ".a@b.c", "a@b.c\n@d"]
        {
            assert_eq!(Email::parse(text), Err(InvalidRequest::Email), "{text}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        assert_eq!(Email::parse(&long), Err(InvalidRequest::EmailTooLong));
    }

    #[test]
    fn email_accepts_tags_subdomains_and_unicode() {
        for text in ["a+b@c.d", "josé@exämple.fr", "o'neil@mail.example.co.uk"] {
            assert!(Email::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn numbers_lose_plus_and_spaces() {
        assert_eq!(Phone::parse("+33 6 12 34 56 78").unwrap().as_str(), "33612345678");
        for text in ["", "0612", "+", "12a", "1234567890123456"] {
            assert_eq!(Phone::parse(text), Err(InvalidRequest::Phone), "{text}");
        }
    }

    #[test]
    fn random_addresses_have_one_form_or_none() {
        let texts = prop_oneof![
            "\\PC{0,40}",
            "[ \t]?[A-Za-z0-9.+_\"-]{0,12}@[A-Za-z0-9.-]{0,20}[ \u{2003}]?",
            "[ +]{0,2}[0-9 ().-]{0,24}",
        ];
        property_test("addresses", texts, |text| {
            if let Ok(email) = Email::parse(&text) {
                assert_eq!(Email::parse(email.as_str()).as_ref(), Ok(&email), "{text}");
                assert!(!email.as_str().contains(char::is_whitespace), "{text}");
                assert!(email.as_str().len() <= 255, "{text}");
            }
            if let Ok(phone) = Phone::parse(&text) {
                assert_eq!(Phone::parse(phone.as_str()).as_ref(), Ok(&phone), "{text}");
                assert!(phone.as_str().chars().all(|c| c.is_ascii_digit()), "{text}");
            }
        });
    }
}
