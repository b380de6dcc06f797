//! The texts of the built-in notices in three languages.

use super::{Language, MailKind, Wording};

/// The sentences of a notice; `None` for mails that a request causes.
pub fn wording(kind: MailKind, language: Language) -> Option<Wording> {
    let (subject, lead) = match language {
        Language::English => english(kind)?,
        Language::French => french(kind)?,
        Language::Spanish => spanish(kind)?,
    };
    let footer = match language {
        Language::English => "If this was not you, choose a new password at once.",
        Language::French => {
            "Si vous n’en êtes pas à l’origine, choisissez tout de suite un nouveau mot de passe."
        }
        Language::Spanish => "Si no has sido tú, elige una contraseña nueva de inmediato.",
    };
    Some(Wording { subject, lead, button: "", code: "", footer })
}

type Sentences = Option<(&'static str, &'static str)>;

fn english(kind: MailKind) -> Sentences {
    Some(match kind {
        MailKind::PasswordChanged => {
            ("Your password has been changed", "The password of {{ .Email }} has been changed.")
        }
        MailKind::EmailChanged => (
            "Your email address has been changed",
            "The address of your account changed from {{ .OldEmail }} to {{ .Email }}.",
        ),
        MailKind::PhoneChanged => (
            "Your phone number has been changed",
            "The phone number of {{ .Email }} is now {{ .Phone }}.",
        ),
        MailKind::IdentityLinked => (
            "A new sign-in method has been linked",
            "Your {{ .Provider }} account now signs in as {{ .Email }}.",
        ),
        MailKind::IdentityUnlinked => (
            "A sign-in method has been removed",
            "Your {{ .Provider }} account no longer signs in as {{ .Email }}.",
        ),
        MailKind::FactorEnrolled => (
            "Two-step verification has been added",
            "A second step ({{ .FactorType }}) now protects {{ .Email }}.",
        ),
        MailKind::FactorUnenrolled => (
            "Two-step verification has been removed",
            "A second step ({{ .FactorType }}) no longer protects {{ .Email }}.",
        ),
        _ => return None,
    })
}

fn french(kind: MailKind) -> Sentences {
    Some(match kind {
        MailKind::PasswordChanged => (
            "Votre mot de passe a été modifié",
            "Le mot de passe de {{ .Email }} vient d’être modifié.",
        ),
        MailKind::EmailChanged => (
            "Votre adresse e-mail a été modifiée",
            "L’adresse de votre compte est passée de {{ .OldEmail }} à {{ .Email }}.",
        ),
        MailKind::PhoneChanged => (
            "Votre numéro de téléphone a été modifié",
            "Le numéro de téléphone de {{ .Email }} est maintenant {{ .Phone }}.",
        ),
        MailKind::IdentityLinked => (
            "Un moyen de connexion a été ajouté",
            "Votre compte {{ .Provider }} permet maintenant de se connecter à {{ .Email }}.",
        ),
        MailKind::IdentityUnlinked => (
            "Un moyen de connexion a été retiré",
            "Votre compte {{ .Provider }} ne permet plus de se connecter à {{ .Email }}.",
        ),
        MailKind::FactorEnrolled => (
            "La validation en deux étapes a été ajoutée",
            "Une seconde étape ({{ .FactorType }}) protège maintenant {{ .Email }}.",
        ),
        MailKind::FactorUnenrolled => (
            "La validation en deux étapes a été retirée",
            "Une seconde étape ({{ .FactorType }}) ne protège plus {{ .Email }}.",
        ),
        _ => return None,
    })
}

fn spanish(kind: MailKind) -> Sentences {
    Some(match kind {
        MailKind::PasswordChanged => {
            ("Tu contraseña ha cambiado", "La contraseña de {{ .Email }} acaba de cambiar.")
        }
        MailKind::EmailChanged => (
            "Tu correo electrónico ha cambiado",
            "La dirección de tu cuenta ha pasado de {{ .OldEmail }} a {{ .Email }}.",
        ),
        MailKind::PhoneChanged => (
            "Tu número de teléfono ha cambiado",
            "El número de teléfono de {{ .Email }} es ahora {{ .Phone }}.",
        ),
        MailKind::IdentityLinked => (
            "Se ha añadido una forma de acceso",
            "Tu cuenta de {{ .Provider }} ya permite entrar en {{ .Email }}.",
        ),
        MailKind::IdentityUnlinked => (
            "Se ha quitado una forma de acceso",
            "Tu cuenta de {{ .Provider }} ya no permite entrar en {{ .Email }}.",
        ),
        MailKind::FactorEnrolled => (
            "Se ha añadido la verificación en dos pasos",
            "Un segundo paso ({{ .FactorType }}) protege ahora {{ .Email }}.",
        ),
        MailKind::FactorUnenrolled => (
            "Se ha quitado la verificación en dos pasos",
            "Un segundo paso ({{ .FactorType }}) ya no protege {{ .Email }}.",
        ),
        _ => return None,
    })
}
