//! The rules for new passwords.

use crate::config::PasswordConfig;
use crate::error::{AuthError, BodyRefusal, InvalidRequest};

/// bcrypt ignores further bytes; the original refuses longer passwords for every kind of hash.
const MAX_BYTES: usize = 72;

/// # Errors
/// [`InvalidRequest::PasswordTooLong`], or [`BodyRefusal::WeakPassword`] with every rule that the
/// password breaks.
pub fn check(password: &str, rules: &PasswordConfig) -> Result<(), AuthError> {
    if password.len() > MAX_BYTES {
        return Err(InvalidRequest::PasswordTooLong.into());
    }
    match weakness(password, rules) {
        Some((message, reasons)) => Err(BodyRefusal::WeakPassword { message, reasons }.into()),
        None => Ok(()),
    }
}

/// The rules that `password` breaks: a message and the machine-readable reasons.
pub fn weakness(password: &str, rules: &PasswordConfig) -> Option<(String, Vec<&'static str>)> {
    let mut texts = Vec::new();
    let mut reasons = Vec::new();
    if password.len() < rules.min_length {
        texts.push(format!("Password should be at least {} characters.", rules.min_length));
        reasons.push("length");
    }
    let sets = required_sets(&rules.required_characters);
    let lacks = |set: &String| !password.chars().any(|c| set.contains(c));
    if sets.iter().any(lacks) {
        texts.push(format!(
            "Password should contain at least one character of each: {}.",
            sets.join(", ")
        ));
        reasons.push("characters");
    }
    (!reasons.is_empty()).then(|| (texts.join(" "), reasons))
}

/// Splits at colons; `\:` is a colon inside a set.
fn required_sets(text: &str) -> Vec<String> {
    let mut sets = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' if characters.peek() == Some(&':') => {
                characters.next();
                push(&mut sets, ':');
            }
            ':' => sets.push(String::new()),
            _ => push(&mut sets, c),
        }
    }
    sets.retain(|set| !set.is_empty());
    sets
}

fn push(sets: &mut [String], c: char) {
    if let Some(last) = sets.last_mut() {
        last.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(min_length: usize, required: &str) -> PasswordConfig {
        PasswordConfig {
            min_length,
            required_characters: required.to_owned(),
            ..Default::default()
        }
    }

    #[test]
    fn a_short_password_names_its_length() {
        let (text, reasons) = weakness("12345", &rules(6, "")).unwrap();
        assert_eq!(text, "Password should be at least 6 characters.");
        assert_eq!(reasons, ["length"]);
        assert_eq!(weakness("123456", &rules(6, "")), None);
    }

    #[test]
    fn every_required_set_must_be_met() {
        let rules = rules(6, "abc:123:\\:;");
        assert_eq!(weakness("xxxxxa", &rules).unwrap().1, ["characters"]);
        assert_eq!(weakness("xxxa1:", &rules), None);
    }

    #[test]
    fn seventy_two_bytes_are_the_most() {
        assert!(check(&"é".repeat(36), &rules(6, "")).is_ok());
        let error = check(&"é".repeat(37), &rules(6, "")).unwrap_err();
        assert!(matches!(error, AuthError::Invalid(InvalidRequest::PasswordTooLong)));
    }
}
