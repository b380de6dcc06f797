//! The report: everything is requested once, then checked by the rules.

use std::collections::BTreeSet;

use chrono::{DateTime, SecondsFormat, SubsecRound as _, Utc};
use compat_pg::PgError;
use serde::Serialize;

use super::client::SiteClient;
use super::context::{PageCheck, Picture, SiteContext};
use super::rule::{Rule, RuleResults, Severity};
use super::samples::{Sample, samples};
use super::sitemap::{self, Sitemap};
use super::{alternates, basics, card, content, robots, structured, titles};
use crate::site::Site;

/// How many files of the sitemap are read, and how many addresses are requested that only other
/// pages name.
const MOST_FILES: usize = 40;
const MOST_NAMED: usize = 200;

/// The result of an audit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    made_at: String,
    origin: String,
    counts: Counts,
    /// The results for the sitemap and `robots.txt`.
    site: RuleResults,
    kinds: Vec<PageKind>,
}

/// The numbers of pages and findings.
#[derive(Default, Serialize)]
struct Counts {
    pages: usize,
    errors: usize,
    warnings: usize,
    /// The number of rules that passed.
    fine: usize,
}

#[derive(Serialize)]
struct PageKind {
    kind: &'static str,
    /// Empty where the site has no such page yet.
    pages: Vec<PageReport>,
}

#[derive(Serialize)]
struct PageReport {
    language: &'static str,
    address: String,
    status: u16,
    /// The highest severity among the findings.
    worst: Option<Severity>,
    #[serde(flatten)]
    results: RuleResults,
}

/// Runs the audit.
pub async fn make(site: &Site, client: &SiteClient) -> Result<Report, PgError> {
    let made_at = site.clock().now().trunc_subsecs(0);
    let mut context = SiteContext { origin: site.origin().to_owned(), ..SiteContext::default() };
    let mut site_results = RuleResults::default();
    read_robots(client, &mut context, &mut site_results).await;
    context.sitemap = read_sitemap(client, &context, made_at).await;
    context.sitemap.check(&mut site_results);
    let samples = samples(site, &context.sitemap).await?;
    fetch_pages(client, &samples, &mut context).await;
    let kinds: Vec<PageKind> =
        samples.iter().map(|sample| check_sample(sample, &context)).collect();
    Ok(Report {
        made_at: made_at.to_rfc3339_opts(SecondsFormat::Secs, true),
        counts: count(&site_results, &kinds),
        origin: context.origin,
        site: site_results,
        kinds,
    })
}

async fn read_robots(client: &SiteClient, context: &mut SiteContext, results: &mut RuleResults) {
    let answer = client.get("/robots.txt").await;
    let (forbidden, sitemap) = sitemap::robots(&String::from_utf8_lossy(&answer.body));
    context.forbidden = forbidden;
    let sitemap_url = format!("{}/sitemap.xml", context.origin);
    let stated = sitemap.unwrap_or_default();
    results.record(Rule::RobotsSitemap, stated == sitemap_url, stated, sitemap_url);
}

/// Reads the sitemap: an index with the files it names, or a single file.
async fn read_sitemap(client: &SiteClient, context: &SiteContext, now: DateTime<Utc>) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let index = client.get("/sitemap.xml").await;
    let text = String::from_utf8_lossy(&index.body).into_owned();
    let Some(all) = sitemap::files(&text) else {
        sitemap.is_whole = true;
        return take(sitemap, "/sitemap.xml".into(), text, context.origin.clone(), now).await;
    };
    let mut files = sitemap::ends(&all);
    files.truncate(MOST_FILES);
    // A missing address may be in a file that was not read.
    sitemap.is_whole = files.len() == all.len();
    for file in files {
        let Some(path) = context.path(&file) else {
            sitemap.mark_unread(file);
            continue;
        };
        let answer = client.get(path).await;
        if answer.status != 200 {
            sitemap.mark_unread(format!("{} {file}", answer.status));
            continue;
        }
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        sitemap = take(sitemap, file, text, context.origin.clone(), now).await;
    }
    sitemap
}

/// Parses a file outside the threads that answer requests, since it may be large.
async fn take(
    mut sitemap: Sitemap,
    name: String,
    text: String,
    origin: String,
    now: DateTime<Utc>,
) -> Sitemap {
    let work = move || {
        sitemap.take(&name, &text, &origin, now);
        sitemap
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_default()
}

/// Requests every sample in every language, then their canonical addresses, translations and
/// pictures.
async fn fetch_pages(client: &SiteClient, samples: &[Sample], context: &mut SiteContext) {
    for (_, path) in samples.iter().flat_map(Sample::paths) {
        let page = client.page(&path).await;
        context.pages.insert(address(&context.origin, &path), page);
    }
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut pictures: BTreeSet<String> = BTreeSet::new();
    for sample in samples.iter().filter(|sample| sample.is_indexed) {
        for (language, path) in sample.paths() {
            let address = address(&context.origin, &path);
            // The snapshot is cloned because `note` borrows the context mutably.
            let Some(snapshot) = context.pages.get(&address).cloned() else {
                continue;
            };
            context.note(&PageCheck { sample, language, address: &address, snapshot: &snapshot });
            named.insert(snapshot.canonical().to_owned());
            named.extend(snapshot.alternates.iter().map(|(_, address)| address.clone()));
            pictures.insert(snapshot.card("og:image").to_owned());
        }
    }
    for address in named.into_iter().take(MOST_NAMED) {
        let path = context.path(&address).map(str::to_owned);
        if let Some(path) = path.filter(|_| !context.pages.contains_key(&address)) {
            let page = client.page(&slashed(&path)).await;
            context.pages.insert(address, page);
        }
    }
    for address in pictures.into_iter().take(MOST_NAMED) {
        if let Some(path) = context.path(&address) {
            let answer = client.get(&slashed(path)).await;
            let size = imagesize::blob_size(&answer.body).ok();
            let size = size.map(|size| (size.width, size.height));
            let picture = Picture { status: answer.status, kind: answer.kind, size };
            context.pictures.insert(address, picture);
        }
    }
}

/// The absolute address of a path; that of the home page ends with a slash.
fn address(origin: &str, path: &str) -> String {
    format!("{origin}{path}")
}

fn slashed(path: &str) -> String {
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

fn check_sample(sample: &Sample, context: &SiteContext) -> PageKind {
    let pages = sample.paths().into_iter().filter_map(|(language, path)| {
        let address = address(&context.origin, &path);
        let snapshot = context.pages.get(&address)?;
        let page = PageCheck { sample, language, address: &address, snapshot };
        let mut results = RuleResults::default();
        for check in [
            basics::check,
            titles::check,
            alternates::check,
            robots::check,
            card::check,
            structured::check,
            content::check,
        ] {
            check(&page, context, &mut results);
        }
        let (status, worst) = (snapshot.status, results.worst());
        Some(PageReport { language: language.code(), address, status, worst, results })
    });
    PageKind { kind: sample.kind, pages: pages.collect() }
}

fn count(site_results: &RuleResults, kinds: &[PageKind]) -> Counts {
    let pages: Vec<&PageReport> = kinds.iter().flat_map(|kind| &kind.pages).collect();
    let mut counts = Counts { pages: pages.len(), ..Counts::default() };
    for results in pages.iter().map(|page| &page.results).chain([site_results]) {
        counts.fine += results.passed.len();
        for finding in &results.findings {
            match finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
            }
        }
    }
    counts
}
