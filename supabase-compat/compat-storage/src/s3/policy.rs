//! The policy of a form upload ("POST Policy"): a condition must allow every field, and the policy
//! expires.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::S3Refusal;

/// The maximum length of a policy, as at AWS.
const LONGEST: usize = 20 * 1024;

/// Fields that need no condition.
const FREE: [&str; 3] = ["policy", "x-amz-signature", "file"];

#[derive(Debug, Deserialize)]
struct PolicyDocument {
    expiration: DateTime<Utc>,
    conditions: Vec<Value>,
}

/// A condition on one field.
#[derive(Debug, PartialEq, Eq)]
enum Rule {
    Is(String),
    Begins(String),
}

/// A parsed policy.
#[derive(Debug)]
pub(crate) struct Policy {
    expiration: DateTime<Utc>,
    rules: Vec<(String, Rule)>,
    /// The minimum and maximum size of the file in bytes.
    pub(crate) length: Option<(u64, u64)>,
}

impl Policy {
    /// Parses the form's policy field.
    ///
    /// # Errors
    /// [`S3Refusal::InvalidPolicyDocument`].
    pub(crate) fn read(encoded: &str) -> Result<Self, S3Refusal> {
        let invalid = |message| S3Refusal::InvalidPolicyDocument(message);
        if encoded.len() > LONGEST {
            return Err(invalid("The policy is too long"));
        }
        let text = STANDARD.decode(encoded.trim()).map_err(|_| invalid("It is no base64"))?;
        let document: PolicyDocument = serde_json::from_slice(&text)
            .map_err(|_| invalid("It needs an expiration and conditions"))?;
        let mut policy = Self { expiration: document.expiration, rules: Vec::new(), length: None };
        for condition in &document.conditions {
            let read = match condition {
                Value::Object(fields) => policy.add_fields(fields),
                Value::Array(words) => policy.add_words(words),
                _ => None,
            };
            read.ok_or(invalid("A condition cannot be read"))?;
        }
        Ok(policy)
    }

    fn add_fields(&mut self, fields: &Map<String, Value>) -> Option<()> {
        for (name, value) in fields {
            let rule = Rule::Is(value.as_str()?.to_owned());
            self.rules.push((name.to_ascii_lowercase(), rule));
        }
        Some(())
    }

    fn add_words(&mut self, words: &[Value]) -> Option<()> {
        let [kind, first, second] = words else { return None };
        let kind = kind.as_str()?.to_ascii_lowercase();
        if kind == "content-length-range" {
            self.length = Some((number(first)?, number(second)?));
            return Some(());
        }
        let name = first.as_str()?.strip_prefix('$')?.to_ascii_lowercase();
        let value = second.as_str()?.to_owned();
        let rule = match kind.as_str() {
            "eq" => Rule::Is(value),
            "starts-with" => Rule::Begins(value),
            _ => return None,
        };
        self.rules.push((name, rule));
        Some(())
    }

    /// Checks the form's fields against the policy; their names are in lower case, and the bucket
    /// is one of them.
    ///
    /// # Errors
    /// [`S3Refusal::PolicyFailed`].
    pub(crate) fn allows(
        &self,
        fields: &[(String, String)],
        now: DateTime<Utc>,
    ) -> Result<(), S3Refusal> {
        if now > self.expiration {
            return Err(S3Refusal::PolicyFailed("Policy expired."));
        }
        let value_of = |name: &str| {
            let field = fields.iter().find(|(known, _)| known == name);
            field.map_or("", |(_, value)| value.as_str())
        };
        let holds = |(name, rule): &(String, Rule)| match rule {
            Rule::Is(value) => value_of(name) == value,
            Rule::Begins(value) => value_of(name).starts_with(value),
        };
        if !self.rules.iter().all(holds) {
            return Err(S3Refusal::PolicyFailed("Policy Condition failed"));
        }
        let allowed = |(name, _): &(String, String)| {
            let free = FREE.contains(&name.as_str()) || name.starts_with("x-ignore-");
            free || name == "bucket" || self.rules.iter().any(|(known, _)| known == name)
        };
        if !fields.iter().all(allowed) {
            return Err(S3Refusal::PolicyFailed("Extra input fields"));
        }
        // Without a condition on the bucket a form would be valid for every bucket.
        let is_bound = self.rules.iter().any(|(name, _)| name == "bucket");
        if is_bound { Ok(()) } else { Err(S3Refusal::PolicyFailed("the bucket is not named")) }
    }
}

/// Parses a number or a string that contains one.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-01-01T12:00:00Z";

    fn read(conditions: &str) -> Result<Policy, S3Refusal> {
        let text =
            format!(r#"{{"expiration":"2026-01-01T12:00:00.000Z","conditions":{conditions}}}"#);
        Policy::read(&STANDARD.encode(text))
    }

    fn allows(policy: &Policy, fields: &[(&str, &str)], now: &str) -> Result<(), S3Refusal> {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        policy.allows(&fields, now.parse().unwrap())
    }

    #[test]
    fn policy_allows_what_it_names_and_nothing_else() {
        let policy = read(
            r#"[{"bucket":"b"},["starts-with","$key","user/"],["eq","$Content-Type","a/b"],
                ["content-length-range",1,"9"]]"#,
        )
        .unwrap();
        assert_eq!(policy.length, Some((1, 9)));
        let good = [("bucket", "b"), ("key", "user/a"), ("content-type", "a/b"), ("policy", "")];
        assert_eq!(allows(&policy, &good, NOW), Ok(()));
        let with = |place: usize, field| {
            let mut fields = good.to_vec();
            fields[place] = field;
            fields
        };
        for fields in [
            with(0, ("bucket", "c")),
            with(1, ("key", "other/a")),
            with(2, ("content-type", "a/c")),
            with(3, ("acl", "public-read")),
            good[..2].to_vec(),
        ] {
            let refusal = allows(&policy, &fields, NOW);
            assert!(matches!(refusal, Err(S3Refusal::PolicyFailed(_))), "{fields:?}");
        }
        let late = allows(&policy, &good, "2026-01-01T12:00:01Z");
        assert_eq!(late, Err(S3Refusal::PolicyFailed("Policy expired.")));
    }

    #[test]
    fn policy_that_binds_no_bucket_allows_nothing() {
        let policy = read(r#"[["starts-with","$key",""]]"#).unwrap();
        let refusal = allows(&policy, &[("bucket", "b"), ("key", "a")], NOW);
        assert!(matches!(refusal, Err(S3Refusal::PolicyFailed(_))));
    }

    #[test]
    fn policy_that_cannot_be_read_is_refused() {
        for conditions in ["7", "[7]", r#"[["eq","key","a"]]"#, r#"[["near","$key","a"]]"#] {
            let refusal = read(conditions);
            assert!(matches!(refusal, Err(S3Refusal::InvalidPolicyDocument(_))), "{conditions}");
        }
        for encoded in ["", "*", "e30="] {
            let refusal = Policy::read(encoded);
            assert!(matches!(refusal, Err(S3Refusal::InvalidPolicyDocument(_))), "{encoded}");
        }
    }

    #[test]
    fn random_policies_never_panic_the_parser() {
        let words =
            r#"(\[|\]|\{|\}|,|"eq"|"starts-with"|"\$key"|"content-length-range"|"a"|:|1){0,14}"#;
        compat_testkit::property_test("policies", words, |conditions: String| {
            let Ok(policy) = read(&conditions) else { return };
            // A field without a condition is never allowed.
            let refusal = allows(&policy, &[("bucket", "b"), ("acl", "x")], NOW);
            assert!(refusal.is_err());
        });
    }
}
