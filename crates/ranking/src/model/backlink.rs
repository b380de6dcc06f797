//! Whether a page links to the site, as a search engine would see it.

use html5gum::{DefaultEmitter, Token, Tokenizer};
use url::Url;

/// The result of a check of a partner's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BacklinkStatus {
    /// The page has a link that search engines follow.
    Linked,
    /// The page has a link, but asks search engines not to follow it.
    NoFollow,
    /// The page has no link.
    NoLink,
    /// The response has an error status.
    Status,
    /// The address redirects too often.
    Redirects,
    /// The response is not HTML.
    NotHtml,
    /// The address is not on the public internet.
    NotPublic,
    /// The host name does not resolve.
    NameNotFound,
    /// The request timed out.
    TimedOut,
    /// The page exceeds the size limit.
    TooLong,
    /// The connection failed.
    Unreachable,
}

impl BacklinkStatus {
    /// Whether the page has a link; `None` when the page could not be read.
    pub(crate) fn is_linked(self) -> Option<bool> {
        match self {
            Self::Linked | Self::NoFollow => Some(true),
            Self::NoLink => Some(false),
            _ => None,
        }
    }

    /// The code of the problem in the table; `None` when there is no problem.
    pub(crate) fn fault(self) -> Option<&'static str> {
        match self {
            Self::Linked => None,
            Self::NoFollow => Some("nofollow"),
            Self::NoLink => Some("no_link"),
            Self::Status => Some("status"),
            Self::Redirects => Some("redirects"),
            Self::NotHtml => Some("not_html"),
            Self::NotPublic => Some("not_public"),
            Self::NameNotFound => Some("name_not_found"),
            Self::TimedOut => Some("timed_out"),
            Self::TooLong => Some("too_long"),
            Self::Unreachable => Some("unreachable"),
        }
    }
}

/// Looks for a link to `site` in the page at `address`. A link to any page of the site counts, by
/// http or https, with or without `www.`.
pub(crate) fn find(page: &[u8], address: &Url, site: &Url) -> BacklinkStatus {
    let mut emitter = DefaultEmitter::default();
    // The tokenizer then does not read the contents of scripts, styles and titles as markup.
    emitter.naively_switch_states(true);
    let mut base = address.clone();
    let mut page_is_quiet = false;
    let mut status = BacklinkStatus::NoLink;
    for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
        let Token::StartTag(tag) = token else { continue };
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name)?;
            Some(String::from_utf8_lossy(value).trim().to_ascii_lowercase())
        };
        match &**tag.name {
            b"base" => {
                let target = tag.attributes.get(b"href".as_slice());
                let target = target.map(|value| String::from_utf8_lossy(value).into_owned());
                if let Some(Ok(target)) = target.map(|target| address.join(target.trim())) {
                    base = target;
                }
            }
            b"meta" if attribute(b"name").is_some_and(|name| name == "robots") => {
                let content = attribute(b"content").unwrap_or_default();
                page_is_quiet |= has_word(&content, &["nofollow", "none"]);
            }
            b"a" | b"area" => {
                let leads = attribute(b"href").and_then(|href| base.join(&href).ok());
                if !leads.is_some_and(|leads| is_same_site(&leads, site)) {
                    continue;
                }
                let rel = attribute(b"rel").unwrap_or_default();
                if has_word(&rel, &["nofollow", "ugc", "sponsored"]) {
                    status = BacklinkStatus::NoFollow;
                } else if !page_is_quiet {
                    return BacklinkStatus::Linked;
                } else {
                    status = BacklinkStatus::NoFollow;
                }
            }
            _ => {}
        }
    }
    status
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.split([' ', ',', '\t', '\n', '\r', '\u{c}']).any(|word| words.contains(&word))
}

fn is_same_site(leads: &Url, site: &Url) -> bool {
    let bare =
        |url: &Url| url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host).to_owned());
    matches!(leads.scheme(), "http" | "https")
        && leads.host_str().is_some()
        && bare(leads) == bare(site)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_page(page: &str) -> BacklinkStatus {
        let address = Url::parse("https://friend.example/links/").expect("an address");
        let site = Url::parse("https://www.palmares.example:8000/").expect("an address");
        find(page.as_bytes(), &address, &site)
    }

    #[test]
    fn only_followable_links_count_as_backlinks() {
        for (page, status) in [
            ("<a href='https://palmares.example/en'>x</a>", BacklinkStatus::Linked),
            ("<A HREF=\"//PALMARES.example\">x</A>", BacklinkStatus::Linked),
            ("<map><area href=http://www.palmares.example></map>", BacklinkStatus::Linked),
            ("<base href='https://palmares.example'><a href='/x'>x</a>", BacklinkStatus::Linked),
            ("<a href='https://palmares.example' rel='noopener'>x</a>", BacklinkStatus::Linked),
            ("<a href=' https://palmares.example\n'>x</a>", BacklinkStatus::Linked),
            ("", BacklinkStatus::NoLink),
            ("<a href='/palmares.example'>palmares.example</a>", BacklinkStatus::NoLink),
            ("<a href='https://palmares.example.evil'>x</a>", BacklinkStatus::NoLink),
            ("<a href='https://notpalmares.example'>x</a>", BacklinkStatus::NoLink),
            ("<a href='mailto:a@palmares.example'>x</a>", BacklinkStatus::NoLink),
            ("<!-- <a href='https://palmares.example'> -->", BacklinkStatus::NoLink),
            ("<script>'<a href=\"https://palmares.example\">'</script>", BacklinkStatus::NoLink),
            ("<textarea><a href='https://palmares.example'></textarea>", BacklinkStatus::NoLink),
            ("<p title='<a href=https://palmares.example>'>", BacklinkStatus::NoLink),
        ] {
            assert_eq!(check_page(page), status, "{page}");
        }
    }

    #[test]
    fn nofollow_links_are_reported_as_nofollow() {
        let link = "<a href='https://palmares.example'>x</a>";
        let quiet = "<a href='https://palmares.example' rel='NoFollow noopener'>x</a>";
        assert_eq!(check_page(quiet), BacklinkStatus::NoFollow);
        assert_eq!(check_page(&format!("{quiet}{link}")), BacklinkStatus::Linked, "another counts");
        let page = format!("<meta name=Robots content='noindex, nofollow'>{link}");
        assert_eq!(check_page(&page), BacklinkStatus::NoFollow, "the whole page asks for it");
    }

    proptest! {
        #[test]
        fn random_pages_never_panic_the_reader(page in prop::collection::vec(any::<u8>(), 0..600)) {
            let address = Url::parse("https://friend.example/").expect("an address");
            find(&page, &address, &address);
        }
    }
}
