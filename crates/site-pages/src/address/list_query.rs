//! The query of a list: which page of the list is requested.

use page_registry::is_slug;

/// The highest page number that is accepted.
const LAST: u32 = 100_000;

/// The parameters of a list in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery<'a> {
    /// The page of the list, from 1.
    pub page: u32,
    /// The slug of the requested game, on a page that several games share.
    pub game: Option<&'a str>,
    /// Whether the query has no other parameters, such as another order.
    pub is_plain: bool,
}

impl<'a> ListQuery<'a> {
    /// Parses a query; invalid values are ignored.
    pub fn read(query: Option<&'a str>) -> Self {
        let mut list_query = Self { page: 1, game: None, is_plain: true };
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            match pair.split_once('=') {
                Some(("page", text)) => {
                    let page = text.parse().ok().filter(|page| (1..=LAST).contains(page));
                    list_query.page = page.unwrap_or(1);
                }
                Some(("game", slug)) if is_slug(slug) => list_query.game = Some(slug),
                _ => list_query.is_plain = pair.is_empty() && list_query.is_plain,
            }
        }
        // Other parameters change the list, so the page number does not apply to the plain list.
        if !list_query.is_plain {
            list_query.page = 1;
        }
        list_query
    }

    /// The query in the page's canonical address. Other parameters only select another view of the
    /// page.
    pub fn query(&self, game: Option<&str>) -> String {
        let game = game.map(|slug| format!("game={slug}"));
        let page = (self.page > 1).then(|| format!("page={}", self.page));
        let pairs: Vec<String> = game.into_iter().chain(page).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_query_parses_page_and_game() {
        let read = |query| {
            let ListQuery { page, game, is_plain } = ListQuery::read(query);
            (page, game, is_plain)
        };
        assert_eq!(read(None), (1, None, true));
        assert_eq!(read(Some("")), (1, None, true));
        assert_eq!(read(Some("page=3")), (3, None, true));
        assert_eq!(read(Some("game=flyff&page=2")), (2, Some("flyff"), true));
        assert_eq!(read(Some("sort=votes&game=flyff&page=2")), (1, Some("flyff"), false));
        for invalid in ["page=0", "page=-1", "page=x", "page=1e3", "page=99999999999"] {
            assert_eq!(read(Some(invalid)), (1, None, true), "{invalid}");
        }
        for invalid in ["game=", "game=%00", "game=Flyff", "x"] {
            assert_eq!(read(Some(invalid)), (1, None, false), "{invalid}");
        }
    }

    #[test]
    fn one_page_of_a_list_has_one_address() {
        let query = |text| ListQuery::read(Some(text)).query(None);
        assert_eq!((query("page=1"), query("page=2")), (String::new(), "?page=2".to_owned()));
        assert_eq!(query("page=2&sort=votes"), "");
        assert_eq!(ListQuery::read(Some("page=2")).query(Some("flyff")), "?game=flyff&page=2");
    }
}
