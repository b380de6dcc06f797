//! The import map of a function: its own entries, with substitutes for modules from the web.

use std::fs;
use std::path::{Path, PathBuf};

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value, json};
use url::Url;

use super::entry::Entry;
use super::specifier::{ModuleSubstitute, named_in, stand_in};

/// The longest source that is searched for imports; nobody writes a longer one.
const LONGEST_SOURCE: u64 = 1024 * 1024;
const SOURCES: [&str; 7] = ["ts", "tsx", "mts", "js", "jsx", "mjs", "cts"];

/// Why a function's settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum MapError {
    /// A file that cannot be read.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// A file that is not an object in JSON with comments.
    #[error("{}: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
}

/// The import map of an entry. `files` contains the sources to search for imports; `shims` is the
/// folder of the shims.
pub(super) fn import_map(
    entry: &Entry,
    files: &[PathBuf],
    shims: &Path,
) -> Result<Value, MapError> {
    let mut map = own(entry)?;
    let imports = map.imports.clone();
    for file in files.iter().filter(|file| is_source(file)) {
        let short = fs::metadata(file).is_ok_and(|facts| facts.len() <= LONGEST_SOURCE);
        let Some(source) = short.then(|| fs::read_to_string(file).ok()).flatten() else { continue };
        add_stand_ins(&mut map, &source, shims);
    }
    for scope in map.scopes.values_mut().filter_map(Value::as_object_mut) {
        replace(scope, shims);
    }
    replace(&mut map.imports, shims);
    if let Some(folder) = entry.config.as_deref().and_then(Path::parent) {
        repeat_for_files(&mut map, &imports, files, folder);
    }
    Ok(json!({ "imports": map.imports, "scopes": map.scopes }))
}

/// The two parts of an import map.
#[derive(Debug, Default, PartialEq)]
struct Maps {
    imports: Map<String, Value>,
    scopes: Map<String, Value>,
}

/// The import map of the function's own settings, with absolute addresses.
fn own(entry: &Entry) -> Result<Maps, MapError> {
    let (path, settings) = match (&entry.config, &entry.import_map) {
        (Some(path), _) => (path, read(path)?),
        (None, Some(path)) => (path, read(path)?),
        (None, None) => return Ok(Maps::default()),
    };
    // A deno.json may refer to a separate import map.
    let other = settings.get("importMap").and_then(Value::as_str);
    match (other, path.parent()) {
        (Some(other), Some(folder))
            if entry.config.is_some() && !settings.contains_key("imports") =>
        {
            let path = folder.join(other);
            read(&path).map(|settings| maps(&settings, &path))
        }
        _ => {
            let mut maps = maps(&settings, path);
            for (name, target) in entry.config.as_deref().map(of_workspace).unwrap_or_default() {
                maps.imports.entry(name).or_insert(target);
            }
            Ok(maps)
        }
    }
}

/// The imports of the workspace that a `deno.json` is a member of. Deno ignores them when it is
/// given an import map.
fn of_workspace(config: &Path) -> Map<String, Value> {
    let folders = config.ancestors().skip(2);
    let roots =
        folders.flat_map(|folder| ["deno.json", "deno.jsonc"].map(|name| folder.join(name)));
    // Files further up may belong to anyone, so those that cannot be read are skipped.
    let mut read = roots.filter_map(|path| read(&path).ok().map(|settings| (path, settings)));
    let workspace = read.find(|(_, settings)| settings.contains_key("workspace"));
    workspace.map(|(path, settings)| maps(&settings, &path).imports).unwrap_or_default()
}

/// Repeats the substituted imports of a `deno.json` for each source below its `folder`, as a scope
/// of that file. In Deno a workspace member's imports override the given map within its folder, but
/// not the scope of a single file.
fn repeat_for_files(
    map: &mut Maps,
    imports: &Map<String, Value>,
    files: &[PathBuf],
    folder: &Path,
) {
    let is_scoped = |name: &String| {
        map.scopes.values().filter_map(Value::as_object).any(|scope| scope.contains_key(name))
    };
    let others = map.imports.iter().filter(|(name, target)| {
        imports.get(*name).is_some_and(|before| before != *target) && !is_scoped(name)
    });
    let others: Map<_, _> = others.map(|(name, target)| (name.clone(), target.clone())).collect();
    let within = |file: &&PathBuf| is_source(file) && file.starts_with(folder);
    for file in files.iter().filter(within).filter(|_| !others.is_empty()) {
        if let Ok(file) = Url::from_file_path(file) {
            map.scopes.entry(file).or_insert_with(|| Value::Object(others.clone()));
        }
    }
}

fn read(path: &Path) -> Result<Map<String, Value>, MapError> {
    let text = fs::read_to_string(path)
        .map_err(|source| MapError::File { path: path.to_owned(), source })?;
    object(&text).map_err(|reason| MapError::Format { path: path.to_owned(), reason })
}

/// Parses an object in JSON with comments; an empty text is an empty object.
fn object(text: &str) -> Result<Map<String, Value>, String> {
    let value: Option<Value> =
        parse_to_serde_value(text, &ParseOptions::default()).map_err(|error| error.to_string())?;
    match value {
        Some(Value::Object(object)) => Ok(object),
        None => Ok(Map::new()),
        Some(_) => Err("not an object".to_owned()),
    }
}

/// The import map in settings that were read from `path`.
fn maps(settings: &Map<String, Value>, path: &Path) -> Maps {
    let base = Url::from_file_path(path).ok();
    let part = |name: &str| settings.get(name).and_then(Value::as_object).cloned();
    let scopes = part("scopes").unwrap_or_default().into_iter().filter_map(|(prefix, inner)| {
        let inner = resolve_all(inner.as_object()?, base.as_ref());
        Some((address(&prefix, base.as_ref()), Value::Object(inner)))
    });
    Maps {
        imports: resolve_all(&part("imports").unwrap_or_default(), base.as_ref()),
        scopes: scopes.collect(),
    }
}

/// Resolves relative addresses against `base`. As in a `deno.json`, an entry for a package also
/// covers the paths below it.
fn resolve_all(imports: &Map<String, Value>, base: Option<&Url>) -> Map<String, Value> {
    let mut all = Map::new();
    for (key, target) in imports {
        let Some(target) = target.as_str() else { continue };
        let below = format!("{key}/");
        let package = ["npm:", "jsr:"].into_iter().find(|scheme| target.starts_with(scheme));
        if let (Some(scheme), false, false) =
            (package, key.ends_with('/'), imports.contains_key(&below))
        {
            let rest = target[scheme.len()..].trim_start_matches('/');
            all.insert(below, format!("{scheme}/{rest}/").into());
        }
        all.insert(address(key, base), address(target, base).into());
    }
    all
}

/// Resolves a relative address; returns any other unchanged.
fn address(text: &str, base: Option<&Url>) -> String {
    let is_relative = ["./", "../", "/"].iter().any(|start| text.starts_with(start));
    let joined = base.filter(|_| is_relative).and_then(|base| base.join(text).ok());
    joined.map_or_else(|| text.to_owned(), Into::into)
}

/// Adds substitutes for modules that a source imports and the map does not name.
fn add_stand_ins(map: &mut Maps, source: &str, shims: &Path) {
    for specifier in named_in(source) {
        if let Some(stand_in) = stand_in(specifier) {
            map.imports.entry(specifier).or_insert_with(|| target(stand_in, shims).into());
        }
    }
}

/// Replaces targets by their substitutes.
fn replace(imports: &mut Map<String, Value>, shims: &Path) {
    for value in imports.values_mut() {
        let mapped = value.as_str().and_then(|text| match text.strip_suffix('/') {
            // A key that ends with a slash needs such a target, which only packages have.
            Some(text) => match stand_in(text) {
                Some(ModuleSubstitute::Npm(package)) => {
                    Some(format!("{}/", package.replacen("npm:", "npm:/", 1)))
                }
                _ => None,
            },
            None => stand_in(text).map(|stand_in| target(stand_in, shims)),
        });
        if let Some(mapped) = mapped {
            *value = mapped.into();
        }
    }
}

fn target(stand_in: ModuleSubstitute, shims: &Path) -> String {
    match stand_in {
        ModuleSubstitute::Npm(package) => package,
        ModuleSubstitute::Shim(name) => {
            Url::from_file_path(shims.join(name)).map_or_else(|()| name.to_owned(), Into::into)
        }
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| SOURCES.contains(&end))
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    fn of(text: &str) -> Maps {
        let mut maps = maps(&object(text).unwrap(), Path::new("/f/hello/deno.json"));
        replace(&mut maps.imports, Path::new("/shims"));
        maps
    }

    #[test]
    fn addresses_become_whole_and_packages_lead_below_themselves() {
        let text = r#"{
            // what it needs
            "imports": {
                "@shared/": "../_shared/",
                "zod": "npm:zod@3",
                "supabase": "jsr:@supabase/supabase-js@2",
                "serve": "https://deno.land/std@0.168.0/http/server.ts",
                "odd": 7,
            },
        }"#;
        let expected = json!({
            "@shared/": "file:///f/_shared/",
            "zod/": "npm:/zod@3/",
            "zod": "npm:zod@3",
            "supabase/": "npm:/@supabase/supabase-js@2/",
            "supabase": "npm:@supabase/supabase-js@2",
            "serve": "file:///shims/serve.js",
        });
        assert_eq!(Value::Object(of(text).imports), expected);
    }

    #[test]
    fn own_import_entry_overrides_the_substitute() {
        let mut map = of(r#"{"imports": {"jsr:@supabase/supabase-js@2": "./mine.ts"}}"#);
        let source = "import 'jsr:@supabase/supabase-js@2'\nimport 'https://esm.sh/zod@3'";
        add_stand_ins(&mut map, source, Path::new("/shims"));
        assert_eq!(map.imports["jsr:@supabase/supabase-js@2"], "file:///f/hello/mine.ts");
        assert_eq!(map.imports["https://esm.sh/zod@3"], "npm:zod@3");
    }

    #[test]
    fn workspace_members_share_its_imports_and_substitutes() {
        let folder = std::env::temp_dir().join(format!("compat-imports-{}", std::process::id()));
        let member = folder.join("functions/f");
        fs::create_dir_all(&member).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write(
            "deno.jsonc",
            r#"{"workspace": ["functions/*"], "imports": {
            "sb": "jsr:@supabase/a@2", "own": "jsr:@supabase/root@1", "z": "npm:zod@3"}}"#,
        );
        write(
            "functions/f/deno.json",
            r#"{"imports": {"own": "jsr:@supabase/b@1", "x": "./x.ts"}}"#,
        );
        let entry = Entry {
            main: member.join("index.ts"),
            config: Some(member.join("deno.json")),
            import_map: None,
        };
        let files = [member.join("index.ts"), member.join("deno.json"), folder.join("shared.ts")];
        let map = import_map(&entry, &files, Path::new("/shims"));
        fs::remove_dir_all(&folder).unwrap();
        let map = map.unwrap();
        let imports = &map["imports"];
        let targets = ["sb", "own", "own/", "z"].map(|name| imports[name].as_str().unwrap());
        let expected =
            ["npm:@supabase/a@2", "npm:@supabase/b@1", "npm:/@supabase/b@1/", "npm:zod@3"];
        assert_eq!(targets, expected);
        let source = Url::from_file_path(member.join("index.ts")).unwrap();
        let scopes = json!({source.as_str(): {
            "sb": "npm:@supabase/a@2", "sb/": "npm:/@supabase/a@2/",
            "own": "npm:@supabase/b@1", "own/": "npm:/@supabase/b@1/",
        }});
        assert_eq!(map["scopes"], scopes);
    }

    #[test]
    fn import_map_that_is_no_object_is_refused() {
        for text in ["[]", "{", "7", "{\"a\":}"] {
            assert!(object(text).is_err(), "{text}");
        }
        assert_eq!(object(" // nothing"), Ok(Map::new()));
    }

    #[test]
    fn random_settings_give_a_map_or_a_refusal() {
        let words =
            "(\\{|\\}|\"imports\"|\"scopes\"|:|,|\"[a-z:/.@]{0,9}\"|/\\*|\\*/|//|[ \n]|é){0,30}";
        property_test("deno_json", words, |text: String| {
            let Ok(settings) = object(&text) else { return };
            let mut map = maps(&settings, Path::new("/f/hello/deno.json"));
            replace(&mut map.imports, Path::new("/shims"));
            assert!(map.imports.values().all(Value::is_string));
            assert!(map.scopes.values().all(Value::is_object));
        });
    }
}
