//! The message.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The kind of emails that an application writes itself.
const APPLICATION: &str = "application";

/// A finished email.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Email {
    /// The address.
    pub to: String,
    /// One line.
    pub subject: String,
    /// The body for programs that show pages.
    pub html: String,
    /// The same for those that do not.
    pub text: String,
    /// Why it is sent, for headers and the log.
    pub kind: Cow<'static, str>,
    /// Its date.
    pub at: DateTime<Utc>,
    /// Further headers, of this email alone. A name that is none makes the email undeliverable.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

/// What an email says, addressed to nobody yet.
#[derive(Debug)]
pub struct RenderedEmail {
    /// One line.
    pub subject: String,
    /// The body for programs that show pages.
    pub html: String,
    /// The same for those that do not.
    pub text: String,
}

impl RenderedEmail {
    /// The email to somebody, which no program answers by itself.
    pub fn to(self, address: &str, at: DateTime<Utc>) -> Email {
        Email {
            to: address.to_owned(),
            subject: self.subject.chars().filter(|letter| !letter.is_control()).collect(),
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
    fn a_subject_stays_one_line_and_programs_know_that_nobody_reads_answers() {
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
