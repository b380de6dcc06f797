//! The report: everything looked at once, then held against the rules.

use std::collections::BTreeSet;

use chrono::{SecondsFormat, SubsecRound as _};
use compat_stack::pg::PgError;
use serde::Serialize;

use super::super::site::Site;
use super::ask::Ask;
use super::look::{Around, Look, Picture};
use super::rule::{Rule, Severity, Verdict};
use super::samples::{Sample, samples};
use super::sitemap::{self, Sitemap};
use super::{alternates, basics, card, content, robots, structured, words};

/// Files of the sitemap, and addresses that pages name beside those looked at anyway: no more of
/// either is looked at.
const MOST_FILES: usize = 40;
const MOST_NAMED: usize = 200;

/// What was found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    made_at: String,
    origin: String,
    counts: Counts,
    /// The sitemap and the rules for robots.
    site: Verdict,
    kinds: Vec<Kind>,
}

/// How many pages are how.
#[derive(Default, Serialize)]
struct Counts {
    pages: usize,
    errors: usize,
    warnings: usize,
    /// Rules that were kept.
    fine: usize,
}

#[derive(Serialize)]
struct Kind {
    kind: &'static str,
    /// None where the site has no such page yet.
    pages: Vec<Page>,
}

#[derive(Serialize)]
struct Page {
    language: &'static str,
    address: String,
    status: u16,
    /// The worst that was found.
    worst: Option<Severity>,
    #[serde(flatten)]
    verdict: Verdict,
}

/// Looks at everything.
///
/// # Errors
/// When the database cannot be asked what there is to look at.
pub async fn make(site: &Site, ask: &Ask) -> Result<Report, PgError> {
    let made_at = site.clock().now().trunc_subsecs(0);
    let today = made_at.format("%Y-%m-%d").to_string();
    let mut around = Around { origin: site.origin().to_owned(), ..Around::default() };
    let mut of_site = Verdict::default();
    read_robots(ask, &mut around, &mut of_site).await;
    around.sitemap = read_sitemap(ask, &around, today).await;
    around.sitemap.judge(&mut of_site);
    let samples = samples(site, &around.sitemap).await?;
    look_at(ask, &samples, &mut around).await;
    let kinds: Vec<Kind> = samples.iter().map(|sample| judge(sample, &around)).collect();
    Ok(Report {
        made_at: made_at.to_rfc3339_opts(SecondsFormat::Secs, true),
        counts: count(&of_site, &kinds),
        origin: around.origin,
        site: of_site,
        kinds,
    })
}

async fn read_robots(ask: &Ask, around: &mut Around, verdict: &mut Verdict) {
    let answer = ask.get("/robots.txt").await;
    let (forbidden, sitemap) = sitemap::robots(&String::from_utf8_lossy(&answer.body));
    around.forbidden = forbidden;
    let wanted = format!("{}/sitemap.xml", around.origin);
    let found = sitemap.unwrap_or_default();
    verdict.judge(Rule::RobotsSitemap, found == wanted, found, wanted);
}

/// An index and the files it names, or one file that is all.
async fn read_sitemap(ask: &Ask, around: &Around, today: String) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let index = ask.get("/sitemap.xml").await;
    let text = String::from_utf8_lossy(&index.body).into_owned();
    let Some(all) = sitemap::files(&text) else {
        sitemap.is_whole = true;
        return take(sitemap, "/sitemap.xml".into(), text, around.origin.clone(), today).await;
    };
    let mut files = sitemap::ends(&all);
    files.truncate(MOST_FILES);
    sitemap.is_whole = files.len() == all.len();
    for file in files {
        let Some(path) = around.path(&file) else {
            sitemap.is_unread(file);
            continue;
        };
        let answer = ask.get(path).await;
        if answer.status != 200 {
            sitemap.is_unread(format!("{} {file}", answer.status));
            continue;
        }
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        sitemap = take(sitemap, file, text, around.origin.clone(), today.clone()).await;
    }
    sitemap
}

/// Reads a file beside the threads that answer, since it may be large.
async fn take(
    mut sitemap: Sitemap,
    name: String,
    text: String,
    origin: String,
    today: String,
) -> Sitemap {
    let work = move || {
        sitemap.take(&name, &text, &origin, &today);
        sitemap
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_default()
}

/// Every sample in every language, then what these name: their one address, their translations,
/// their pictures.
async fn look_at(ask: &Ask, samples: &[Sample], around: &mut Around) {
    for (_, path) in samples.iter().flat_map(Sample::paths) {
        let page = ask.page(&path).await;
        around.pages.insert(address(&around.origin, &path), page);
    }
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut pictures: BTreeSet<String> = BTreeSet::new();
    for sample in samples.iter().filter(|sample| sample.is_indexed) {
        for (language, path) in sample.paths() {
            let address = address(&around.origin, &path);
            let Some(seen) = around.pages.get(&address).cloned() else {
                continue;
            };
            around.note(&Look { sample, language, address: &address, seen: &seen });
            named.insert(seen.canonical().to_owned());
            named.extend(seen.alternates.iter().map(|(_, address)| address.clone()));
            pictures.insert(seen.card("og:image").to_owned());
        }
    }
    for address in named.into_iter().take(MOST_NAMED) {
        let path = around.path(&address).map(str::to_owned);
        if let Some(path) = path.filter(|_| !around.pages.contains_key(&address)) {
            let page = ask.page(&slashed(&path)).await;
            around.pages.insert(address, page);
        }
    }
    for address in pictures.into_iter().take(MOST_NAMED) {
        if let Some(path) = around.path(&address) {
            let answer = ask.get(&slashed(path)).await;
            let size = imagesize::blob_size(&answer.body).ok();
            let size = size.map(|size| (size.width, size.height));
            let picture = Picture { status: answer.status, kind: answer.kind, size };
            around.pictures.insert(address, picture);
        }
    }
}

/// The home page's whole address has a slash at its end.
fn address(origin: &str, path: &str) -> String {
    format!("{origin}{path}")
}

fn slashed(path: &str) -> String {
    if path.is_empty() { "/".to_owned() } else { path.to_owned() }
}

fn judge(sample: &Sample, around: &Around) -> Kind {
    let pages = sample.paths().into_iter().filter_map(|(language, path)| {
        let address = address(&around.origin, &path);
        let seen = around.pages.get(&address)?;
        let look = Look { sample, language, address: &address, seen };
        let mut verdict = Verdict::default();
        for check in [
            basics::check,
            words::check,
            alternates::check,
            robots::check,
            card::check,
            structured::check,
            content::check,
        ] {
            check(&look, around, &mut verdict);
        }
        let (status, worst) = (seen.status, verdict.worst());
        Some(Page { language: language.code(), address, status, worst, verdict })
    });
    Kind { kind: sample.kind, pages: pages.collect() }
}

fn count(of_site: &Verdict, kinds: &[Kind]) -> Counts {
    let pages: Vec<&Page> = kinds.iter().flat_map(|kind| &kind.pages).collect();
    let mut counts = Counts { pages: pages.len(), ..Counts::default() };
    for verdict in pages.iter().map(|page| &page.verdict).chain([of_site]) {
        counts.fine += verdict.passed.len();
        for finding in &verdict.findings {
            match finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
            }
        }
    }
    counts
}
