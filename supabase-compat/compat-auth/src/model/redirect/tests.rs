use compat_testkit::property_test;
use proptest::prelude::*;

use super::*;

fn rules(site: &str, globs: &[&str]) -> RedirectRules {
    RedirectRules::new(site, &globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>())
}

#[test]
fn the_site_itself_is_allowed_with_any_path() {
    let rules = rules("https://example.com/app", &[]);
    assert!(rules.allows("https://example.com/welcome?a=b#c"));
    assert!(rules.allows("https://example.com:443/"));
    for candidate in [
        "http://example.com/",
        "https://example.com:8443/",
        "https://evil.com/",
        "https://example.com.evil.com/",
        "https://example.com@evil.com/",
        "https://evil.com\\@example.com/",
        "/relative",
        "",
        "javascript:alert(1)",
    ] {
        assert!(!rules.allows(candidate), "{candidate}");
    }
}

#[test]
fn on_the_loopback_the_port_is_free() {
    let rules = rules("http://localhost:3000", &[]);
    assert!(rules.allows("http://localhost:5173/back"));
    assert!(!rules.allows("http://127.0.0.1:3000/"));
}

#[test]
fn a_single_star_stops_at_dots_and_slashes() {
    let rules = rules("https://site.example", &["https://*.example.com/*"]);
    assert!(rules.allows("https://a.example.com/x"));
    assert!(rules.allows("https://a.example.com/"));
    assert!(!rules.allows("https://a.b.example.com/x"));
    assert!(!rules.allows("https://a.example.com/x/y"));
}

#[test]
fn a_double_star_does_not_stop() {
    let rules = rules("https://site.example", &["https://*.example.com/**", "myapp://**"]);
    assert!(rules.allows("https://a.example.com/x/y?z=1"));
    assert!(rules.allows("myapp://callback/deep"));
    assert!(!rules.allows("otherapp://callback"));
}

#[test]
fn classes_choices_and_single_characters_match() {
    let rules = rules("https://site.example", &["https://app[0-9].{dev,test}.example.com/?"]);
    assert!(rules.allows("https://app7.dev.example.com/a"));
    assert!(rules.allows("https://app7.test.example.com/b"));
    assert!(!rules.allows("https://appx.dev.example.com/a"));
    assert!(!rules.allows("https://app7.prod.example.com/a"));
}

#[test]
fn redirect_match_ignores_fragment_but_not_query() {
    let rules = rules("https://site.example", &["https://a.example/back"]);
    assert!(rules.allows("https://a.example/back#x"));
    assert!(!rules.allows("https://a.example/back?x=1"));
}

#[test]
fn addresses_are_allowed_on_the_loopback_only() {
    let rules = rules("https://site.example", &["http://**"]);
    assert!(rules.allows("http://127.0.0.1:3000/x"));
    assert!(rules.allows("http://[::1]:3000/x"));
    assert!(!rules.allows("http://192.168.1.1/x"));
    assert!(!rules.allows("http://2130706433/x"));
    assert!(!rules.allows("http://0x7f000001/x"));
}

#[test]
fn first_allowed_redirect_is_chosen_else_the_site() {
    let rules = rules("https://site.example", &[]);
    let candidates = ["https://evil.example/", "https://site.example/page"];
    assert_eq!(rules.choose(candidates), "https://site.example/page");
    assert_eq!(rules.choose(["https://evil.example/"]), "https://site.example");
}

#[test]
fn broken_globs_allow_nothing() {
    for pattern in ["", "https://[", "https://{a", "https://a}", "x\\"] {
        assert_eq!(Glob::parse(pattern), None, "{pattern}");
    }
}

#[test]
fn random_globs_allow_addresses_only() {
    let patterns = prop_oneof!["\\PC{0,40}", "[a-z:/.*?{},!\\[\\]\\\\-]{0,40}"];
    let texts = prop_oneof!["\\PC{0,60}", "[a-z:/.@#?&%\\\\]{0,60}"];
    property_test("globs", (patterns, texts), |(pattern, text)| {
        if let Some(glob) = Glob::parse(&pattern) {
            let _ = glob.matches(&text);
        }
        if rules("https://site.example", &[&pattern]).allows(&text) {
            assert!(url::Url::parse(&text).is_ok(), "{text}");
        }
    });
}

#[test]
fn a_glob_of_stars_takes_no_time() {
    let glob = Glob::parse(&"**".repeat(200)).unwrap();
    assert!(glob.matches(&"a/".repeat(4000)));
}

proptest! {
    #[test]
    fn a_pattern_without_special_characters_matches_itself_only(
        own in "[a-z:/.]{1,20}", other in "[a-z:/.]{1,20}",
    ) {
        let glob = Glob::parse(&own).unwrap();
        prop_assert!(glob.matches(&own));
        prop_assert_eq!(glob.matches(&other), own == other);
    }

    #[test]
    fn a_site_never_lets_another_host_through(host in "[a-z]{1,10}\\.[a-z]{2,5}", path in "\\PC{0,20}") {
        prop_assume!(host != "site.example");
        let rules = rules("https://site.example", &[]);
        let candidate = format!("https://{}/{}", host, path);
        prop_assert!(!rules.allows(&candidate));
    }
}
