//! Reads answers from the terminal.

use std::io::{self, BufRead as _};

use compat_stack::print_line;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Lines of the terminal, read by a thread that is not joined at the end.
#[derive(Default)]
pub(super) struct TerminalLines(Option<UnboundedReceiver<String>>);

impl TerminalLines {
    /// Asks a question and returns whether the next line is a yes. Lines typed before the question
    /// are ignored.
    pub async fn ask(&mut self, question: &str) -> bool {
        let lines = self.0.get_or_insert_with(read_lines);
        while lines.try_recv().is_ok() {}
        print_line(question);
        lines.recv().await.is_some_and(|line| is_yes(&line))
    }
}

fn read_lines() -> UnboundedReceiver<String> {
    let (send, lines) = unbounded_channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

fn is_yes(line: &str) -> bool {
    ["y", "yes"].contains(&line.trim().to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_other_than_yes_refuse() {
        for line in ["y", "Y", " yes ", "YES"] {
            assert!(is_yes(line), "{line}");
        }
        for line in ["", "n", "no", "yesterday", "ye s"] {
            assert!(!is_yes(line), "{line}");
        }
    }
}
