//! Embeds the documentation for the tool `search_docs`. This folder must build alone: without the
//! documentation beside it, the program has none to search.

use std::path::Path;
use std::{env, fs};

/// The pages about the services.
const PAGES: [&str; 13] = [
    "console.md",
    "mcp.md",
    "compatibility.md",
    "operations.md",
    "distribution.md",
    "design/database.md",
    "design/functions.md",
    "design/mail.md",
    "design/outgoing.md",
    "design/realtime.md",
    "design/rest.md",
    "design/stack.md",
    "design/storage.md",
];

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut list = String::from("&[\n");
    for page in PAGES {
        let path = docs.join(page);
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_file() {
            list.push_str(&format!(
                "    (\"docs/{page}\", include_str!({:?})),\n",
                path.display().to_string()
            ));
        }
    }
    list.push_str("]\n");
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells a build script where to write by a variable"
    )]
    let out = env::var("OUT_DIR").expect("cargo names a folder");
    fs::write(Path::new(&out).join("pages.rs"), list).expect("the list of pages is written");
}
