//! The first rows of a page: requested from rest/v1 in this process as an anonymous visitor, and
//! written into the page with the request, so that the pages' client uses them like fetched rows.
//!
//! A request that rest/v1 refuses or does not answer in time is left out; the page then sends it
//! itself. A bounded number of answers is cached for a moment, for all visitors.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use compat_http::{Clock, TtlCache};
use futures_util::future::join_all;
use http::{HeaderName, HeaderValue, Request, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::html::{in_script, keep_in_script};
use crate::load::first_load::RowsRequest;

/// How long an answer is cached.
const FRESH: Duration = Duration::from_secs(2);

/// The number of cached answers.
const KEPT: NonZeroUsize = NonZeroUsize::new(128).unwrap();

/// The largest answer in bytes. The page fetches larger ones itself, so that it is not delayed.
const LARGEST: usize = 64 * 1024;

/// The longest time that a page waits for its rows.
const TIMEOUT: Duration = Duration::from_millis(400);

/// Reads rows for pages; cheap to clone.
#[derive(Clone)]
pub struct Prefetcher(Arc<Inner>);

struct Inner {
    services: Router,
    anon_key: HeaderValue,
    /// Answers by request; `None` for a request that rest/v1 refused.
    answers: TtlCache<String, Option<Arc<RestAnswer>>, Infallible>,
}

/// An answer of rest/v1, in the form in which the page's client reads it from the page.
#[derive(Debug)]
pub struct RestAnswer {
    /// The table, view or procedure of the request.
    about: String,
    /// Request, status, `Content-Range` and body as JSON that is safe in a script element.
    array_text: String,
    /// The offset of the body in `array_text`.
    body: usize,
}

/// The answers that a page's requests got.
#[derive(Debug, Default)]
pub struct RestAnswers(Vec<Arc<RestAnswer>>);

impl RestAnswers {
    /// Answers with these rows, by table, view or procedure.
    #[cfg(test)]
    pub fn of(rows: &[(&str, serde_json::Value)]) -> Self {
        let answer = |(about, rows): &(&str, serde_json::Value)| {
            let (about, array_text) = ((*about).to_owned(), format!("{rows}]"));
            Arc::new(RestAnswer { about, array_text, body: 0 })
        };
        Self(rows.iter().map(answer).collect())
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends other answers.
    pub fn add(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The first answers as JSON for a script element: a list of request, status, `Content-Range`
    /// and body.
    pub fn array_text(&self, first: usize) -> String {
        let all: Vec<&str> = self.0.iter().take(first).map(|answer| &*answer.array_text).collect();
        format!("[{}]", all.join(","))
    }

    /// The rows of the first answer of a table, view or procedure; empty if there is no answer or
    /// its rows do not have this form.
    pub fn rows<Row: DeserializeOwned>(&self, about: &str) -> Vec<Row> {
        let Some(answer) = self.0.iter().find(|answer| answer.about == about) else {
            return Vec::new();
        };
        let body = &answer.array_text[answer.body..answer.array_text.len() - 1];
        serde_json::from_str(body)
            .inspect_err(|error| tracing::error!(%error, about, "prefetched rows unreadable"))
            .unwrap_or_default()
    }
}

impl Prefetcher {
    /// A prefetcher that calls these services with this key.
    pub fn new(services: Router, anon_key: &str, clock: Clock) -> Self {
        let anon_key = HeaderValue::from_str(anon_key).unwrap_or(HeaderValue::from_static(""));
        let answers = TtlCache::new(clock, KEPT, |_| FRESH);
        Self(Arc::new(Inner { services, anon_key, answers }))
    }

    /// Gets the answers to these requests. `params` are the parameters of the page's address.
    pub async fn read(&self, requests: &[RowsRequest], params: &[(&str, &str)]) -> RestAnswers {
        let answers = requests.iter().map(|request| self.answer(request, params));
        RestAnswers(join_all(answers).await.into_iter().flatten().collect())
    }

    async fn answer(
        &self,
        request: &RowsRequest,
        params: &[(&str, &str)],
    ) -> Option<Arc<RestAnswer>> {
        let question = fill(&request.get, params);
        let ask = async { Ok(self.ask(request, &question, params).await) };
        let answer = self.0.answers.get_or_load(&question, ask);
        let Ok(answer) = timeout(TIMEOUT, answer).await.ok()?;
        answer
    }

    async fn ask(
        &self,
        request: &RowsRequest,
        question: &str,
        params: &[(&str, &str)],
    ) -> Option<Arc<RestAnswer>> {
        let mut rest_request = Request::get(address(&request.get, params)?);
        rest_request = rest_request.header("apikey", &self.0.anon_key);
        for (name, value) in &request.headers {
            rest_request = rest_request.header(HeaderName::try_from(name).ok()?, value);
        }
        let response =
            self.0.services.clone().oneshot(rest_request.body(Body::empty()).ok()?).await.ok()?;
        let (parts, body) = response.into_parts();
        // PostgREST answers 206 to a request for a count when it sends only a part of the rows.
        if !matches!(parts.status, StatusCode::OK | StatusCode::PARTIAL_CONTENT) {
            tracing::warn!(status = parts.status.as_u16(), "prefetch refused by rest/v1");
            return None;
        }
        let body = to_bytes(body, LARGEST).await.ok()?;
        let range = parts.headers.get(header::CONTENT_RANGE).and_then(|value| value.to_str().ok());
        let about = question.split('?').next().unwrap_or_default().to_owned();
        let (question, range) = (in_script(&json!(question)), in_script(&json!(range)));
        let mut array_text = format!("[{question},{},{range},", parts.status.as_u16());
        let at = array_text.len();
        array_text.push_str(&keep_in_script(std::str::from_utf8(&body).ok()?));
        array_text.push(']');
        Some(Arc::new(RestAnswer { about, array_text, body: at }))
    }
}

/// The text with the parameters in place of their `{names}`.
fn fill(text: &str, params: &[(&str, &str)]) -> String {
    params
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// The path and query of a request. The query is split before the parameters are filled in, so that
/// no parameter can add to the query.
fn address(get: &str, params: &[(&str, &str)]) -> Option<String> {
    let encode =
        |text: &str| utf8_percent_encode(&fill(text, params), NON_ALPHANUMERIC).to_string();
    let (path, query) = get.split_once('?')?;
    let query: Vec<String> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    Some(format!("/rest/v1/{path}?{}", query.join("&")))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::extract::RawQuery;
    use axum::response::IntoResponse as _;
    use axum::routing::get;

    use super::*;

    fn request(get: &str) -> RowsRequest {
        let headers = [("prefer".to_owned(), "count=exact".to_owned())].into();
        RowsRequest { get: get.to_owned(), headers, ..RowsRequest::default() }
    }

    fn rows(services: Router) -> Prefetcher {
        Prefetcher::new(services, "key", Clock::system())
    }

    #[tokio::test]
    async fn address_parameters_stay_values_in_a_question() {
        let services = Router::new()
            .route("/rest/v1/things", get(async |RawQuery(query): RawQuery| axum::Json(query)));
        let requests = [request("things?slug=eq.{slug}&limit=1")];
        let answers = rows(services).read(&requests, &[("slug", "a&limit=9</script>é")]).await;
        assert_eq!(
            answers.array_text(usize::MAX),
            r#"[["things?slug=eq.a&limit=9\u003c/script>é&limit=1",200,null,"slug=eq%2Ea%26limit%3D9%3C%2Fscript%3E%C3%A9&limit=1"]]"#
        );
    }

    #[tokio::test]
    async fn many_pages_at_once_ask_once() {
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        let services = Router::new().route(
            "/rest/v1/things",
            get(async move || {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                ([("content-range", "0-0/1")], "[{\"a\":\"</script>\"}]")
            }),
        );
        let (rows, request) = (rows(services), [request("things?limit=1")]);
        let pages = join_all((0..20).map(|_| rows.read(&request, &[]))).await;
        let array_text = r#"[["things?limit=1",200,"0-0/1",[{"a":"\u003c/script>"}]]]"#;
        assert!(pages.iter().all(|page| page.array_text(usize::MAX) == array_text), "{pages:?}");
        let read: Vec<serde_json::Value> = pages[0].rows("things");
        assert_eq!(read, [json!({"a": "</script>"})]);
        assert!(pages[0].rows::<serde_json::Value>("others").is_empty());
        assert!(requests.load(Ordering::SeqCst) <= 2, "{requests:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn failed_large_or_late_prefetches_are_omitted() {
        let services = Router::new()
            .route("/rest/v1/refused", get(async || StatusCode::FORBIDDEN.into_response()))
            .route("/rest/v1/large", get(async || " ".repeat(LARGEST + 1)))
            .route(
                "/rest/v1/late",
                get(async || {
                    tokio::time::sleep(TIMEOUT * 2).await;
                    "[]"
                }),
            )
            .route("/rest/v1/there", get(async || "[]"));
        let requests =
            ["refused?a=1", "large?a=1", "late?a=1", "missing?a=1", "there?a=1"].map(request);
        let answers = rows(services).read(&requests, &[]).await;
        assert_eq!(answers.array_text(usize::MAX), r#"[["there?a=1",200,null,[]]]"#);
    }
}
