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
    /// Every language, the default first.
    pub const ALL: [Self; 3] = [Self::Fr, Self::En, Self::Es];

    /// The language with this code; `None` for a language the site does not have.
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The language of a tag such as `en` or `en-GB`, in upper or lower case; French for a language
    /// the site does not have.
    pub fn of_tag(tag: &str) -> Self {
        let code = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        Self::parse(&code).unwrap_or(Self::Fr)
    }

    /// The two-letter code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// The tag in the form of `hreflang`.
    pub fn region(self) -> &'static str {
        match self {
            Self::Fr => "fr-FR",
            Self::En => "en-US",
            Self::Es => "es-ES",
        }
    }

    /// The tag in the form that social cards use.
    pub fn locale(self) -> &'static str {
        match self {
            Self::Fr => "fr_FR",
            Self::En => "en_US",
            Self::Es => "es_ES",
        }
    }

    /// A label, a colon and a text, as this language sets the colon: French puts a non-breaking
    /// space before it.
    pub fn labelled(self, label: &str, text: &str) -> String {
        match self {
            Self::Fr => format!("{label}\u{a0}: {text}"),
            Self::En | Self::Es => format!("{label}: {text}"),
        }
    }

    /// The path of the home page in this language, without the last slash.
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
