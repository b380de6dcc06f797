//! The request for one page of a list.
//!
//! The pages send the same request (`frontend/src/features/ranking-list/api/servers.ts`), so that
//! they find its answer in the HTML.

use crate::load::first_load::{ListRange, RowsRequest};

/// Later pages are read from the nearer end of the list, because the database reads and skips all
/// rows before a page.
const FAR: u32 = 100;

/// The request for one page of a list.
#[derive(Debug)]
pub struct PageRequest {
    /// The request.
    pub request: RowsRequest,
    /// Whether the rows come in reverse order.
    pub is_reversed: bool,
}

/// The request for a page, counted from 1, of a list of `total` rows; `None` past the end.
/// `request` is the request for the whole list, without an order.
pub fn page_request(
    request: &RowsRequest,
    range: &ListRange,
    page: u32,
    total: u32,
) -> Option<PageRequest> {
    let limit = range.limit;
    let offset = (page - 1).checked_mul(limit).filter(|offset| page == 1 || *offset < total)?;
    let is_reversed = page > FAR && offset > total / 2;
    let get = if is_reversed {
        let (behind, limit) = ((total - offset).saturating_sub(limit), limit.min(total - offset));
        ranged(&request.get, &opposite_order(&range.order), behind, limit)
    } else {
        ranged(&request.get, &range.order, offset, limit)
    };
    let headers = request.headers.clone();
    Some(PageRequest {
        request: RowsRequest { get, headers, ..RowsRequest::default() },
        is_reversed,
    })
}

/// Adds order and range, with the parameters in the same sequence as the pages' client.
fn ranged(get: &str, order: &str, offset: u32, limit: u32) -> String {
    format!("{get}&order={order}&offset={offset}&limit={limit}")
}

fn opposite_order(order: &str) -> String {
    order.split(',').map(opposite).collect::<Vec<_>>().join(",")
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

    const LIST: &str = "servers?select=id";
    const ORDER: &str = "is_prestige.desc,promoted_order.asc.nullslast,id.asc";

    fn page_query(page: u32, total: u32) -> Option<(String, bool)> {
        let list = RowsRequest { get: LIST.to_owned(), ..RowsRequest::default() };
        let range = ListRange { order: ORDER.to_owned(), limit: 25 };
        page_request(&list, &range, page, total).map(|page| (page.request.get, page.is_reversed))
    }

    #[test]
    fn list_pages_are_queried_from_the_nearer_end() {
        let forward =
            |first| Some((format!("{LIST}&order={ORDER}&offset={first}&limit=25"), false));
        assert_eq!(page_query(1, 0), forward(0));
        assert_eq!(page_query(3, 60), forward(50));
        assert_eq!(page_query(101, 100_000), forward(2_500));
        let order = "is_prestige.asc,promoted_order.desc.nullsfirst,id.desc";
        let back = format!("{LIST}&order={order}");
        assert_eq!(page_query(4_000, 99_990), Some((format!("{back}&offset=0&limit=15"), true)));
        assert_eq!(page_query(3_999, 99_990), Some((format!("{back}&offset=15&limit=25"), true)));
    }

    #[test]
    fn nothing_is_asked_for_behind_the_end() {
        assert_eq!((page_query(4, 75), page_query(100_000, 1_000)), (None, None));
    }
}
