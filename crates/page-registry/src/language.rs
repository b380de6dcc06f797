//! The languages of the site.

/// A language of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// French, the default, which needs no prefix in addresses.
    Fr,
    /// English.
    En,
    /// Spanish.
    Es,
}

impl Language {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Self::Fr, Self::En, Self::Es];

    /// By its code; `None` for a language the site does not speak.
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// By its tag, `en` or `en-GB`, in letters of any size; French for a language the site does not
    /// speak.
    pub fn of_tag(tag: &str) -> Self {
        let code = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        Self::parse(&code).unwrap_or(Self::Fr)
    }

    /// The code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// The form `hreflang` uses.
    pub fn region(self) -> &'static str {
        match self {
            Self::Fr => "fr-FR",
            Self::En => "en-US",
            Self::Es => "es-ES",
        }
    }

    /// The form social cards use.
    pub fn locale(self) -> &'static str {
        match self {
            Self::Fr => "fr_FR",
            Self::En => "en_US",
            Self::Es => "es_ES",
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_names_its_language_and_french_otherwise() {
        for (tag, language) in
            [("en-GB", "en"), ("es-MX", "es"), ("EN", "en"), ("fr", "fr"), ("de", "fr"), ("", "fr")]
        {
            assert_eq!(Language::of_tag(tag).code(), language, "{tag}");
        }
    }
}
