//! The state that all pages share: the site's settings, its address, and the build of the pages.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compat_http::{Clock, TtlCache};
use compat_pg::{OwnerDb, PgError};
use ranking::SiteFacts;

use super::head::Head;
use super::public_config::PublicConfig;
use crate::address::list_query::ListQuery;
use crate::load::above_fold::AboveFold;
use crate::load::build::Build;
use crate::load::first_load::{FirstLoad, PageLoad, RowsRequest};
use crate::load::list_page::page_request;
use crate::load::noscript::{NoscriptSource, NoscriptText, list, server};
use crate::load::prefetch::{Prefetcher, RestAnswers};
use crate::load::template::{Template, TemplateVars};
use page_registry::PageMatch;

/// How long the site's settings are cached.
const FRESH: Duration = Duration::from_secs(10);

/// Shared by all pages; cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    owner: OwnerDb,
    origin: String,
    anon_key: String,
    clock: Clock,
    build: Build,
    /// The parsed build; it is parsed again when the built page changes.
    built: Mutex<Option<Arc<ParsedBuild>>>,
    prefetcher: Prefetcher,
    config: PublicConfig,
    facts: TtlCache<(), Arc<SiteFacts>, PgError>,
}

impl Site {
    /// The site at `origin`, whose pages use `anon_key`.
    pub fn new(
        owner: OwnerDb,
        origin: &str,
        anon_key: &str,
        clock: Clock,
        build: Build,
        prefetcher: Prefetcher,
        config: PublicConfig,
    ) -> Self {
        Self(Arc::new(Inner {
            owner,
            origin: origin.to_owned(),
            anon_key: anon_key.to_owned(),
            facts: TtlCache::new(clock.clone(), NonZeroUsize::MIN, |_| FRESH),
            clock,
            build,
            built: Mutex::new(None),
            prefetcher,
            config,
        }))
    }

    /// The database.
    pub fn owner(&self) -> &OwnerDb {
        &self.0.owner
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The files of the pages.
    pub fn build(&self) -> &Build {
        &self.0.build
    }

    /// The public address without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.0.origin
    }

    /// The API key with which pages call the services.
    pub fn anon_key(&self) -> &str {
        &self.0.anon_key
    }

    /// The site's settings, at most a few seconds old.
    pub async fn facts(&self) -> Result<Arc<SiteFacts>, PgError> {
        let read = async { ranking::site_facts(&self.0.owner).await.map(Arc::new) };
        self.0.facts.get_or_load(&(), read).await
    }

    /// The current build, parsed; `None` when the pages have not been built.
    pub async fn parsed_build(&self) -> Option<Arc<ParsedBuild>> {
        let index = self.0.build.index().await?;
        let known = self.0.built.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(built) = known
            && *built.index == *index
        {
            return Some(built);
        }
        let template = Template::parse(
            std::str::from_utf8(&index).ok()?,
            self.0.config.captcha_sources(),
            self.origin(),
        );
        let first_load = FirstLoad::read(&self.0.build).await;
        let is_whole = first_load.is_some();
        let first_load = first_load.unwrap_or_default();
        let built = Arc::new(ParsedBuild { index: index.into_owned(), template, first_load });
        // A build that is still being written lacks `first-load.json`, so it is not cached.
        if is_whole {
            *self.0.built.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&built));
        }
        Some(built)
    }

    /// Renders a page with all that its first load needs, and with its text for clients without
    /// script. `page_match` is the page of the registry at this path, if there is one. No rows are
    /// written for a query that selects another view of the page.
    pub async fn write(
        &self,
        built: &ParsedBuild,
        facts: &SiteFacts,
        mut head: Head,
        page_match: Option<&PageMatch>,
        list_query: &ListQuery<'_>,
    ) -> String {
        let mut vars = TemplateVars::new(head.language);
        vars.config = data_element("config", &self.0.config.to_json(&self.0.anon_key, facts));
        let page = built.first_load.page(&load_key(page_match));
        let (texts, first) = tokio::join!(
            async {
                let page = page?;
                Some(built.first_load.texts(page, head.language, &self.0.build).await)
            },
            self.first_rows(page, page_match, list_query),
        );
        let above_fold = head.above_fold.as_ref().map(AboveFold::render).unwrap_or_default();
        let noscript = page_match.map(|page_match| {
            let FirstRows { answers, is_reversed, .. } = &first;
            let source =
                NoscriptSource { head: &head, answers, list_query, is_reversed: *is_reversed };
            NoscriptText::of(&page_match.page.key, &source, self.origin())
        });
        let NoscriptText { html, structured } = noscript.unwrap_or_default();
        vars.root = above_fold + &html;
        // The rows add to the structured data, so the head is rendered only after they have come.
        head.structured.extend(structured);
        vars.head = head.render(&facts.name, self.origin());
        if let (Some(page), Some(texts)) = (page, texts) {
            vars.head.push_str(&page.preloads());
            let rows = first.answers.array_text(first.answer_count);
            // The rows follow closely on the text made of them, because compression looks back only
            // 32 kB.
            vars.data =
                page.style_sheets() + &data_element("rows", &rows) + &data_element("texts", &texts);
        }
        built.template.fill(&vars)
    }

    /// Fetches the rows that the page requests, and the other rows that its text contains.
    async fn first_rows(
        &self,
        page: Option<&PageLoad>,
        page_match: Option<&PageMatch>,
        list_query: &ListQuery<'_>,
    ) -> FirstRows {
        let (Some(page), Some(page_match), true) = (page, page_match, list_query.is_plain) else {
            return FirstRows::default();
        };
        let mut params = page_match.params();
        // A game that shares the page of another is in the query (`/game/minecraft?game=flyff`).
        if let Some(game) = list_query.game {
            params = vec![("game", game)];
        }
        let prefetcher = &self.0.prefetcher;
        let totals: Vec<RowsRequest> =
            page.rows.iter().filter(|request| request.total).cloned().collect();
        // The first page exists whatever the total is. Without a known total, no page may count as
        // past the end.
        let total = match list_query.page == 1 || totals.is_empty() {
            true => u32::MAX,
            false => list::total(&prefetcher.read(&totals, &params).await),
        };
        let (requests, is_reversed) = page_requests(&page.rows, list_query.page, total);
        let mut answers = prefetcher.read(&requests, &params).await;
        let answer_count = answers.len();
        if matches!(&*page_match.page.key, "server" | "serverById") {
            answers.add(prefetcher.read(&server::reviews_of(&answers), &[]).await);
        }
        FirstRows { answers, answer_count, is_reversed }
    }
}

/// The answers to a page's first requests.
#[derive(Default)]
struct FirstRows {
    answers: RestAnswers,
    /// How many of the answers the page itself requests; the others are only for its text.
    answer_count: usize,
    /// Whether the rows of the list are in reverse order.
    is_reversed: bool,
}

/// The requests of a page. Of its list, one page is requested; nothing past the end. The flag says
/// whether the rows of the list come in reverse order.
fn page_requests(first: &[RowsRequest], page: u32, total: u32) -> (Vec<RowsRequest>, bool) {
    let mut is_reversed = false;
    let requests = first.iter().filter_map(|request| {
        let Some(range) = &request.list else { return Some(request.clone()) };
        let part = page_request(request, range, page, total)?;
        is_reversed = part.is_reversed;
        Some(part.request)
    });
    (requests.collect(), is_reversed)
}

/// The key of the page in `first-load.json`.
fn load_key(page_match: Option<&PageMatch>) -> String {
    match page_match {
        None => "missing".to_owned(),
        Some(page_match) if page_match.page.key == "shortcut" => {
            format!("shortcut/{}", page_match.param("shortcut"))
        }
        Some(page_match) => page_match.page.key.clone(),
    }
}

/// A parsed build.
pub struct ParsedBuild {
    /// The content of `index.html` from which it was parsed.
    index: Vec<u8>,
    /// The template of the page that all routes share.
    pub template: Template,
    /// What each page loads first.
    pub first_load: FirstLoad,
}

/// JSON for the pages, in an element that a browser does not run.
fn data_element(name: &str, json: &str) -> String {
    format!(r#"<script type="application/json" id="palmares-{name}">{json}</script>"#)
}
