//! Pagination of lists: the parameters, and the headers with the links.

use axum::response::Response;
use http::HeaderValue;
use http::request::Parts;

use crate::error::InvalidRequest;
use crate::wire::extract::query;

/// The maximum page size.
const MOST: i64 = 1000;

/// The page number, counted from one, and the page size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub number: i64,
    pub size: i64,
}

impl Page {
    /// Empty parameters count as absent.
    ///
    /// # Errors
    /// [`InvalidRequest::Pagination`] for text that is not a number.
    pub fn requested(parts: &Parts) -> Result<Self, InvalidRequest> {
        let number = |name: &str, default: i64| match query(parts, name).as_deref() {
            None | Some("") => Ok(default),
            Some(text) => text.parse::<u32>().map(i64::from).map_err(|_| {
                InvalidRequest::Pagination(format!("{name} is not a number: {text:?}"))
            }),
        };
        Ok(Self { number: number("page", 1)?.max(1), size: number("per_page", 50)?.clamp(1, MOST) })
    }

    pub fn offset(self) -> i64 {
        (self.number - 1).saturating_mul(self.size)
    }

    /// Adds the total and the links. Clients read what follows the first `=` of a link as its page,
    /// so that parameter comes first.
    pub fn describe(self, mut response: Response, path: &str, total: i64) -> Response {
        let last = (total + self.size - 1) / self.size;
        let link = |page: i64, rel: &str| {
            format!("<{path}?page={page}&per_page={}>; rel=\"{rel}\"", self.size)
        };
        let mut links = Vec::new();
        if last > self.number {
            links.push(link(self.number + 1, "next"));
        }
        links.push(link(last, "last"));
        let facts = [("link", links.join(", ")), ("x-total-count", total.to_string())];
        for (name, value) in facts {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}
