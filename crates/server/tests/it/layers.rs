//! Checks the layers inside a service (`docs/house-style.md` section 3) on the source text: wire
//! calls flow, flow calls store, never back.

use std::path::{Path, PathBuf};

use crate::walls::{root, sources};

/// A layer's modules, and the modules of its own crate and the foreign crates that it must not
/// name.
struct Layer {
    modules: &'static [&'static str],
    never: &'static [&'static str],
    foreign: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    Layer { modules: &["wire"], never: &["store"], foreign: &["sqlx"] },
    Layer {
        modules: &["flow", "guard", "hook", "outbox", "account", "pending"],
        never: &["wire", "router"],
        foreign: &["axum", "http"],
    },
    Layer {
        modules: &["store"],
        never: &["flow", "guard", "hook", "outbox", "account", "wire", "router", "state"],
        foreign: &["axum", "http"],
    },
    Layer {
        modules: &["model"],
        never: &["flow", "guard", "hook", "outbox", "account", "wire", "router", "state", "store"],
        foreign: &["axum", "http"],
    },
];

/// Files that may name a foreign crate, with the reason.
const ALLOWED_FILES: &[(&str, &str)] = &[
    ("compat-functions/src/flow/admit.rs", "it reads the caller's API key from the headers"),
    ("compat-functions/src/flow/invoke.rs", "a function returns an HTTP response"),
    ("compat-functions/src/model.rs", "a function receives an HTTP request"),
];

#[test]
fn layers_depend_downward_from_wire_to_store() {
    let mut breaches = Vec::new();
    let mut looked_at = 0;
    for service in services() {
        for layer in LAYERS {
            for file in files_of(&service, layer) {
                looked_at += 1;
                breaches.extend(breaches_of(layer, &file));
            }
        }
    }
    assert!(looked_at > 100, "only {looked_at} files were found");
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn a_breach_is_seen_however_it_is_written() {
    for line in [
        "use crate::wire::asking;",
        "use super::wire;",
        "use crate::{error, wire::x};",
        "wire::f()",
    ] {
        assert!(names_module(line, "wire"), "{line}");
    }
    for line in ["let wire = 1;", "use crate::rewire::x;", "// crate::wire", "\"a wire\""] {
        assert!(!names_module(line, "wire"), "{line}");
    }
    assert!(names_crate("use http::Method;", "http") && names_crate("x: ::http::Uri", "http"));
    for line in ["use compat_http::ServiceEnvironment;", "use super::http::ask;", "/// http::Uri"] {
        assert!(!names_crate(line, "http"), "{line}");
    }
}

/// The source folders of all crates that have layers.
fn services() -> Vec<PathBuf> {
    let folder = |name: &str| root().join(name);
    let inside = |folder: PathBuf| std::fs::read_dir(folder).expect("a folder");
    inside(folder("supabase-compat"))
        .chain(inside(folder("crates")))
        .map(|entry| entry.expect("an entry").path().join("src"))
        .filter(|src| src.is_dir())
        .collect()
}

/// `src/<module>.rs` and everything below `src/<module>/`.
fn files_of(src: &Path, layer: &Layer) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for module in layer.modules {
        let (file, folder) = (src.join(format!("{module}.rs")), src.join(module));
        found.extend(file.is_file().then_some(file));
        found.extend(if folder.is_dir() { sources(&folder) } else { Vec::new() });
    }
    found
}

fn breaches_of(layer: &Layer, file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a text");
    let is_allowed = ALLOWED_FILES.iter().any(|(allowed_file, _)| file.ends_with(allowed_file));
    let foreign = if is_allowed { &[][..] } else { layer.foreign };
    let names = |line: &str| {
        layer.never.iter().any(|module| names_module(line, module))
            || foreign.iter().any(|name| names_crate(line, name))
    };
    // The tests inside a file belong to no layer.
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate().filter(|(_, line)| names(line));
    lines
        .map(|(number, line)| format!("{}:{}: {}", file.display(), number + 1, line.trim()))
        .collect()
}

/// Whether a line of code names a module of its own crate.
fn names_module(line: &str, module: &str) -> bool {
    let line = code(line);
    occurrences(line, module).any(|at| {
        let (before, after) = (&line[..at], &line[at + module.len()..]);
        let is_path = after.starts_with("::");
        let from_root = before.ends_with("crate::") || before.ends_with("super::");
        let among_others = before.contains("crate::{") || before.contains("super::{");
        from_root || among_others || (is_path && !before.ends_with(':'))
    })
}

/// Whether a line of code names another crate.
fn names_crate(line: &str, name: &str) -> bool {
    let line = code(line);
    occurrences(line, name).any(|at| {
        let before = &line[..at];
        let is_root = !before.ends_with(':') || before.ends_with(" ::");
        is_root && line[at + name.len()..].starts_with("::")
    })
}

/// The line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The positions at which a whole word occurs in a line.
fn occurrences<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
