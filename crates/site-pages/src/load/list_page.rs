//! The question for one page of a list.
//!
//! The pages ask the same (`frontend/src/features/ranking-list/api/servers.ts`), so that they find
//! the answer in the page.

use crate::load::first_load::{ListRange, RowsRequest};

/// Pages behind this one are read from the nearer end of the list: the database passes over all
/// that stands before a page.
const FAR: u32 = 100;

/// The question for one page of a list.
#[derive(Debug)]
pub struct PageRequest {
    /// The question.
    pub request: RowsRequest,
    /// Whether its rows come in the opposite order.
    pub is_reversed: bool,
}

/// The question for a page, counted from 1, of a list of `total` rows; none behind the end.
/// `request` asks for the rows of the whole list, in no order.
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

/// In the order in which the client writes its parameters.
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
    fn a_page_is_asked_for_from_the_nearer_end() {
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
