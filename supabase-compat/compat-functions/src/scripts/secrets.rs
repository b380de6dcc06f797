//! The environment variables of a function, and the redaction of their values in logs.

use std::io;
use std::path::Path;

use secrecy::{ExposeSecret as _, SecretString};

use super::secrets_file::is_reserved_name;

/// The shortest value that is redacted; shorter ones are often ordinary words.
const SHORTEST: usize = 8;
const HIDDEN: &str = "[secret]";

/// Names and values of an environment.
pub(super) type EnvironmentVariables = Vec<(String, SecretString)>;

/// Reads the functions' own secrets from a `.env` file. Names that are reserved or not valid are
/// left out and returned separately.
///
/// # Errors
/// When the file cannot be read or parsed; the error does not contain its text.
pub(super) fn read(file: &Path) -> io::Result<(EnvironmentVariables, Vec<String>)> {
    parse(&std::fs::read(file)?)
}

fn parse(text: &[u8]) -> io::Result<(EnvironmentVariables, Vec<String>)> {
    let (mut read, mut refusal) = (Vec::new(), Vec::new());
    let text = quoted(&String::from_utf8_lossy(text));
    for (line, pair) in dotenvy::Iter::new(text.as_bytes()).enumerate() {
        let (name, value) = pair.map_err(|_| {
            let reason = format!("entry {} cannot be read", line + 1);
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })?;
        if is_reserved_name(&name)
            || name.is_empty()
            || name.contains(['=', '\0'])
            || value.contains('\0')
        {
            refusal.push(name);
        } else {
            read.push((name, value.into()));
        }
    }
    Ok((read, refusal))
}

/// Adds quotes to unquoted values with blanks, which the original's parser accepts as they are.
fn quoted(text: &str) -> String {
    let mut open = None;
    let lines = text.lines().map(|line| {
        if let Some(quote) = open {
            open = open.filter(|_| !line.contains(quote));
            return line.to_owned();
        }
        let Some((name, value)) = line.split_once('=').filter(|_| !is_comment(line)) else {
            return line.to_owned();
        };
        let value = value.trim_start();
        if let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'')) {
            open = Some(quote).filter(|quote| !value[1..].contains(*quote));
            return line.to_owned();
        }
        let bare = value.split(" #").next().unwrap_or_default().trim_end();
        match bare.contains(char::is_whitespace) && !bare.contains(['"', '\'', '\\']) {
            true => format!("{name}=\"{bare}\""),
            false => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Replaces secrets in lines.
#[derive(Default)]
pub(super) struct SecretRedactor(Vec<SecretString>);

impl SecretRedactor {
    /// A redactor of these values; of a value with several lines, each line is a secret.
    pub fn over<'a>(values: impl Iterator<Item = &'a SecretString>) -> Self {
        let mut parts: Vec<String> = values
            .flat_map(|value| value.expose_secret().lines())
            .map(str::trim)
            .filter(|line| line.len() >= SHORTEST && !is_address(line))
            .map(str::to_owned)
            .collect();
        // Longest first, because a long secret may contain a short one.
        parts.sort_unstable_by_key(|part| std::cmp::Reverse(part.len()));
        parts.dedup();
        Self(parts.into_iter().map(Into::into).collect())
    }

    /// Returns the line with every secret replaced.
    pub fn draw(&self, line: &str) -> String {
        let hide =
            |line: String, secret: &SecretString| line.replace(secret.expose_secret(), HIDDEN);
        self.0.iter().fold(line.to_owned(), hide)
    }
}

/// Whether a text is an address without a password. Many lines contain our public address, which is
/// no secret.
fn is_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) && !text.contains('@')
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let (read, _) = parse(text.as_bytes()).unwrap();
        read.iter().map(|(name, value)| (name.clone(), value.expose_secret().to_owned())).collect()
    }

    #[test]
    fn env_file_cannot_set_platform_names() {
        let text = "# ours\nA=1\nexport B=\"two words\"\nSUPABASE_URL=x\nC='$A'\n\nDENO_DIR=/x\n";
        let expected = [("A", "1"), ("B", "two words"), ("C", "$A")];
        assert_eq!(pairs(text), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(parse(text.as_bytes()).unwrap().1, ["SUPABASE_URL", "DENO_DIR"]);
    }

    #[test]
    fn a_bare_value_may_have_blanks() {
        let text = "# not = this one\nA = two words # and why\nB=\"one\nC=not a name\"";
        let expected = [("A", "two words"), ("B", "one\nC=not a name")];
        assert_eq!(pairs(text), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn unreadable_env_lines_are_not_repeated() {
        let error = parse(b"A=1\nhunter2hunter2 hunter2\n").unwrap_err().to_string();
        assert_eq!(error, "entry 2 cannot be read");
    }

    #[test]
    fn secrets_do_not_reach_a_line() {
        let values: Vec<SecretString> =
            ["sk_live_12345678", "short", "-----BEGIN KEY-----\nabcdefghij", "http://localhost:80"]
                .map(Into::into)
                .into();
        let redactor = SecretRedactor::over(values.iter());
        let line = "at http://localhost:80: sk_live_12345678 short abcdefghij";
        assert_eq!(redactor.draw(line), "at http://localhost:80: [secret] short [secret]");
    }

    #[test]
    fn random_env_files_never_panic_the_parser() {
        let words = "([A-Z_]{0,9}|=|\"|'|\\$\\{?|\\}|#|\n|\\\\|export |[a-zé ]{0,5}){0,30}";
        property_test("env_file", words, |text: String| {
            let Ok((read, _)) = parse(text.as_bytes()) else { return };
            assert!(
                read.iter().all(|(name, _)| !name.is_empty() && !name.starts_with("SUPABASE_"))
            );
        });
    }
}
