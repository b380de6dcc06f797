//! The languages of the site and the addresses of its pages, for every crate that writes such an
//! address into a page or an email.
//!
//! The content of the pages is not known here.

mod language;
mod registry;

pub use language::Language;
pub use registry::{
    PAGES, PageEntry, PageMatch, Param, SHORTCUTS, Segment, Shortcut, find, is_slug,
};

/// The language to put before a path; `None` for the default language, which has no prefix.
pub fn prefix_of(language: Language) -> Option<Language> {
    (language != Language::Fr).then_some(language)
}

/// The path of a page of the registry in a language. `name` is the value of the path's parameter;
/// several values are separated by slashes.
pub fn path_of(key: &str, name: &str, language: Language) -> String {
    let mut names = name.split('/');
    let words: Vec<String> = PAGES
        .iter()
        .filter(|page| page.key == key)
        .flat_map(|page| page.pattern(language))
        .map(|segment| match segment.param {
            Some(_) => format!("{}{}", segment.text, names.next().unwrap_or_default()),
            None => segment.text.clone(),
        })
        .collect();
    join(prefix_of(language), &words)
}

/// Joins the language prefix and the segments to a path.
pub fn join(language: Option<Language>, rest: &[String]) -> String {
    let prefix = language.map(Language::code);
    let segments: Vec<&str> = prefix.into_iter().chain(rest.iter().map(String::as_str)).collect();
    format!("/{}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_emails_stand_in_the_registry() {
        for (key, name, path) in [
            ("server", "tom", "/en/server/tom"),
            ("profile", "", "/en/profile"),
            ("receipt", "7", "/en/profile/receipts/7"),
            ("appeal", "", "/en/appeal"),
            ("weeklyMail", "", "/en/weekly-mail"),
            ("editServerIntegrations", "1", "/en/edit-server/1/integrations"),
        ] {
            assert_eq!(path_of(key, name, Language::En), path);
        }
        assert_eq!(path_of("server", "tom", Language::Fr), "/serveur/tom");
        assert_eq!(path_of("profile", "", Language::Fr), "/profile");
    }
}
