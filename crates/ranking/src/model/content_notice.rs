//! A report by somebody without an account: what it must say, and the mails that answer it
//! (Digital Services Act, article 16).

use compat_mail::RenderedEmail;
use lettre::Address;
use page_registry::Language;
use uuid::Uuid;

use super::notification::Notification;

/// The reasons for a report, as in the pages and in `public.reports`.
const REASONS: [&str; 6] =
    ["inappropriate_content", "spam", "fake_server", "malicious_content", "copyright", "other"];

/// The limits of a name, an email address and an explanation, in characters.
const NAME: usize = 100;
const EMAIL: usize = 254;
const EXPLANATION: std::ops::RangeInclusive<usize> = 20..=2000;

/// A complete notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentNotice {
    pub server: Uuid,
    /// The reported review of that server; `None` when its page is reported.
    pub review: Option<Uuid>,
    pub reason: &'static str,
    pub explanation: String,
    pub name: String,
    pub email: String,
    pub language: Language,
}

/// The fields of the form as typed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoticeInput<'a> {
    pub reason: &'a str,
    pub explanation: &'a str,
    pub name: &'a str,
    pub email: &'a str,
    pub language: &'a str,
}

impl ContentNotice {
    /// Validates the form; `None` when a field is missing, too long, or not an email address.
    pub fn parse(server: Uuid, review: Option<Uuid>, typed: NoticeInput<'_>) -> Option<Self> {
        let reason = REASONS.into_iter().find(|reason| *reason == typed.reason)?;
        let explanation = typed.explanation.trim();
        let name = typed.name.trim();
        let email = typed.email.trim();
        let is_plain =
            |text: &str| !text.chars().any(|character| character.is_control() && character != '\n');
        let length = |text: &str| text.chars().count();
        let fits = EXPLANATION.contains(&length(explanation))
            && (1..=NAME).contains(&length(name))
            && email.len() <= EMAIL
            && is_plain(explanation)
            && is_plain(name)
            && !name.contains('\n');
        let address: Address = email.parse().ok()?;
        fits.then_some(Self {
            server,
            review,
            reason,
            explanation: explanation.to_owned(),
            name: name.to_owned(),
            email: address.to_string(),
            language: Language::parse(typed.language)?,
        })
    }
}

/// The facts in the mails about a notice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub language: Language,
    pub site_name: &'a str,
    /// The contact for people who disagree; empty when none is set.
    pub contact_email: &'a str,
    /// The name of the listing; empty when it was deleted.
    pub label: &'a str,
    pub is_review: bool,
}

impl About<'_> {
    fn translate(&self, words: [&str; 3]) -> String {
        let words = match self.language {
            Language::Fr => words[0],
            Language::En => words[1],
            Language::Es => words[2],
        };
        words.replace("{}", self.label)
    }

    /// The reported item, as a phrase.
    fn subject(&self) -> String {
        if self.is_review {
            return self.translate(["un avis sur {}", "a review of {}", "una reseña de {}"]);
        }
        self.translate(["la fiche de {}", "the page of {}", "la ficha de {}"])
    }

    fn note(&self, title: [&str; 3], lines: &[[&str; 3]], quote: Option<&str>) -> RenderedEmail {
        let subject = self.subject();
        let text = |words: &[&str; 3]| self.translate(*words).replace("{what}", &subject);
        let lines: Vec<String> = lines.iter().map(text).collect();
        let then = (!self.contact_email.is_empty()).then(|| {
            self.translate([
                "Une question ou un désaccord\u{a0}? Écrivez à {contact}.",
                "A question, or you disagree? Write to {contact}.",
                "¿Una pregunta o no estás de acuerdo? Escribe a {contact}.",
            ])
            .replace("{contact}", self.contact_email)
        });
        let notification = Notification {
            language: self.language,
            site_name: self.site_name,
            title: &self.translate(title),
            lines: &lines,
            quote,
            then: then.as_deref(),
            link: None,
        };
        notification.render()
    }

    /// The mail that confirms a notice and quotes its explanation.
    pub fn received(&self, explanation: &str) -> RenderedEmail {
        let title = ["Signalement reçu", "We received your report", "Hemos recibido tu aviso"];
        let lines = [
            [
                "Nous avons reçu votre signalement, qui concerne {what}.",
                "We received your report, which is about {what}.",
                "Hemos recibido tu aviso, que trata de {what}.",
            ],
            [
                "Une personne de l’équipe le lira et vous écrira ce qu’elle a décidé.",
                "A person of the team will read it and write to you what they decided.",
                "Una persona del equipo lo leerá y te escribirá lo que ha decidido.",
            ],
        ];
        self.note(title, &lines, Some(explanation))
    }

    /// The mail about the decision: the notice was upheld, or nothing changes.
    pub fn decided(&self, is_upheld: bool) -> RenderedEmail {
        let title =
            ["Réponse à votre signalement", "Answer to your report", "Respuesta a tu aviso"];
        let decision = if is_upheld {
            [
                "Nous avons donné suite à votre signalement, qui concernait {what}.",
                "We acted upon your report, which was about {what}.",
                "Hemos dado curso a tu aviso, que trataba de {what}.",
            ]
        } else {
            [
                "Nous avons examiné votre signalement, qui concernait {what}, et n’avons pas trouvé de raison d’agir.",
                "We looked at your report, which was about {what}, and found no reason to act.",
                "Hemos examinado tu aviso, que trataba de {what}, y no hemos encontrado motivo para actuar.",
            ]
        };
        let by = [
            "La décision a été prise par une personne, pas par une machine.",
            "A person decided this, not a machine.",
            "La decisión la tomó una persona, no una máquina.",
        ];
        self.note(title, &[decision, by], None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPED: NoticeInput<'static> = NoticeInput {
        reason: "copyright",
        explanation: " The banner is a picture of ours, see our page. ",
        name: " Ada ",
        email: "ada@example.test",
        language: "en",
    };

    fn parse(typed: NoticeInput<'_>) -> Option<ContentNotice> {
        ContentNotice::parse(Uuid::nil(), None, typed)
    }

    #[test]
    fn a_notice_says_why_what_and_who() {
        let notice = parse(TYPED).expect("a notice");
        assert_eq!(
            (notice.name.as_str(), notice.explanation.as_str(), notice.reason),
            ("Ada", "The banner is a picture of ours, see our page.", "copyright")
        );
        let long = "x".repeat(2001);
        for refused in [
            NoticeInput { reason: "dull", ..TYPED },
            NoticeInput { explanation: "Remove it", ..TYPED },
            NoticeInput { explanation: &long, ..TYPED },
            NoticeInput { explanation: "The banner is a picture\0 of ours", ..TYPED },
            NoticeInput { name: " ", ..TYPED },
            NoticeInput { name: &long, ..TYPED },
            NoticeInput { name: "Ada\nBcc: x", ..TYPED },
            NoticeInput { email: "ada", ..TYPED },
            NoticeInput { email: "ada@example.test\r\nBcc: bob@example.test", ..TYPED },
            NoticeInput { language: "de", ..TYPED },
        ] {
            assert_eq!(parse(refused), None, "{refused:?}");
        }
    }

    #[test]
    fn report_emails_name_subject_and_decision() {
        let about = About {
            language: Language::Fr,
            site_name: "Palmarès",
            contact_email: "desk@site.example",
            label: "Tom <b>",
            is_review: true,
        };
        let received = about.received("Ceci n’est pas <vrai>");
        assert_eq!(received.subject, "Signalement reçu · Palmarès");
        assert!(received.text.contains("un avis sur Tom <b>.\n"), "{}", received.text);
        assert!(received.html.contains("Ceci n’est pas &lt;vrai&gt;"), "{}", received.html);
        let english = About { language: Language::En, is_review: false, ..about };
        let decided = english.decided(false).text;
        assert!(decided.contains("about the page of Tom <b>, and found no reason"), "{decided}");
        assert!(decided.ends_with("Write to desk@site.example.\n"), "{decided}");
        let alone = About { contact_email: "", ..english };
        assert!(!alone.decided(true).text.contains("Write to"), "nobody to write to");
    }
}
