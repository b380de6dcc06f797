//! The texts of the built-in mails in three languages.

use super::MailKind;

mod notice;

/// The sentences of one mail, with placeholders of the template engine.
pub struct Wording {
    pub subject: &'static str,
    pub lead: &'static str,
    pub button: &'static str,
    pub code: &'static str,
    pub footer: &'static str,
}

/// The supported languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    French,
    Spanish,
}

impl Language {
    /// The language of a tag, without its region: `fr`, `fr-CA`, `FR_be`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        match primary.to_ascii_lowercase().as_str() {
            "en" => Some(Self::English),
            "fr" => Some(Self::French),
            "es" => Some(Self::Spanish),
            _ => None,
        }
    }

    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }
}

impl Language {
    /// The separator between a label and its value.
    pub fn colon(self) -> &'static str {
        match self {
            Self::French => "\u{a0}:",
            Self::English | Self::Spanish => ":",
        }
    }

    /// The label of a code beside a link.
    pub fn code_label(self) -> &'static str {
        match self {
            Self::English => "Or enter this code where you are asked for it:",
            Self::French => "Ou saisissez ce code là où il est demandé\u{a0}:",
            Self::Spanish => "O introduce este código donde se te pida:",
        }
    }
}

/// The sentences of `kind` in `language`.
pub fn wording(kind: MailKind, language: Language) -> Wording {
    if let Some(notice) = notice::wording(kind, language) {
        return notice;
    }
    match language {
        Language::English => english(kind),
        Language::French => french(kind),
        Language::Spanish => spanish(kind),
    }
}

fn english(kind: MailKind) -> Wording {
    let (subject, lead, button) = match kind {
        MailKind::Confirmation => (
            "Confirm your email address",
            "Welcome! Confirm that {{ .Email }} is your address to finish creating your account.",
            "Confirm my address",
        ),
        MailKind::Invite => (
            "You've been invited",
            "You have been invited to create an account on {{ .SiteURL }}.",
            "Accept the invitation",
        ),
        MailKind::Recovery => (
            "Reset your password",
            "Somebody, hopefully you, asked for a new password for {{ .Email }}.",
            "Choose a new password",
        ),
        MailKind::MagicLink => {
            ("Your sign-in link", "Here is the link that signs you in as {{ .Email }}.", "Sign in")
        }
        MailKind::EmailChange => (
            "Confirm your new email address",
            "Confirm that the address of your account changes from {{ .Email }} to {{ .NewEmail }}.",
            "Confirm the change",
        ),
        _ => (
            "{{ .Token }} is your verification code",
            "Enter this code to confirm that it is you.",
            "",
        ),
    };
    Wording {
        subject,
        lead,
        button,
        code: "Your code:",
        footer: "If this was not you, ignore this mail: nothing will change.",
    }
}

fn french(kind: MailKind) -> Wording {
    let (subject, lead, button) = match kind {
        MailKind::Confirmation => (
            "Confirmez votre adresse e-mail",
            "Bienvenue\u{a0}! Confirmez que {{ .Email }} est bien votre adresse pour terminer la création de votre compte.",
            "Confirmer mon adresse",
        ),
        MailKind::Invite => (
            "Vous êtes invité",
            "Vous êtes invité à créer un compte sur {{ .SiteURL }}.",
            "Accepter l’invitation",
        ),
        MailKind::Recovery => (
            "Réinitialisez votre mot de passe",
            "Une demande de nouveau mot de passe a été faite pour {{ .Email }}.",
            "Choisir un nouveau mot de passe",
        ),
        MailKind::MagicLink => (
            "Votre lien de connexion",
            "Voici le lien qui vous connecte en tant que {{ .Email }}.",
            "Se connecter",
        ),
        MailKind::EmailChange => (
            "Confirmez votre nouvelle adresse e-mail",
            "Confirmez que l’adresse de votre compte passe de {{ .Email }} à {{ .NewEmail }}.",
            "Confirmer le changement",
        ),
        _ => (
            "{{ .Token }} est votre code de vérification",
            "Saisissez ce code pour confirmer qu’il s’agit bien de vous.",
            "",
        ),
    };
    Wording {
        subject,
        lead,
        button,
        code: "Votre code\u{a0}:",
        footer: "Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : rien ne changera.",
    }
}

fn spanish(kind: MailKind) -> Wording {
    let (subject, lead, button) = match kind {
        MailKind::Confirmation => (
            "Confirma tu correo electrónico",
            "¡Te damos la bienvenida! Confirma que {{ .Email }} es tu dirección para terminar de crear tu cuenta.",
            "Confirmar mi dirección",
        ),
        MailKind::Invite => (
            "Tienes una invitación",
            "Te han invitado a crear una cuenta en {{ .SiteURL }}.",
            "Aceptar la invitación",
        ),
        MailKind::Recovery => (
            "Restablece tu contraseña",
            "Se ha pedido una contraseña nueva para {{ .Email }}.",
            "Elegir una contraseña nueva",
        ),
        MailKind::MagicLink => (
            "Tu enlace de acceso",
            "Este es el enlace que inicia tu sesión como {{ .Email }}.",
            "Iniciar sesión",
        ),
        MailKind::EmailChange => (
            "Confirma tu nuevo correo electrónico",
            "Confirma que la dirección de tu cuenta cambia de {{ .Email }} a {{ .NewEmail }}.",
            "Confirmar el cambio",
        ),
        _ => (
            "{{ .Token }} es tu código de verificación",
            "Introduce este código para confirmar que eres tú.",
            "",
        ),
    };
    Wording {
        subject,
        lead,
        button,
        code: "Tu código:",
        footer: "Si no has sido tú, ignora este mensaje: no cambiará nada.",
    }
}
