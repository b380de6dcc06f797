//! The sitemap and `robots.txt`, read as a crawler reads them.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use roxmltree::{Document, Node};

use super::rule::{Rule, RuleResults};
use crate::address::paths::page_at;

/// The limits of the sitemap protocol for one file.
const MOST_ADDRESSES: usize = 50_000;
const MOST_BYTES: usize = 50 * 1024 * 1024;

/// The translations are kept for this number of servers at the end of a file.
const KEPT_LAST: usize = 200;

/// How far the clocks of the earliest time zone are ahead of UTC.
const MOST_AHEAD: TimeDelta = TimeDelta::hours(14);

/// The translations of a page: language and address.
pub type Alternates = Vec<(String, String)>;

/// The files of the sitemap that were read.
#[derive(Debug, Default)]
pub struct Sitemap {
    /// Whether all files were read.
    pub is_whole: bool,
    /// Every address in the files.
    named: HashSet<String>,
    /// The translations of some addresses.
    alternates: BTreeMap<String, Alternates>,
    /// An example address of each kind of page.
    samples: BTreeMap<&'static str, String>,
    twice: Vec<String>,
    strange: Vec<String>,
    dates: Vec<String>,
    large: Vec<String>,
    unread: Vec<String>,
}

impl Sitemap {
    /// Whether the sitemap contains an address.
    pub fn names(&self, address: &str) -> bool {
        self.named.contains(address)
    }

    /// The translations of an address, where they were kept.
    pub fn alternates(&self, address: &str) -> Option<&Alternates> {
        self.alternates.get(address)
    }

    /// The first address of this kind of page.
    pub fn sample(&self, key: &str) -> Option<&str> {
        self.samples.get(key).map(String::as_str)
    }

    /// Records a file that could not be fetched or parsed.
    pub fn mark_unread(&mut self, part: String) {
        self.unread.push(part);
    }

    /// Parses a file of the site at `origin` and adds it.
    pub fn take(&mut self, name: &str, xml: &str, origin: &str, now: DateTime<Utc>) {
        let Ok(document) = Document::parse(xml) else {
            self.unread.push(name.to_owned());
            return;
        };
        let urls: Vec<Node<'_, '_>> = children(document.root_element(), "url").collect();
        if urls.len() > MOST_ADDRESSES || xml.len() > MOST_BYTES {
            self.large.push(format!("{name}: {} / {} B", urls.len(), xml.len()));
        }
        let urls_read = urls.len();
        for (at, url) in urls.into_iter().enumerate() {
            let address = text(url, "loc");
            let Some(path) = address.strip_prefix(origin).filter(|path| path.starts_with('/'))
            else {
                self.strange.push(address);
                continue;
            };
            let date = text(url, "lastmod");
            if !date.is_empty() && !is_past(&date, now) {
                self.dates.push(format!("{address} {date}"));
            }
            let page = page_at(path.split('?').next().unwrap_or_default()).map(|found| found.page);
            let is_first = page.is_some_and(|page| !self.samples.contains_key(&*page.key));
            if let Some(page) = page.filter(|_| is_first) {
                self.samples.insert(&page.key, address.clone());
            }
            // Files may contain thousands of servers, of which only the last ones are kept, since
            // they are the newest.
            let is_row = page.is_some_and(|page| page.key == "server");
            if is_first || !is_row || at == 0 || at + KEPT_LAST > urls_read {
                self.alternates.insert(address.clone(), alternates(url));
            }
            if !self.named.insert(address.clone()) {
                self.twice.push(address);
            }
        }
    }

    /// Checks the rules for the sitemap as a whole.
    pub fn check(&self, results: &mut RuleResults) {
        let few = |all: &[String]| all.iter().take(5).cloned().collect::<Vec<_>>();
        results.record_all(Rule::SitemapRead, &few(&self.unread), "XML, 200");
        results.record_all(Rule::SitemapOnce, &few(&self.twice), "1");
        results.record_all(Rule::SitemapOrigin, &few(&self.strange), "");
        let most = format!("{MOST_ADDRESSES} / {MOST_BYTES} B");
        results.record_all(Rule::SitemapSize, &few(&self.large), most);
        results.record_all(Rule::SitemapDates, &few(&self.dates), "yyyy-mm-dd");
    }
}

/// The files that an index names; `None` when the document is not an index.
pub fn files(index: &str) -> Option<Vec<String>> {
    let document = Document::parse(index).ok()?;
    let root = document.root_element();
    (root.tag_name().name() == "sitemapindex")
        .then(|| children(root, "sitemap").map(|file| text(file, "loc")).collect())
}

/// Reduces each series of numbered files to the first and the last one, so that the duration does
/// not depend on the size of the site.
pub fn ends(files: &[String]) -> Vec<String> {
    let mut rows: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for file in files {
        let unnumbered =
            file.trim_end_matches(".xml").trim_end_matches(|c: char| c.is_ascii_digit());
        rows.entry(unnumbered.to_owned()).or_default().push(file);
    }
    let ends = rows.into_values().flat_map(|row| {
        let (first, last) = (row.first().copied(), row.last().copied());
        first.into_iter().chain(last.filter(|last| Some(*last) != first))
    });
    ends.cloned().collect()
}

/// The paths that `robots.txt` forbids to all robots, and the sitemap that it names.
pub fn robots(text: &str) -> (Vec<String>, Option<String>) {
    let (mut forbidden, mut sitemap, mut is_for_all) = (Vec::new(), None, false);
    for line in text.lines() {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "user-agent" => is_for_all = value == "*",
            "disallow" if is_for_all && !value.is_empty() => forbidden.push(value.to_owned()),
            "sitemap" => sitemap = Some(value.to_owned()),
            _ => {}
        }
    }
    (forbidden, sitemap)
}

fn children<'a, 'input: 'a>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

fn text(node: Node<'_, '_>, name: &'static str) -> String {
    let mut nodes = children(node, name);
    nodes.next().and_then(|child| child.text()).unwrap_or_default().trim().to_owned()
}

fn alternates(url: Node<'_, '_>) -> Alternates {
    children(url, "link")
        .filter_map(|link| {
            Some((link.attribute("hreflang")?.into(), link.attribute("href")?.into()))
        })
        .collect()
}

/// Whether a text is a date, or a time, that is not in the future. A date names no time zone, so it
/// may be the current one of any.
fn is_past(date: &str, now: DateTime<Utc>) -> bool {
    let latest = (now + MOST_AHEAD).date_naive();
    let day = NaiveDate::parse_from_str(date.get(..10).unwrap_or_default(), "%Y-%m-%d");
    day.is_ok_and(|day| day <= latest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "https://p.example";

    fn file(urls: &str) -> String {
        format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">{urls}</urlset>"#
        )
    }

    fn evening() -> DateTime<Utc> {
        "2026-11-24T23:30:00Z".parse().unwrap()
    }

    fn findings(urls: &str) -> Vec<(Rule, String)> {
        let (mut sitemap, mut results) = (Sitemap::default(), RuleResults::default());
        sitemap.take("a.xml", &file(urls), ORIGIN, evening());
        sitemap.check(&mut results);
        results.findings.into_iter().map(|finding| (finding.rule, finding.found)).collect()
    }

    #[test]
    fn sitemap_entries_keep_address_and_alternates() {
        let mut sitemap = Sitemap::default();
        let url = r#"<url><loc>https://p.example/serveur/astra</loc><xhtml:link rel="alternate" hreflang="en-US" href="https://p.example/en/server/astra"/></url>"#;
        sitemap.take("a.xml", &file(url), ORIGIN, evening());
        let address = "https://p.example/serveur/astra";
        assert!(sitemap.names(address) && !sitemap.names("https://p.example/"));
        assert_eq!(sitemap.sample("server"), Some(address));
        let other = ("en-US".to_owned(), "https://p.example/en/server/astra".to_owned());
        assert_eq!(sitemap.alternates(address), Some(&vec![other]));
    }

    #[test]
    fn sitemap_faults_are_reported_with_their_address() {
        let url =
            |loc: &str, day: &str| format!("<url><loc>{loc}</loc><lastmod>{day}</lastmod></url>");
        let fine = url("https://p.example/", "2026-11-24");
        assert_eq!(findings(&fine), []);
        assert_eq!(findings(&url("https://p.example/", "2026-11-25")), [], "today in Paris");
        assert_eq!(
            findings(&format!("{fine}{fine}")),
            [(Rule::SitemapOnce, "https://p.example/".into())]
        );
        assert_eq!(
            findings(&url("https://p.example/", "2026-11-26")),
            [(Rule::SitemapDates, "https://p.example/ 2026-11-26".into())]
        );
        assert_eq!(
            findings(&url("https://p.example.evil/", "2026-11-24")),
            [(Rule::SitemapOrigin, "https://p.example.evil/".into())]
        );
        assert_eq!(findings("<url>"), [(Rule::SitemapRead, "a.xml".into())]);
    }

    #[test]
    fn first_and_last_numbered_files_are_read() {
        let all: Vec<String> = ["pages", "servers-1", "servers-2", "servers-10"]
            .map(|name| format!("https://p.example/sitemaps/{name}.xml"))
            .into();
        assert_eq!(ends(&all), [&*all[0], &*all[1], &*all[3]]);
    }

    #[test]
    fn robots_txt_uses_the_wildcard_group() {
        let text = "User-agent: X\nDisallow: /x\nUser-agent: *\nDisallow: /admin\nSitemap: s\n";
        assert_eq!(robots(text), (vec!["/admin".to_owned()], Some("s".to_owned())));
    }
}
