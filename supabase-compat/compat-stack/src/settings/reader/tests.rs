//! The precedence of sources, empty values, and the mistakes that are reported at the end.

use std::time::Duration;

use super::*;

fn reader(variables: &[(&str, &str)], file: &str) -> Reader {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Reader::new(variables.iter().map(owned).collect(), &file.parse().expect("toml"))
}

#[test]
fn environment_overrides_file_and_default_is_fallback() {
    let mut both = reader(&[("SITE_URL", "https://a.example")], "[auth]\nsite_url = 'b'");
    assert_eq!(both.text(&["SITE_URL"], "auth.site_url").as_deref(), Some("https://a.example"));
    let mut file = reader(&[], "[auth]\nsite_url = 'b'");
    assert_eq!(file.text(&["SITE_URL"], "auth.site_url").as_deref(), Some("b"));
    let mut preset = reader(&[], "");
    preset.preset("auth.site_url", "c");
    assert_eq!(preset.text(&["SITE_URL"], "auth.site_url").as_deref(), Some("c"));
}

#[test]
fn empty_texts_and_lists_are_values() {
    let variables = [("TEXT", ""), ("LIST", ""), ("NUMBER", ""), ("FLAG", ""), ("SPAN", "")];
    let mut reader = reader(&variables, "number = 2");
    let mut text = "default".to_owned();
    let mut name = Some("default".to_owned());
    let mut list = vec!["default".to_owned()];
    let (mut number, mut flag, mut span) = (1_u32, true, Duration::from_secs(1));
    reader.over(&mut text, &["TEXT"], "text");
    reader.over(&mut name, &["TEXT"], "text");
    reader.over(&mut list, &["LIST"], "list");
    reader.over(&mut number, &["NUMBER"], "number");
    reader.over(&mut flag, &["FLAG"], "flag");
    reader.over(&mut span, &["SPAN"], "span");
    assert_eq!((text.as_str(), name, list), ("", None, Vec::new()));
    assert_eq!((number, flag, span), (2, true, Duration::from_secs(1)));
    assert_eq!(reader.finish(), Findings::default());
}

#[test]
fn a_file_may_point_at_a_variable() {
    let mut reader = reader(&[("MY_KEY", "k")], "[auth]\nsecret = 'env(MY_KEY)'");
    assert_eq!(reader.text(&[], "auth.secret").as_deref(), Some("k"));
    assert_eq!(reader.finish(), Findings::default());
}

#[test]
fn unset_variables_switch_off_their_feature() {
    let file = "[a]\nsecret = 'env(A)'\n[b]\nsecret = 'env(B)'\n[c]\nsecret = 'env(C)'\n\
                list = ['x', 'env(D)']";
    let mut reader = reader(&[], file);
    for key in ["a.secret", "b.secret"] {
        assert_eq!(reader.text(&[], key), None);
    }
    assert_eq!(reader.text(&[], "c.list").as_deref(), Some("x"));
    assert!(!reader.counts("a.", true), "on, and lacking");
    assert!(!reader.counts("b.", false), "off");
    reader.known("c.secret".to_owned());
    let found = reader.finish();
    assert_eq!(found.unset, ["A", "D"], "what is off lacks nothing");
    assert_eq!(found.problems, []);
}

#[test]
fn setting_errors_have_names_but_no_values() {
    let mut reader = reader(
        &[("PGRST_DB_MAX_ROWS", "many"), ("PGRST_DB_MAX_ROW", "9"), ("HOME", "/root")],
        "[api]\nport = 'x'\nprot = 1",
    );
    assert_eq!(reader.get::<u32>(&["PGRST_DB_MAX_ROWS"], "api.max_rows"), None);
    assert_eq!(reader.get::<u16>(&[], "api.port"), None);
    let found = reader.finish();
    let problems: Vec<_> = found.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "PGRST_DB_MAX_ROWS: expected a whole number",
            "api.port: expected a number from 0 to 65535",
            "PGRST_DB_MAX_ROW: expected another name: there is no such setting",
            "api.prot: expected another name: there is no such setting",
        ]
    );
    assert_eq!(found.unused, Vec::<String>::new());
}

#[test]
fn unsupported_project_settings_are_listed_once() {
    let reader = reader(
        &[("GOTRUE_SAML_ENABLED", "false")],
        "project_id = 'p'\n[studio]\nport = 1\nopenai_api_key = 'env(OPENAI_API_KEY)'\n\
         [storage]\nenabled = true\n[storage.vector]\nenabled = true\nmax_buckets = 1",
    );
    let found = reader.finish();
    assert_eq!(
        found.unused,
        ["GOTRUE_SAML_ENABLED", "project_id", "storage.enabled", "storage.vector", "studio"]
    );
    assert_eq!((found.problems, found.unset), (Vec::new(), Vec::new()));
}
