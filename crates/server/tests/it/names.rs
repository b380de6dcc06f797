//! Checks the names that `docs/house-style.md` section 1 asks for on the source text: types are
//! nouns, and one name has one meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use crate::walls::{root, sources};

/// Type names that are refused: participles, and metaphors that a reader cannot guess.
/// `scripts/measure-code` reads this list, too.
const DENIED: &str = "\
    Addressed Alone Announced Arrived Arriving Around Asked Begin Begun Brought Chosen Closed \
    Come Drained Drawn Due Ear Edge Fate Forgiving Found Given Gone Got Ground Hall Hands \
    Heard Held Home Journal Kept Known Left Leg Lent Lying Made Maker Manner Mender Misfit \
    Offer Outside Own Paid Piece Pieces Said Seen Sent Shown Slow Spent Stand Standing Taken \
    Tell Told Tongue Tide Trouble Truth Undrawn Unheard Unset Unsent Unwritten Veil Via Visit \
    Want Way Weather Who Wish Workshop Written";

/// Verbs, participles, pronouns and metaphors that are refused as the name of a variable,
/// parameter, field or function. Use the noun instead: reply, message, request, value, row, caller,
/// timeout.
const DENIED_LOWER: &str = "\
    anybody asked asker asking begun brought come detour doomed everybody fate given gone got heard \
    hearer hears kept looked lying made nobody noted owed patience said shown somebody spoken \
    stranger telling told tried truth unasked untold who whoever whole wish wishes";

/// Nouns that look like a participle, and are allowed.
const NOUNS: &str = "\
    Binding Embed Finding Greeting Handling Outgoing Rating Reading Rendering Setting Shared \
    Spelling Timing Wording";

/// Participles that the glossary defines.
const DOCUMENTED: &str = "Acting";

/// Names that several crates may export, with their common meaning.
const SHARED: &[(&str, &str)] = &[
    ("CaptchaConfig", "the settings of a service's captcha"),
    ("CaptchaProvider", "the service that verifies captcha answers"),
    ("Config", "the settings of a service"),
    ("Job", "a periodic job of compat-pg, with the state of a service"),
    ("RateLimitConfig", "a type of compat-http, which ranking exports again"),
    ("Refusal", "every refusal of a service of the site"),
    ("State", "what the handlers of a service run with"),
];

#[test]
fn types_are_named_by_nouns() {
    let mut found = BTreeSet::new();
    for file in sources(&root()).into_iter().filter(|file| is_rust(file)) {
        let text = std::fs::read_to_string(&file).expect("a text");
        for name in text.lines().filter_map(type_name).filter(|name| is_refused(name)) {
            if !is_in(DOCUMENTED, name) {
                found.insert(format!("{name} in {}", file.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn identifiers_contain_no_denied_words() {
    let mut found = BTreeSet::new();
    for file in sources(&root()).into_iter().filter(|file| is_rust(file)) {
        let text = std::fs::read_to_string(&file).expect("a text");
        let tokens: TokenStream = text.parse().expect("Rust");
        for name in identifiers(tokens).into_iter().filter(|name| is_in(DENIED_LOWER, name)) {
            found.insert(format!("{name} in {}", file.display()));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn exported_names_have_one_meaning() {
    let mut crates: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["crates", "supabase-compat"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let Ok(text) = std::fs::read_to_string(path.join("src/lib.rs")) else { continue };
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            for export in exports(&text) {
                crates.entry(export).or_default().push(name.clone());
            }
        }
    }
    assert!(crates.len() > 100, "only {} names were found", crates.len());
    let several: BTreeMap<_, _> = crates
        .into_iter()
        .filter(|(name, owners)| {
            owners.len() > 1 && !SHARED.iter().any(|(shared, _)| shared == name)
        })
        .collect();
    assert!(several.is_empty(), "{several:#?}");
}

#[test]
fn property_tests_are_named_random() {
    for file in sources(&root()).into_iter().filter(|file| is_rust(file)) {
        if file.ends_with("compat-testkit/src/property_test.rs") || file.ends_with("it/names.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a text");
        let mut function = "";
        for line in text.lines() {
            if let Some((_, rest)) = line.split_once("fn ") {
                function = rest.split(|c: char| !is_word(c)).next().unwrap_or_default();
            }
            let calls = line.contains("property_test(") || line.contains("property_test_async(");
            // `just fuzz` selects property tests by this prefix.
            assert!(!calls || function.starts_with("random_"), "{}: {function}", file.display());
        }
    }
}

#[test]
fn participles_are_seen_however_they_are_declared() {
    for line in
        ["pub(crate) struct Told<'a> {", "    enum Moved {", "type Kept = u8;", "trait Waiting {}"]
    {
        assert!(type_name(line).is_some_and(is_refused), "{line}");
    }
    for line in
        ["struct Setting;", "struct QueuedCall;", "let told = Told;", "// struct Told", "Told,"]
    {
        assert!(!type_name(line).is_some_and(is_refused), "{line}");
    }
    let text = "fn f(told: &str) { g(|x| [x.said]); /* kept */ \"{gone}\" }";
    let names = identifiers(text.parse().expect("Rust"));
    assert_eq!(
        names.iter().filter(|name| is_in(DENIED_LOWER, name)).collect::<Vec<_>>(),
        ["said", "told"]
    );
    let text = "pub use a::{Bee, C as Dee, e};\npub use other_crate::X;\nmod a;\npub struct F;\n";
    assert_eq!(exports(text), ["Bee", "Dee", "F"]);
}

/// Every identifier in Rust code, without comments and literals.
fn identifiers(tokens: TokenStream) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => names.append(&mut identifiers(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    names
}

/// The name of the type that a line declares. Names in the implementation of a trait are given by
/// the trait.
fn type_name(line: &str) -> Option<&str> {
    let declared = line.trim_start();
    let declared = declared.strip_prefix("pub").map_or(declared, |rest| {
        let rest = rest.trim_start();
        if rest.starts_with('(') {
            rest.split_once(')').map_or("", |(_, rest)| rest.trim_start())
        } else {
            rest
        }
    });
    let (keyword, rest) = declared.split_once(' ')?;
    let is_type = match keyword {
        "struct" | "enum" | "trait" | "union" => true,
        "type" => !line.starts_with(' '),
        _ => false,
    };
    let name = rest.split(|c: char| !is_word(c)).next()?;
    (is_type && name.starts_with(|c: char| c.is_ascii_uppercase())).then_some(name)
}

fn is_refused(name: &str) -> bool {
    let is_one_word = name.chars().filter(char::is_ascii_uppercase).count() == 1;
    let is_participle = name.len() > 4 && (name.ends_with("ed") || name.ends_with("ing"));
    is_one_word && (is_in(DENIED, name) || is_participle) && !is_in(NOUNS, name)
}

fn is_in(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|word| word == name)
}

/// The types that the root of a crate exports from its own modules.
fn exports(text: &str) -> Vec<String> {
    let modules: BTreeSet<&str> = text.lines().filter_map(module).collect();
    let mut names: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("pub "))
        .filter_map(type_name)
        .map(str::to_owned)
        .collect();
    for (_, rest) in text.match_indices("pub use ").map(|(at, it)| text.split_at(at + it.len())) {
        let path = rest.split_once(';').map_or("", |(path, _)| path);
        let first = path.split("::").next().unwrap_or_default();
        if !modules.contains(first) {
            continue;
        }
        let items = path.split_once('{').map_or_else(
            || path.rsplit("::").next().unwrap_or_default(),
            |(_, items)| items.trim_end().trim_end_matches('}'),
        );
        for item in items.split(',').map(str::trim) {
            let name = item.rsplit(' ').next().unwrap_or_default();
            if name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().any(|c| c.is_ascii_lowercase())
            {
                names.push(name.to_owned());
            }
        }
    }
    names.sort();
    names
}

fn module(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    line.strip_prefix("mod ")?.strip_suffix(';')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|kind| kind == "rs")
}
