//! The languages people are written to in, and where the site's pages stand in each.

/// A language of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// French, the site's own.
    Fr,
    /// English.
    En,
    /// Spanish.
    Es,
}

impl Language {
    /// By its code; `None` for a language the site does not speak.
    pub fn parse(code: &str) -> Option<Self> {
        match code {
            "fr" => Some(Self::Fr),
            "en" => Some(Self::En),
            "es" => Some(Self::Es),
            _ => None,
        }
    }

    /// The code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// A label before what it is for, as this language sets its colon: French parts it by a blank that does not break.
    pub fn labelled(self, label: &str, text: &str) -> String {
        match self {
            Self::Fr => format!("{label}\u{a0}: {text}"),
            Self::En | Self::Es => format!("{label}: {text}"),
        }
    }

    /// Where the site begins in this language, without the last slash.
    pub fn home(self) -> &'static str {
        match self {
            Self::Fr => "",
            Self::En => "/en",
            Self::Es => "/es",
        }
    }

    /// A server's page.
    pub fn server(self, slug: &str) -> String {
        match self {
            Self::Fr => format!("/serveur/{slug}"),
            Self::En => format!("/en/server/{slug}"),
            Self::Es => format!("/es/servidor/{slug}"),
        }
    }
}
