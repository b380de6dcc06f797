//! The first loads of a build (`first-load.json`, written by the build): for each page the texts it
//! shows, the code it runs and the rows it requests. The server writes the texts and rows into the
//! HTML and lets the browser preload the code.
//!
//! A build without that file is served, too; its pages then fetch everything themselves.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use crate::html::in_script;
use crate::load::build::Build;
use page_registry::Language;

/// The name of the file in a build.
const FILE: &str = "first-load.json";

/// The first loads of all pages.
#[derive(Default)]
pub struct FirstLoad {
    table: Table,
    /// Cached texts as they are written into a page, by file name.
    texts: Mutex<HashMap<String, Arc<str>>>,
}

#[derive(Debug, Default, Deserialize)]
struct Table {
    /// The files of texts by language and namespace.
    texts: BTreeMap<String, BTreeMap<String, String>>,
    /// Pages by their key in the registry; the key of a shortcut is followed by a slash and its
    /// word.
    pages: BTreeMap<String, PageLoad>,
}

/// The first load of one page.
#[derive(Debug, Default, Deserialize)]
pub struct PageLoad {
    /// The namespaces of its texts.
    texts: Vec<String>,
    /// The scripts it imports beyond those that every page imports.
    scripts: Vec<String>,
    /// The style sheets that only this page needs.
    styles: Vec<String>,
    /// The requests for its rows.
    #[serde(default)]
    pub rows: Vec<RowsRequest>,
}

/// A request to rest/v1, as the pages' client sends it.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RowsRequest {
    /// The path below `/rest/v1/` and the query, decoded; `{name}` stands for a parameter of the
    /// page's address.
    pub get: String,
    /// The headers that determine the format of the answer.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Set for a list, whose order and range are not in the query.
    #[serde(default)]
    pub list: Option<ListRange>,
    /// Whether the answer says how many rows the page's list has.
    #[serde(default)]
    pub total: bool,
}

/// The order of a list, and how much of it a page shows.
#[derive(Debug, Clone, Deserialize)]
pub struct ListRange {
    /// The order in the syntax of rest/v1.
    pub order: String,
    /// The number of rows on a page.
    pub limit: u32,
}

impl FirstLoad {
    /// Reads the file of a build.
    pub async fn read(build: &Build) -> Option<Self> {
        let file = build.file(FILE).await?;
        let table = serde_json::from_slice(&file.bytes)
            .inspect_err(|error| tracing::error!(%error, "{FILE} unreadable"))
            .ok()?;
        Some(Self { table, texts: Mutex::default() })
    }

    /// The first load of the page with this key.
    pub fn page(&self, key: &str) -> Option<&PageLoad> {
        self.table.pages.get(key)
    }

    /// The page's texts, as JSON for a script element: namespaces by language.
    pub async fn texts(&self, page: &PageLoad, language: Language, build: &Build) -> String {
        let Some(files) = self.table.texts.get(language.code()) else { return "{}".to_owned() };
        let mut json = format!("{{\"{}\":{{", language.code());
        let mut separator = "";
        for namespace in &page.texts {
            // The page itself fetches a namespace that cannot be read here.
            if let Some(file) = files.get(namespace)
                && let Some(text) = self.text(file, build).await
            {
                let _ = write!(json, "{separator}\"{namespace}\":{text}");
                separator = ",";
            }
        }
        json.push_str("}}");
        json
    }

    async fn text(&self, name: &str, build: &Build) -> Option<Arc<str>> {
        let known = self.texts.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if known.is_some() {
            return known;
        }
        let file = build.file(name).await?;
        let text: Arc<str> = in_script(&serde_json::from_slice(&file.bytes).ok()?).into();
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.insert(name.to_owned(), Arc::clone(&text));
        Some(text)
    }
}

impl PageLoad {
    /// Elements for the head that preload the page's own scripts, with a lower priority than the
    /// content that is painted first.
    pub fn preloads(&self) -> String {
        let link = |file: &String| {
            format!(
                "<link rel=\"modulepreload\" fetchpriority=\"low\" crossorigin href=\"/{file}\" />\n"
            )
        };
        self.scripts.iter().map(link).collect()
    }

    /// Elements for the end of the body: there the style sheets delay the script, but not the
    /// content that is painted before it.
    pub fn style_sheets(&self) -> String {
        let link =
            |file: &String| format!("<link rel=\"stylesheet\" crossorigin href=\"/{file}\" />\n");
        self.styles.iter().map(link).collect()
    }
}
