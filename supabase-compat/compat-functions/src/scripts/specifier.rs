//! Substitutes for modules that are usually imported from the web.
//!
//! Packages that also exist on npm are imported from there, through the registry that an operator
//! has configured. Shims of ours replace the few modules of the old standard library that functions
//! usually import. All other modules are imported from their own address.

/// The substitute of a module.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ModuleSubstitute {
    /// An npm package, as an `npm:` specifier.
    Npm(String),
    /// A file beside the prelude.
    Shim(&'static str),
}

/// The substitute for a specifier, if there is one.
pub(super) fn stand_in(specifier: &str) -> Option<ModuleSubstitute> {
    if let Some(package) = specifier.strip_prefix("jsr:") {
        return from_jsr(package.trim_start_matches('/'));
    }
    let (host, path) = specifier.strip_prefix("https://")?.split_once('/')?;
    let path = path.split(['?', '#']).next()?;
    match host {
        "deno.land" => from_deno_land(path),
        "esm.sh" | "esm.run" | "cdn.skypack.dev" => {
            let path = path.strip_prefix("-/").unwrap_or(path);
            let unpinned = path.split_once('/').filter(|(head, _)| is_build(head));
            npm(unpinned.map_or(path, |(_, rest)| rest).trim_start_matches('*'))
        }
        "cdn.jsdelivr.net" => npm(path.strip_prefix("npm/")?.strip_suffix("/+esm")?),
        _ => None,
    }
}

/// `@supabase/…` is on npm under the same name.
fn from_jsr(package: &str) -> Option<ModuleSubstitute> {
    let (scope, rest) = package.split_once('/')?;
    let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
    let bare = name.split('@').next()?;
    match (scope, bare, path) {
        ("@supabase", "functions-js", path) if path.ends_with(".d.ts") => {
            Some(ModuleSubstitute::Shim("empty.js"))
        }
        ("@supabase", ..) => npm(package),
        ("@std", "encoding", "base64") => Some(ModuleSubstitute::Shim("base64.js")),
        ("@std", "encoding", "hex") => Some(ModuleSubstitute::Shim("hex.js")),
        ("@std", "dotenv", "load") => Some(ModuleSubstitute::Shim("empty.js")),
        _ => None,
    }
}

fn from_deno_land(path: &str) -> Option<ModuleSubstitute> {
    let path = path.strip_prefix("x/xhr").map_or(path, |_| "xhr");
    if path == "xhr" {
        return Some(ModuleSubstitute::Shim("empty.js"));
    }
    let (head, module) = path.split_once('/')?;
    if head != "std" && !head.starts_with("std@") {
        return None;
    }
    match module {
        "http/server.ts" => Some(ModuleSubstitute::Shim("serve.js")),
        "encoding/base64.ts" => Some(ModuleSubstitute::Shim("base64.js")),
        "encoding/hex.ts" => Some(ModuleSubstitute::Shim("hex.js")),
        "dotenv/load.ts" => Some(ModuleSubstitute::Shim("empty.js")),
        _ => None,
    }
}

/// `v135` and `stable` name a build of esm.sh.
fn is_build(head: &str) -> bool {
    let digits = head.strip_prefix('v').unwrap_or_default();
    head == "stable" || (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// An npm package with its version and path; `None` for the prefixes of other registries, which no
/// package has as its name.
fn npm(package: &str) -> Option<ModuleSubstitute> {
    let name = match package.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').filter(|(scope, _)| !scope.is_empty())?.1,
        None => package,
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"@/.-_~^+*<>=".contains(&byte);
    let foreign = ["gh/", "jsr/", "pr/"].iter().any(|prefix| package.starts_with(prefix));
    let starts = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let is_package = starts && !foreign && package.bytes().all(fits) && !package.contains("..");
    is_package.then(|| ModuleSubstitute::Npm(format!("npm:{package}")))
}

/// The quoted texts of a source that name a module on the web.
pub(super) fn named_in(source: &str) -> Vec<&str> {
    let mut specifiers = Vec::new();
    for scheme in ["jsr:", "https://"] {
        for (at, _) in source.match_indices(scheme) {
            let Some(quote) = source[..at].chars().next_back() else { continue };
            let rest = &source[at..];
            let end = rest.find(|character: char| character == quote || character.is_control());
            let Some(end) = end.filter(|_| matches!(quote, '"' | '\'' | '`')) else { continue };
            if rest[end..].starts_with(quote) && end <= 512 {
                specifiers.push(&rest[..end]);
            }
        }
    }
    specifiers.sort_unstable();
    specifiers.dedup();
    specifiers
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    #[test]
    fn usual_imports_resolve_to_npm_or_a_shim() {
        let npm = |package: &str| Some(ModuleSubstitute::Npm(format!("npm:{package}")));
        let shim = |name| Some(ModuleSubstitute::Shim(name));
        let table = [
            ("jsr:@supabase/functions-js/edge-runtime.d.ts", shim("empty.js")),
            ("jsr:@supabase/functions-js@2.4.1/edge-runtime.d.ts", shim("empty.js")),
            ("jsr:@supabase/supabase-js@2", npm("@supabase/supabase-js@2")),
            ("jsr:/@supabase/supabase-js@^2/cors", npm("@supabase/supabase-js@^2/cors")),
            ("jsr:@std/encoding@1/base64", shim("base64.js")),
            ("jsr:@std/path", None),
            ("https://esm.sh/@supabase/supabase-js@2.39.3", npm("@supabase/supabase-js@2.39.3")),
            ("https://esm.sh/v135/zod@3.22.4?target=deno", npm("zod@3.22.4")),
            ("https://esm.sh/*preact@10", npm("preact@10")),
            ("https://esm.sh/gh/somebody/thing", None),
            ("https://esm.sh/", None),
            ("https://cdn.skypack.dev/lodash", npm("lodash")),
            ("https://cdn.jsdelivr.net/npm/zod@3/+esm", npm("zod@3")),
            ("https://cdn.jsdelivr.net/npm/zod@3/lib/a.wasm", None),
            ("https://deno.land/std@0.168.0/http/server.ts", shim("serve.js")),
            ("https://deno.land/std/http/server.ts", shim("serve.js")),
            ("https://deno.land/std@0.190.0/path/mod.ts", None),
            ("https://deno.land/x/xhr@0.1.0/mod.ts", shim("empty.js")),
            ("https://deno.land/x/oak/mod.ts", None),
            ("https://example.org/mod.ts", None),
            ("./local.ts", None),
        ];
        for (specifier, expected) in table {
            assert_eq!(stand_in(specifier), expected, "{specifier}");
        }
    }

    #[test]
    fn specifiers_are_found_in_quotes_of_one_line() {
        let source = "import 'jsr:@a/b'; // https://example.org/x\n\
                      import x from \"https://esm.sh/zod\"\nconst y = 'https://never.ends\n'";
        assert_eq!(named_in(source), ["https://esm.sh/zod", "jsr:@a/b"]);
    }

    #[test]
    fn random_specifiers_resolve_to_npm_or_our_shims() {
        let words = "(jsr:|https://(esm.sh|deno.land|cdn.jsdelivr.net)/)?[a-z@/.:*?~^ é-]{0,40}";
        property_test("specifiers", words, |text: String| {
            for specifier in named_in(&format!("import '{text}'")) {
                assert!(text.contains(specifier), "{specifier}");
            }
            match stand_in(&text) {
                Some(ModuleSubstitute::Npm(package)) => {
                    assert!(package.starts_with("npm:"), "{package}");
                    assert!(!package.contains("..") && !package.contains(' '), "{package}");
                }
                Some(ModuleSubstitute::Shim(name)) => assert!(name.ends_with(".js")),
                None => {}
            }
        });
    }
}
