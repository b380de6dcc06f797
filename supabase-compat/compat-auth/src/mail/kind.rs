//! The kinds of mail and their names in the original.

use serde::{Deserialize, Serialize};

/// Why a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum MailKind {
    Confirmation,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    Reauthentication,
    PasswordChanged,
    EmailChanged,
    PhoneChanged,
    IdentityLinked,
    IdentityUnlinked,
    FactorEnrolled,
    FactorUnenrolled,
}

impl MailKind {
    /// Mails that a request causes.
    pub const REQUESTED: [Self; 6] = [
        Self::Confirmation,
        Self::Invite,
        Self::Recovery,
        Self::MagicLink,
        Self::EmailChange,
        Self::Reauthentication,
    ];

    /// Notices about changes to an account; each is off unless its setting switches it on.
    pub const NOTICES: [Self; 7] = [
        Self::PasswordChanged,
        Self::EmailChanged,
        Self::PhoneChanged,
        Self::IdentityLinked,
        Self::IdentityUnlinked,
        Self::FactorEnrolled,
        Self::FactorUnenrolled,
    ];

    /// The name in the original's settings and errors.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation",
            Self::Invite => "invite",
            Self::Recovery => "recovery",
            Self::MagicLink => "magic_link",
            Self::EmailChange => "email_change",
            Self::Reauthentication => "reauthentication",
            Self::PasswordChanged => "password_changed",
            Self::EmailChanged => "email_changed",
            Self::PhoneChanged => "phone_changed",
            Self::IdentityLinked => "identity_linked",
            Self::IdentityUnlinked => "identity_unlinked",
            Self::FactorEnrolled => "mfa_factor_enrolled",
            Self::FactorUnenrolled => "mfa_factor_unenrolled",
        }
    }

    /// The name in an operator's hook and in the settings of its template.
    pub fn action(self) -> String {
        if Self::NOTICES.contains(&self) {
            format!("{}_notification", self.name())
        } else {
            self.name().to_owned()
        }
    }

    /// The `type` of the mail's link and its name in an operator's hook; notices have no link.
    pub fn link_type(self) -> &'static str {
        match self {
            Self::Confirmation => "signup",
            Self::MagicLink => "magiclink",
            other => other.name(),
        }
    }

    /// Whether the mail contains a link; a reauthentication code is only typed in.
    pub fn has_link(self) -> bool {
        Self::REQUESTED.contains(&self) && self != Self::Reauthentication
    }
}

impl From<MailKind> for &'static str {
    fn from(kind: MailKind) -> Self {
        kind.name()
    }
}

impl TryFrom<String> for MailKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let mut all = Self::REQUESTED.into_iter().chain(Self::NOTICES);
        all.find(|kind| kind.name() == name).ok_or_else(|| format!("no mail is called {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_kinds_round_trip_through_json_names() {
        for kind in MailKind::REQUESTED.into_iter().chain(MailKind::NOTICES) {
            let name = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<MailKind>(&name).unwrap(), kind);
        }
        assert!(serde_json::from_str::<MailKind>("\"none\"").is_err());
    }

    #[test]
    fn link_types_match_the_original_names() {
        let types = MailKind::REQUESTED.map(MailKind::link_type);
        let names =
            ["signup", "invite", "recovery", "magiclink", "email_change", "reauthentication"];
        assert_eq!(types, names);
    }
}
