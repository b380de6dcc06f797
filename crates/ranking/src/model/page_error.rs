//! An error of the site's scripts, as a browser reports it.

use sha2::{Digest, Sha256};

/// The longest release, page key and error name, in characters.
const NAME_LENGTH: usize = 64;
/// The longest frame in characters: the name of a built file, a line, a column.
const FRAME_LENGTH: usize = 120;
/// The most frames that are stored; the first ones show where the error was thrown.
const FRAMES: usize = 10;

/// Where an error was thrown: the release, the page and the stack. It contains neither the error's
/// message nor a URL, because both could identify a person.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PageError {
    release: String,
    page: String,
    name: String,
    frames: Vec<String>,
}

impl PageError {
    /// Validates a browser's report; `None` when it does not have the format that this site's pages
    /// send.
    pub(crate) fn parse(
        release: String,
        page: String,
        name: String,
        mut frames: Vec<String>,
    ) -> Option<Self> {
        let is_word = |text: &str, more: &str| {
            (1..=NAME_LENGTH).contains(&text.len())
                && text.chars().all(|char| char.is_ascii_alphanumeric() || more.contains(char))
        };
        frames.truncate(FRAMES);
        let fits = is_word(&release, "_.-")
            && is_word(&page, "")
            && is_word(&name, "_")
            && !frames.is_empty()
            && frames.iter().all(|frame| is_frame(frame));
        fits.then_some(Self { release, page, name, frames })
    }

    pub(crate) fn release(&self) -> &str {
        &self.release
    }

    pub(crate) fn page(&self) -> &str {
        &self.page
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn frames(&self) -> &[String] {
        &self.frames
    }

    /// A hash that is equal for errors with the same name and stack.
    pub(crate) fn stack_hash(&self) -> String {
        let mut hash = Sha256::new();
        for part in std::iter::once(&self.name).chain(&self.frames) {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hex::encode(hash.finalize())
    }
}

/// `index-B1x_9.js:2:10441`: a file of the build, a line and a column.
fn is_frame(frame: &str) -> bool {
    let mut parts = frame.rsplitn(3, ':');
    let is_number = |part: Option<&str>| {
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_place = is_number(parts.next()) && is_number(parts.next());
    let is_file = parts.next().and_then(|file| file.strip_suffix(".js")).is_some_and(|file| {
        !file.is_empty()
            && file.chars().all(|char| char.is_ascii_alphanumeric() || "_.-".contains(char))
    });
    frame.len() <= FRAME_LENGTH && is_place && is_file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(release: &str, page: &str, name: &str, frames: &[&str]) -> Option<PageError> {
        let frames = frames.iter().map(|frame| (*frame).to_owned()).collect();
        PageError::parse(release.into(), page.into(), name.into(), frames)
    }

    #[test]
    fn only_frames_of_the_build_are_taken() {
        for (frame, fits) in [
            ("index-B1x_9.js:2:10441", true),
            ("https://evil.example/x.js:1:2", false),
            ("index.js:1", false),
            ("index.js:1:", false),
            ("index.ts:1:2", false),
            (".js:1:2", false),
            ("owner@example.com.js:1:2", false),
            ("", false),
        ] {
            assert_eq!(parse("B1x", "home", "TypeError", &[frame]).is_some(), fits, "{frame}");
        }
        assert!(parse("B1x", "home", "TypeError", &[]).is_none());
        assert!(parse("B1x", "/home?q=me", "TypeError", &["a.js:1:2"]).is_none());
        assert!(parse("B1x", "home", "is not a function", &["a.js:1:2"]).is_none());
        assert!(parse(&"x".repeat(65), "home", "TypeError", &["a.js:1:2"]).is_none());
    }

    #[test]
    fn stack_hash_depends_on_name_and_frames_alone() {
        let hash = |release, page, name, frames: &[&str]| {
            parse(release, page, name, frames).expect("a report").stack_hash()
        };
        let one = hash("a", "home", "TypeError", &["a.js:1:2", "b.js:3:4"]);
        assert_eq!(one, hash("b", "server", "TypeError", &["a.js:1:2", "b.js:3:4"]));
        assert_ne!(one, hash("a", "home", "RangeError", &["a.js:1:2", "b.js:3:4"]));
        assert_ne!(one, hash("a", "home", "TypeError", &["a.js:1:2"]));
        assert_eq!(one.len(), 64);
    }

    #[test]
    fn frames_past_the_tenth_are_dropped() {
        let frames = vec!["a.js:1:2"; 40];
        assert_eq!(parse("a", "home", "Error", &frames).expect("a report").frames().len(), 10);
    }
}
