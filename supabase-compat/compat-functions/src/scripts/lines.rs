//! Splits the output of a program into lines of limited length.

/// The most bytes that are kept of a line; the rest is cut off.
const LONGEST: usize = 10_000;

/// The splitter, with the beginning of the current line.
#[derive(Default)]
pub(super) struct Lines {
    held: Vec<u8>,
}

impl Lines {
    /// Takes the next piece of output and passes each complete line to `line`.
    pub fn feed(&mut self, printed: &[u8], mut line: impl FnMut(String)) {
        let mut parts = printed.split(|byte| *byte == b'\n');
        self.keep(parts.next().unwrap_or_default());
        for part in parts {
            line(self.take());
            self.keep(part);
        }
    }

    /// The text after the last line break, if there is any.
    pub fn rest(&mut self) -> Option<String> {
        (!self.held.is_empty()).then(|| self.take())
    }

    fn keep(&mut self, part: &[u8]) {
        let room = LONGEST.saturating_sub(self.held.len());
        self.held.extend_from_slice(part.get(..room).unwrap_or(part));
    }

    fn take(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        String::from_utf8_lossy(&held).trim_end_matches('\r').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::collection::vec;
    use proptest::prelude::any;

    use super::*;

    fn all(parts: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut complete) = (Lines::default(), Vec::new());
        for part in parts {
            lines.feed(part, |line| complete.push(line));
        }
        complete.extend(lines.rest());
        complete
    }

    #[test]
    fn lines_end_where_they_end_however_they_come() {
        assert_eq!(all(&[b"a\nb", b"c\r\n", b"", b"d"]), ["a", "bc", "d"]);
        assert_eq!(all(&[b"\n\n"]), ["", ""]);
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let long = vec![b'x'; 3 * LONGEST];
        assert_eq!(all(&[&long, &long, b"\nnext\n"]), ["x".repeat(LONGEST), "next".to_owned()]);
    }

    #[test]
    fn random_bytes_give_short_lines_only() {
        property_test("printed_lines", vec(vec(any::<u8>(), 0..50), 0..20), |parts| {
            let slices: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            let lines = all(&slices);
            let ends = parts.iter().flatten().filter(|byte| **byte == b'\n').count();
            assert!((ends..=ends + 1).contains(&lines.len()));
        });
    }
}
