//! The path to the role in a token's claims (`PGRST_JWT_ROLE_CLAIM_KEY`), in both syntaxes of
//! PostgREST.
//!
//! Since version 16 the path is JSONPath (RFC 9535), `$.roles[?search(@, "^app_")]`; earlier
//! versions had their own syntax, `.realm_access.roles[?(@ ^== "app_")][4:]`. The first value that
//! the path selects is the role.

use std::borrow::Cow;

use serde_json::Value;
use serde_json_path::JsonPath;

use crate::claims::text_of;

mod legacy;

use legacy::Step;

/// The path to the role.
#[derive(Debug, Clone, Default)]
pub struct ClaimPath(Spelling);

#[derive(Debug, Clone, Default)]
enum Spelling {
    /// `$.role`, which [`Claims`](crate::Claims) extracts once, when the token is parsed.
    #[default]
    Role,
    Standard(JsonPath),
    Legacy(Vec<Step>),
}

/// A path that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a JSONPath such as $.role, or the older .role; {0}")]
pub struct ClaimPathError(String);

impl ClaimPath {
    /// Parses a path in either syntax.
    ///
    /// # Errors
    /// [`ClaimPathError`] with the position at which parsing stopped.
    pub fn parse(text: &str) -> Result<Self, ClaimPathError> {
        let spelling = match text {
            "$.role" | ".role" => Spelling::Role,
            _ if text.starts_with('$') => {
                let path = JsonPath::parse(text);
                Spelling::Standard(path.map_err(|error| ClaimPathError(error.to_string()))?)
            }
            _ => Spelling::Legacy(legacy::parse(text).map_err(ClaimPathError)?),
        };
        Ok(Self(spelling))
    }

    /// Whether the path is the claim `role`.
    pub(crate) fn is_default(&self) -> bool {
        matches!(self.0, Spelling::Role)
    }

    /// The role in these claims; a value that is not a string gives its JSON text.
    pub fn find<'a>(&self, claims: &'a Value) -> Option<Cow<'a, str>> {
        match &self.0 {
            Spelling::Role => claims.get("role").map(text_of),
            Spelling::Standard(path) => path.query(claims).first().map(text_of),
            Spelling::Legacy(steps) => legacy::find(steps, claims),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use compat_testkit::property_test;

    use super::*;

    fn find(path: &str, claims: &Value) -> Option<String> {
        let path = ClaimPath::parse(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        path.find(claims).map(Cow::into_owned)
    }

    #[test]
    fn the_older_spelling_walks_keys_and_places() {
        let claims = json!({
            "postgrest": {"a_role": "author", "roles": ["other", "author"]},
            "https://www.example.com/roles": [{"value": "author"}],
            "aud": ["author"], "$odd@": "author", "n": 5,
        });
        for path in [
            ".postgrest.a_role",
            ".postgrest.roles[1]",
            r#"."https://www.example.com/roles"[0].value"#,
            ".aud[0]",
            ".$odd@",
        ] {
            assert_eq!(find(path, &claims).as_deref(), Some("author"), "{path}");
        }
        for path in [".postgrest.roles[3]", ".myRole", ".aud.x", ".postgrest[0]"] {
            assert_eq!(find(path, &claims), None, "{path}");
        }
        assert_eq!(find(".n", &claims).as_deref(), Some("5"));
    }

    #[test]
    fn the_older_spelling_compares_and_slices() {
        let claims = json!({"roles": ["other", {"no": "text"}, "the_author_role"]});
        for path in [
            r#".roles[?(@ == "the_author_role")]"#,
            r#".roles[?(@ != "other")]"#,
            r#".roles[?(@ ^== "the_")]"#,
            r#".roles[?(@ ==^ "_role")]"#,
            r#".roles[?(@*=="author")]"#,
            ".roles[2][:]",
        ] {
            assert_eq!(find(path, &claims).as_deref(), Some("the_author_role"), "{path}");
        }
        assert_eq!(find(".roles[2][4:]", &claims).as_deref(), Some("author_role"));
        assert_eq!(find(".roles[2][:-5]", &claims).as_deref(), Some("the_author"));
        assert_eq!(
            find(r#".roles[?(@ *== "_author_")][4:-5]"#, &claims).as_deref(),
            Some("author")
        );
        assert_eq!(find(".roles[2][200:]", &claims).as_deref(), Some(""));
        assert_eq!(find(r#".roles[?(@ == "nobody")]"#, &claims), None);
        assert_eq!(find(r#".roles[1][?(@ == "text")]"#, &claims), None);
    }

    #[test]
    fn the_standard_spelling_takes_the_first_value_found() {
        let claims =
            json!({"role": "a", "roles": ["x", "app_author", "app_reader"], "deep": {"role": 7}});
        for (path, role) in [
            ("$.role", Some("a")),
            ("$['role']", Some("a")),
            ("$.roles[1]", Some("app_author")),
            ("$.roles[-1]", Some("app_reader")),
            (r#"$.roles[?search(@, "^app_")]"#, Some("app_author")),
            (r#"$.roles[?match(@, "app_r.*")]"#, Some("app_reader")),
            (r#"$.roles[?@ == "x"]"#, Some("x")),
            ("$.deep.role", Some("7")),
            ("$.none", None),
        ] {
            assert_eq!(find(path, &claims).as_deref(), role, "{path}");
        }
    }

    #[test]
    fn malformed_paths_are_refused() {
        for path in [
            "",
            "role.other",
            ".role##",
            ".my_role;;domain",
            ".#$$%&$%/",
            "1234",
            ".role[?(@ =)]",
            ".",
            ".role[",
            ".role[]",
            ".role[x]",
            r#"."open"#,
            ".role[99999999999999999999]",
            r#".a[?(@ == "x")].b"#,
            "$role",
            "$.",
            "$[",
            "$..",
            ".a[1:2:3]",
        ] {
            assert!(ClaimPath::parse(path).is_err(), "{path:?} was accepted");
        }
    }

    #[test]
    fn random_paths_never_panic_the_parser() {
        let both = ("\\PC{0,40}", r#"[.\[\]?(@=^*!"0-9a-z:$-]{0,30}"#);
        property_test("claim paths", both, |(text, tail)| {
            for path in [text.clone(), tail.clone(), format!(".{tail}"), format!("${tail}")] {
                if let Ok(path) = ClaimPath::parse(&path) {
                    let claims = json!({"a": ["é", {"a": "b"}], "role": text});
                    let _ = path.find(&claims);
                }
            }
        });
    }
}
