//! Which part of a list an address asks for, and the question for that part.
//!
//! The pages ask the same (`frontend/src/features/ranking-list/api/servers.ts`), so that they find
//! the answer in the page.

use page_registry::is_slug;

use crate::load::first_load::RowsRequest;

/// Parts behind this one are read from the nearer end: the database passes over all that stands
/// before a part.
const FAR: u32 = 100;

/// As far as an address may ask.
const LAST: u32 = 100_000;

/// What a query says of a list beside its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery<'a> {
    /// The page of the list, from 1.
    pub page: u32,
    /// The game that is wanted of a page that several share.
    pub game: Option<&'a str>,
    /// Whether the query says nothing else, such as another order.
    pub is_plain: bool,
}

impl<'a> ListQuery<'a> {
    /// Reads a query; what makes no sense counts as absent.
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
        // Of another list there are other pages.
        if !list_query.is_plain {
            list_query.page = 1;
        }
        list_query
    }

    /// The query that is part of the page's address: what other queries say is another view of it.
    pub fn query(&self, game: Option<&str>) -> String {
        let game = game.map(|slug| format!("game={slug}"));
        let page = (self.page > 1).then(|| format!("page={}", self.page));
        let pairs: Vec<String> = game.into_iter().chain(page).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

/// A question for a part of a list.
#[derive(Debug)]
pub struct PageRequest {
    /// The question.
    pub request: RowsRequest,
    /// Whether its rows come the last first.
    pub is_reversed: bool,
}

/// The question of a list's first part asked for another one, of a list of `total`; none for what is
/// no such question, and behind the end.
pub fn page_request(request: &RowsRequest, page: u32, total: u32) -> Option<PageRequest> {
    let (unpaged, size) = request.get.split_once("&offset=0&limit=")?;
    let size: u32 = size.parse().ok()?;
    let first = (page - 1).checked_mul(size).filter(|first| page == 1 || *first < total)?;
    let is_reversed = page > FAR && first > total / 2;
    let get = if is_reversed {
        let (behind, size) = ((total - first).saturating_sub(size), size.min(total - first));
        format!("{}&offset={behind}&limit={size}", reversed(unpaged))
    } else {
        format!("{unpaged}&offset={first}&limit={size}")
    };
    Some(PageRequest {
        request: RowsRequest { get, headers: request.headers.clone() },
        is_reversed,
    })
}

/// The question in the opposite order.
fn reversed(unpaged: &str) -> String {
    let pairs = unpaged.split('&').map(|pair| match pair.strip_prefix("order=") {
        Some(order) => {
            let columns: Vec<String> = order.split(',').map(opposite).collect();
            format!("order={}", columns.join(","))
        }
        None => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

fn opposite(column: &str) -> String {
    let words = column.split('.').map(|word| match word {
        "asc" => "desc",
        "desc" => "asc",
        "nullslast" => "nullsfirst",
        "nullsfirst" => "nullslast",
        name => name,
    });
    words.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str =
        "servers?select=id&order=is_prestige.desc,promoted_order.asc.nullslast,id.asc";

    fn request(get: &str) -> RowsRequest {
        RowsRequest { get: get.to_owned(), headers: Default::default() }
    }

    fn asked(page: u32, total: u32) -> Option<(String, bool)> {
        let first = request(&format!("{LIST}&offset=0&limit=25"));
        page_request(&first, page, total).map(|part| (part.request.get, part.is_reversed))
    }

    #[test]
    fn a_query_names_a_part_and_a_game_or_is_another_view() {
        let read = |query| {
            let ListQuery { page, game, is_plain } = ListQuery::read(query);
            (page, game, is_plain)
        };
        assert_eq!(read(None), (1, None, true));
        assert_eq!(read(Some("")), (1, None, true));
        assert_eq!(read(Some("page=3")), (3, None, true));
        assert_eq!(read(Some("game=flyff&page=2")), (2, Some("flyff"), true));
        assert_eq!(read(Some("sort=votes&game=flyff&page=2")), (1, Some("flyff"), false));
        for odd in ["page=0", "page=-1", "page=x", "page=1e3", "page=99999999999"] {
            assert_eq!(read(Some(odd)), (1, None, true), "{odd}");
        }
        for odd in ["game=", "game=%00", "game=Flyff", "x"] {
            assert_eq!(read(Some(odd)), (1, None, false), "{odd}");
        }
    }

    #[test]
    fn one_part_of_a_list_has_one_address() {
        let query = |text| ListQuery::read(Some(text)).query(None);
        assert_eq!((query("page=1"), query("page=2")), (String::new(), "?page=2".to_owned()));
        assert_eq!(query("page=2&sort=votes"), "");
        assert_eq!(ListQuery::read(Some("page=2")).query(Some("flyff")), "?game=flyff&page=2");
    }

    #[test]
    fn a_part_is_asked_for_from_the_nearer_end() {
        let forward = |first| Some((format!("{LIST}&offset={first}&limit=25"), false));
        assert_eq!(asked(1, 0), forward(0));
        assert_eq!(asked(3, 60), forward(50));
        assert_eq!(asked(101, 100_000), forward(2_500));
        let back = "servers?select=id&order=is_prestige.asc,promoted_order.desc.nullsfirst,id.desc";
        assert_eq!(asked(4_000, 99_990), Some((format!("{back}&offset=0&limit=15"), true)));
        assert_eq!(asked(3_999, 99_990), Some((format!("{back}&offset=15&limit=25"), true)));
    }

    #[test]
    fn nothing_is_asked_for_behind_the_end() {
        assert_eq!((asked(4, 75), asked(100_000, 1_000)), (None, None));
        assert!(page_request(&request("games?select=id"), 2, 100).is_none());
    }
}
