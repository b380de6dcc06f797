//! The email, finished or not yet addressed.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The kind of emails that an application writes itself.
const APPLICATION: &str = "application";

/// A finished email.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Email {
    /// The address of the recipient.
    pub to: String,
    /// The subject, one line.
    pub subject: String,
    /// The body as HTML.
    pub html: String,
    /// The body as plain text.
    pub text: String,
    /// The kind of email, for headers and logs.
    pub kind: Cow<'static, str>,
    /// The date in the email's header.
    pub at: DateTime<Utc>,
    /// Additional headers of this email. An invalid header name makes the email undeliverable.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

/// The content of an email without its recipient.
#[derive(Debug)]
pub struct RenderedEmail {
    /// The subject; [`Self::to`] removes control characters.
    pub subject: String,
    /// The body as HTML.
    pub html: String,
    /// The body as plain text.
    pub text: String,
}

impl RenderedEmail {
    /// Addresses the email, with a header that keeps programs from replying automatically.
    pub fn to(self, address: &str, at: DateTime<Utc>) -> Email {
        Email {
            to: address.to_owned(),
            subject: self.subject.chars().filter(|character| !character.is_control()).collect(),
            html: self.html,
            text: self.text,
            kind: Cow::Borrowed(APPLICATION),
            at,
            headers: vec![("Auto-Submitted".to_owned(), "auto-generated".to_owned())],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_subject_cannot_inject_headers() {
        let rendered = RenderedEmail {
            subject: "A\r\nBcc: x".into(),
            html: String::new(),
            text: String::new(),
        };
        let email = rendered.to("ada@example.test", DateTime::UNIX_EPOCH);
        assert_eq!(email.subject, "ABcc: x");
        assert_eq!(email.headers, [("Auto-Submitted".to_owned(), "auto-generated".to_owned())]);
    }
}
