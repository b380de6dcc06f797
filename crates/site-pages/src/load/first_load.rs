//! What a build says of its first loads (`first-load.json`, written by the build): for each page
//! the texts it shows, the code it runs and the rows it asks for, so that the server can write the
//! one into the HTML and announce the other there.
//!
//! A build without that file is served all the same; its pages then fetch everything themselves.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use crate::html::in_script;
use crate::load::build::Build;
use page_registry::Language;

/// Where a build keeps it.
const FILE: &str = "first-load.json";

/// What is loaded first, by page.
#[derive(Default)]
pub struct FirstLoad {
    table: Table,
    /// Texts as they stand in a page, by their file.
    texts: Mutex<HashMap<String, Arc<str>>>,
}

#[derive(Debug, Default, Deserialize)]
struct Table {
    /// Files of texts by language and namespace.
    texts: BTreeMap<String, BTreeMap<String, String>>,
    /// By the page's key in the registry, for pages of shortcuts with the word behind a slash.
    pages: BTreeMap<String, PageLoad>,
}

/// What one page loads first.
#[derive(Debug, Default, Deserialize)]
pub struct PageLoad {
    /// Namespaces of its texts.
    texts: Vec<String>,
    /// Scripts it imports beyond those that every page does.
    scripts: Vec<String>,
    /// Style sheets of its own.
    styles: Vec<String>,
    /// The rows it asks for.
    #[serde(default)]
    pub rows: Vec<RowsRequest>,
}

/// A question to rest/v1, as the pages' client asks it.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RowsRequest {
    /// Path below `/rest/v1/` and query, decoded; `{name}` stands for a parameter of the page's
    /// address.
    pub get: String,
    /// The headers that decide the answer's form.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Set for a list: then the question has neither order nor range.
    #[serde(default)]
    pub list: Option<ListRange>,
    /// Whether the answer says how many rows the page's list has.
    #[serde(default)]
    pub total: bool,
}

/// The order of a list, and how much of it a page shows.
#[derive(Debug, Clone, Deserialize)]
pub struct ListRange {
    /// As rest/v1 takes it.
    pub order: String,
    /// Rows on a page.
    pub limit: u32,
}

impl FirstLoad {
    /// Reads what a build says.
    pub async fn read(build: &Build) -> Option<Self> {
        let file = build.file(FILE).await?;
        let table = serde_json::from_slice(&file.bytes)
            .inspect_err(|error| tracing::error!(%error, "{FILE} unreadable"))
            .ok()?;
        Some(Self { table, texts: Mutex::default() })
    }

    /// What the page of this key loads.
    pub fn page(&self, key: &str) -> Option<&PageLoad> {
        self.table.pages.get(key)
    }

    /// The page's texts, as JSON for a script element: namespaces by language.
    pub async fn texts(&self, page: &PageLoad, language: Language, build: &Build) -> String {
        let Some(files) = self.table.texts.get(language.code()) else { return "{}".to_owned() };
        let mut json = format!("{{\"{}\":{{", language.code());
        let mut separator = "";
        for namespace in &page.texts {
            // One that cannot be read is fetched by the page.
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
    /// Elements for the head that have the page's own script fetched with the page itself, after
    /// what is painted first.
    pub fn preloads(&self) -> String {
        let link = |file: &String| {
            format!(
                "<link rel=\"modulepreload\" fetchpriority=\"low\" crossorigin href=\"/{file}\" />\n"
            )
        };
        self.scripts.iter().map(link).collect()
    }

    /// Elements for the end of the body, where they hold up the script and not what is painted
    /// before it.
    pub fn style_sheets(&self) -> String {
        let link =
            |file: &String| format!("<link rel=\"stylesheet\" crossorigin href=\"/{file}\" />\n");
        self.styles.iter().map(link).collect()
    }
}
