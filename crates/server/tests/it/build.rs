//! The tests reuse what `just up` compiles, since both resolve to the same features.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Crates and the features each is compiled with, as `cargo tree` resolves the arguments.
fn features(arguments: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["tree", "--offline", "--prefix", "none", "--format", "{p}|{f}"]).args(arguments);
    let output = cargo.current_dir(super::walls::root()).output().expect("cargo answers");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("names are text");
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, list) in text.lines().filter_map(|line| line.split_once('|')) {
        let list = list.trim_end_matches(" (*)").split(',').map(str::to_owned);
        all.entry(name.to_owned()).or_default().extend(list);
    }
    all
}

#[test]
fn up_and_tests_share_compiled_dependencies() {
    let up = features(&["--edges", "normal,no-proc-macro", "-p", "server", "-F", "test-build"]);
    let tests = features(&["--edges", "normal,dev,no-proc-macro", "--workspace"]);
    let differing: Vec<_> = up
        .iter()
        .filter(|(name, _)| !name.starts_with("server "))
        .filter_map(|(name, features)| Some((name, features, tests.get(name)?)))
        .filter(|(_, features, tested)| features != tested)
        .collect();
    assert!(differing.is_empty(), "the feature `test-build` lacks something: {differing:#?}");
}
