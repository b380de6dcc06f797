//! The mail about a moderator's decision: what was decided, why, and how to appeal.

use chrono::{DateTime, Utc};
use compat_mail::RenderedEmail;
use page_registry::{Language, path_of};

use super::notification::Notification;

/// The kind of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// A listing was approved and is now public.
    Approved,
    /// A listing was rejected and does not become public.
    Refused,
    /// A public listing was suspended.
    Suspended,
    /// A review was hidden.
    Hidden,
    /// A listing was reverted to the state before its owner's change.
    Reverted,
    /// A warning or a ban without another decision.
    Sanctioned,
    /// An appeal was dismissed.
    Upheld,
    /// An appeal succeeded.
    Overturned,
}

/// The sanction that comes with a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sanction {
    Warning,
    Ban,
}

/// The facts of one mail.
pub(crate) struct Notice<'a> {
    pub language: Language,
    pub site_name: &'a str,
    /// The site's address, without the last slash.
    pub site_url: &'a str,
    /// The appeal link for somebody who cannot sign in.
    pub appeal_url: &'a str,
    /// The listing's name, or the account's.
    pub label: &'a str,
    pub decision: Decision,
    pub sanction: Option<Sanction>,
    pub until: Option<DateTime<Utc>>,
    /// A code of [`REASONS`].
    pub reason: Option<&'a str>,
    /// The moderator's own words.
    pub statement: Option<&'a str>,
    /// Whether the decision was reversed.
    pub is_taken_back: bool,
}

/// The reasons for a negative decision, in French, English and Spanish.
const REASONS: [(&str, [&str; 3]); 12] = [
    ("illegal", ["contenu illicite", "illegal content", "contenido ilícito"]),
    ("hate", ["propos haineux", "hateful content", "contenido que incita al odio"]),
    ("sexual", ["contenu sexuel", "sexual content", "contenido sexual"]),
    ("harassment", ["harcèlement", "harassment", "acoso"]),
    ("spam", ["publicité non sollicitée", "spam", "spam"]),
    ("deceptive", ["contenu trompeur", "deceptive content", "contenido engañoso"]),
    ("malicious", ["contenu dangereux", "malicious content", "contenido peligroso"]),
    ("copyright", ["droit d’auteur", "copyright", "derechos de autor"]),
    ("personal_data", ["données personnelles", "personal data", "datos personales"]),
    ("cheating", ["triche", "cheating", "trampas"]),
    ("rules", ["règles du site", "rules of the site", "normas del sitio"]),
    ("other", ["autre motif", "another reason", "otro motivo"]),
];

/// Renders the mail.
pub(crate) fn render(notice: &Notice<'_>) -> RenderedEmail {
    let title = title(notice);
    let mut lines = vec![lead(notice)];
    if !notice.is_taken_back {
        lines.extend(sanction(notice));
        lines.extend(reason(notice));
    }
    let statement = notice.statement.filter(|_| !notice.is_taken_back);
    let appeal_line = appeal_line(notice);
    let profile_url = format!("{}{}", notice.site_url, path_of("profile", "", notice.language));
    // A banned person cannot open their profile. The address of the appeal carries its own proof.
    let (link, url) = if notice.sanction == Some(Sanction::Ban) && appeal_line.is_some() {
        (["Contester", "Appeal", "Recurrir"], notice.appeal_url)
    } else {
        (["Voir votre profil", "See your profile", "Ver tu perfil"], &*profile_url)
    };
    let link = word(notice.language, link);
    let notification = Notification {
        language: notice.language,
        site_name: notice.site_name,
        title: &title,
        lines: &lines,
        quote: statement,
        then: appeal_line.as_deref(),
        link: Some((link, url)),
    };
    notification.render()
}

fn word(language: Language, words: [&str; 3]) -> &str {
    match language {
        Language::Fr => words[0],
        Language::En => words[1],
        Language::Es => words[2],
    }
}

/// The sentence in the language of the mail, with the label filled in.
fn about(notice: &Notice<'_>, words: [&str; 3]) -> String {
    word(notice.language, words).replace("{}", notice.label)
}

fn title(notice: &Notice<'_>) -> String {
    if notice.is_taken_back {
        return about(
            notice,
            ["Décision annulée\u{a0}: {}", "Decision taken back: {}", "Decisión anulada: {}"],
        );
    }
    let words = match notice.decision {
        Decision::Approved => ["{} est en ligne", "{} is online", "{} está en línea"],
        Decision::Refused => {
            ["{} n’a pas été accepté", "{} was not accepted", "{} no fue aceptado"]
        }
        Decision::Suspended => ["{} est suspendu", "{} is suspended", "{} está suspendido"],
        Decision::Hidden => [
            "Votre avis sur {} n’est plus affiché",
            "Your review of {} is no longer shown",
            "Tu reseña de {} ya no se muestra",
        ],
        Decision::Reverted => [
            "Vos changements sur {} ont été retirés",
            "Your changes to {} were undone",
            "Tus cambios en {} se han retirado",
        ],
        Decision::Sanctioned if notice.sanction == Some(Sanction::Ban) => {
            ["Votre compte est bloqué", "Your account is banned", "Tu cuenta está bloqueada"]
        }
        Decision::Sanctioned => [
            "Vous avez reçu un avertissement",
            "You were given a warning",
            "Has recibido una advertencia",
        ],
        Decision::Upheld | Decision::Overturned => [
            "Réponse à votre contestation\u{a0}: {}",
            "Answer to your appeal: {}",
            "Respuesta a tu recurso: {}",
        ],
    };
    about(notice, words)
}

fn lead(notice: &Notice<'_>) -> String {
    if notice.is_taken_back {
        return about(
            notice,
            [
                "La décision que nous avions prise au sujet de {} est annulée, avec ses effets.",
                "The decision we had taken about {} is taken back, and so is what it did.",
                "La decisión que habíamos tomado sobre {} queda anulada, con sus efectos.",
            ],
        );
    }
    let words = match notice.decision {
        Decision::Approved => [
            "{} a été relu et accepté\u{a0}: tout le monde le voit désormais.",
            "{} was looked at and accepted: everybody sees it from now on.",
            "{} ha sido revisado y aceptado: ahora todo el mundo lo ve.",
        ],
        Decision::Refused => [
            "{} ne sera pas affiché en l’état. Corrigez la fiche\u{a0}: elle sera relue.",
            "{} will not be shown as it is. Correct its page and it will be looked at again.",
            "{} no se mostrará tal como está. Corrige la ficha y se volverá a revisar.",
        ],
        Decision::Suspended => [
            "La fiche de {} n’est plus affichée.",
            "The page of {} is no longer shown.",
            "La ficha de {} ya no se muestra.",
        ],
        Decision::Hidden => [
            "Votre avis sur {} a été retiré de sa page.",
            "Your review of {} was taken off its page.",
            "Tu reseña de {} se ha retirado de su página.",
        ],
        Decision::Reverted => [
            "La fiche de {} est de nouveau telle qu’elle était avant vos derniers changements.",
            "The page of {} is again as it was before your last changes.",
            "La ficha de {} vuelve a estar como antes de tus últimos cambios.",
        ],
        Decision::Sanctioned => [
            "Nous avons pris une décision au sujet de votre compte {}.",
            "We took a decision about your account {}.",
            "Hemos tomado una decisión sobre tu cuenta {}.",
        ],
        Decision::Upheld => [
            "Votre contestation a été relue. La décision est maintenue.",
            "Your appeal was looked at. The decision stands.",
            "Tu recurso ha sido revisado. La decisión se mantiene.",
        ],
        Decision::Overturned => [
            "Votre contestation a été relue\u{a0}: vous aviez raison, la décision est annulée.",
            "Your appeal was looked at: you were right, and the decision is taken back.",
            "Tu recurso ha sido revisado: tenías razón y la decisión queda anulada.",
        ],
    };
    about(notice, words)
}

fn sanction(notice: &Notice<'_>) -> Option<String> {
    let day = word(notice.language, ["%d/%m/%Y", "%B %-d, %Y", "%d/%m/%Y"]);
    let until = notice.until.map(|end| end.format(day).to_string());
    let words = match (notice.sanction?, until.is_some()) {
        (Sanction::Warning, false) => [
            "Un avertissement s’y ajoute.",
            "A warning comes with it.",
            "Se añade una advertencia.",
        ],
        (Sanction::Warning, true) => [
            "Un avertissement s’y ajoute, jusqu’au {}.",
            "A warning comes with it, until {}.",
            "Se añade una advertencia, hasta el {}.",
        ],
        (Sanction::Ban, false) => [
            "Votre compte est bloqué sans limite de durée.",
            "Your account is banned without an end.",
            "Tu cuenta está bloqueada sin límite de tiempo.",
        ],
        (Sanction::Ban, true) => [
            "Votre compte est bloqué jusqu’au {}.",
            "Your account is banned until {}.",
            "Tu cuenta está bloqueada hasta el {}.",
        ],
    };
    Some(word(notice.language, words).replace("{}", &until.unwrap_or_default()))
}

fn reason(notice: &Notice<'_>) -> Option<String> {
    let code = notice.reason?;
    let (_, words) = REASONS.iter().find(|(known, _)| *known == code)?;
    let form = ["Motif\u{a0}: {}.", "Reason: {}.", "Motivo: {}."];
    Some(word(notice.language, form).replace("{}", word(notice.language, *words)))
}

/// How to appeal, when the decision was negative. A banned person gets a link, because they cannot
/// open their profile.
fn appeal_line(notice: &Notice<'_>) -> Option<String> {
    if notice.is_taken_back || notice.reason.is_none() {
        return None;
    }
    let words = if notice.sanction == Some(Sanction::Ban) {
        [
            "Vous pouvez contester cette décision par le lien de ce message, pendant six mois. Une autre personne la relira.",
            "You can appeal against this decision by the link in this mail, for six months. Another person will look at it.",
            "Puedes recurrir esta decisión con el enlace de este mensaje durante seis meses. Otra persona la revisará.",
        ]
    } else {
        [
            "Vous pouvez contester cette décision depuis votre profil, pendant six mois. Une autre personne la relira.",
            "You can appeal against this decision from your profile, for six months. Another person will look at it.",
            "Puedes recurrir esta decisión desde tu perfil durante seis meses. Otra persona la revisará.",
        ]
    };
    Some(word(notice.language, words).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(language: Language) -> Notice<'static> {
        Notice {
            language,
            site_name: "Palmarès",
            site_url: "https://site.example",
            appeal_url: "https://site.example/appeal?decision=1",
            label: "Tom <b>",
            decision: Decision::Suspended,
            sanction: None,
            until: None,
            reason: Some("spam"),
            statement: Some("Too many <links>"),
            is_taken_back: false,
        }
    }

    #[test]
    fn decision_email_translates_reason_and_appeal_link() {
        let french = render(&notice(Language::Fr));
        assert_eq!(french.subject, "Tom <b> est suspendu · Palmarès");
        assert!(french.text.contains("Motif\u{a0}: publicité non sollicitée.\n\nToo many <links>"));
        assert!(french.text.contains("contester cette décision depuis votre profil"));
        let spanish = render(&notice(Language::Es)).text;
        assert!(
            spanish.contains("Motivo: spam.") && spanish.contains("/es/profile\n"),
            "{spanish}"
        );
    }

    #[test]
    fn what_was_typed_is_shown_and_never_obeyed() {
        let html = render(&notice(Language::En)).html;
        assert!(html.contains("Tom &lt;b&gt;") && html.contains("Too many &lt;links&gt;"));
        assert!(!html.contains("<b>") && !html.contains("<links>"), "{html}");
    }

    #[test]
    fn ban_email_states_expiry_and_appeal_link() {
        let banned = Notice {
            decision: Decision::Sanctioned,
            sanction: Some(Sanction::Ban),
            until: Some("2027-01-02T10:00:00Z".parse().expect("a moment")),
            ..notice(Language::En)
        };
        let text = render(&banned).text;
        assert!(text.contains("Your account is banned until January 2, 2027."), "{text}");
        assert!(text.contains("https://site.example/appeal?decision=1"), "{text}");
        assert!(!text.contains("/profile"), "{text}");
        let french = render(&Notice { language: Language::Fr, ..banned }).text;
        assert!(french.contains("bloqué jusqu’au 02/01/2027."), "{french}");
        let back = render(&Notice { is_taken_back: true, ..banned }).text;
        assert!(!back.contains("/appeal") && back.contains("/profile"), "{back}");
    }

    #[test]
    fn reversal_email_omits_the_original_reason() {
        let back = render(&Notice { is_taken_back: true, ..notice(Language::En) });
        assert_eq!(back.subject, "Decision taken back: Tom <b> · Palmarès");
        assert!(!back.text.contains("spam") && !back.text.contains("links"), "{}", back.text);
    }
}
