//! The process of a tool: each question and each answer is one line.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

/// The most lines that are kept of the error output.
const ERROR_LINES: usize = 12;

/// A process that answers questions; dropping it kills it.
pub(super) struct ToolProcess {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    error_lines: Arc<Mutex<Vec<String>>>,
    /// The task that reads the error output until it ends.
    listening: Option<JoinHandle<()>>,
}

impl ToolProcess {
    /// Waits until a started process reports that it takes questions.
    ///
    /// # Errors
    /// When the process ends instead, with its last error output.
    pub async fn open(mut child: Child) -> Result<Self, String> {
        let parts = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = parts else {
            return Err("deno was started without its streams".to_owned());
        };
        let error_lines = Arc::new(Mutex::new(Vec::new()));
        let printed = Arc::clone(&error_lines);
        let listening = tokio::spawn(async move {
            let mut lines = BufReader::new(errors).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                keep(&printed, line);
            }
        });
        let output = BufReader::new(output).lines();
        let mut process = Self { child, input, output, error_lines, listening: Some(listening) };
        match process.next_line().await? {
            line if line == "ready" => Ok(process),
            line => Err(format!("deno said {line:?} before it was ready")),
        }
    }

    /// Whether the process has ended, as the end of its error output shows.
    pub fn has_ended(&self) -> bool {
        self.listening.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Sends a question; returns the answer, or the script's refusal.
    ///
    /// # Errors
    /// When the process has ended, with its last error output.
    pub async fn ask(&mut self, question: &str) -> Result<Result<String, String>, String> {
        // Writing to a process that has ended fails; its error output, read below, tells why it
        // ended.
        let _ = self.input.write_all(format!("{question}\n").as_bytes()).await;
        let line = self.next_line().await?;
        match line.split_once(' ') {
            Some(("answer", answer)) => Ok(Ok(answer.to_owned())),
            Some(("refusal", message)) => Ok(Err(serde_json::from_str(message).unwrap_or(line))),
            _ => Err(format!("deno answered {:?}", line.chars().take(80).collect::<String>())),
        }
    }

    async fn next_line(&mut self) -> Result<String, String> {
        match self.output.next_line().await {
            Ok(Some(line)) => Ok(line),
            Ok(None) | Err(_) => Err(self.error_output().await),
        }
    }

    /// Waits for the end of the process; returns its error output, or else its exit status.
    async fn error_output(&mut self) -> String {
        let status = self.child.wait().await;
        if let Some(listening) = self.listening.take() {
            let _ = listening.await;
        }
        let lines = self.error_lines.lock().unwrap_or_else(PoisonError::into_inner);
        match (lines.is_empty(), status) {
            (false, _) => lines.join(" / "),
            (true, Ok(status)) => format!("deno ended with {status}"),
            (true, Err(error)) => error.to_string(),
        }
    }
}

/// Keeps a line of the error output, except stack traces and what exceeds [`ERROR_LINES`].
fn keep(error_lines: &Mutex<Vec<String>>, line: String) {
    let mut lines = error_lines.lock().unwrap_or_else(PoisonError::into_inner);
    let is_trace = line.trim().is_empty() || line.trim_start().starts_with("at ");
    if !is_trace && lines.len() < ERROR_LINES {
        lines.push(line);
    }
}
