//! The process of a tool: a question is a line, and so is its answer.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

/// Lines that are kept of what it prints as errors.
const COMPLAINTS: usize = 12;

/// A process that answers. Dropped, it is killed.
pub(super) struct ToolProcess {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    complaints: Arc<Mutex<Vec<String>>>,
    /// Ends with what the process prints as errors.
    listening: Option<JoinHandle<()>>,
}

impl ToolProcess {
    /// Waits until a program that was started says that it takes questions.
    ///
    /// # Errors
    /// What it says at its end instead.
    pub async fn open(mut child: Child) -> Result<Self, String> {
        let parts = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = parts else {
            return Err("deno was started without its streams".to_owned());
        };
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let printed = Arc::clone(&complaints);
        let listening = tokio::spawn(async move {
            let mut lines = BufReader::new(errors).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                keep(&printed, line);
            }
        });
        let output = BufReader::new(output).lines();
        let mut process = Self { child, input, output, complaints, listening: Some(listening) };
        match process.next_line().await? {
            line if line == "ready" => Ok(process),
            line => Err(format!("deno said {line:?} before it was ready")),
        }
    }

    /// Whether it is gone: then nothing is heard of its errors any more.
    pub fn has_ended(&self) -> bool {
        self.listening.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Asks, and gives the answer or what the script says of the question.
    ///
    /// # Errors
    /// The process ended, with what it said last.
    pub async fn ask(&mut self, question: &str) -> Result<Result<String, String>, String> {
        // A process that has ended takes nothing; why it did is told by what it printed.
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
            Ok(None) | Err(_) => Err(self.last_words().await),
        }
    }

    /// What it said last.
    async fn last_words(&mut self) -> String {
        let status = self.child.wait().await;
        if let Some(listening) = self.listening.take() {
            let _ = listening.await;
        }
        let lines = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        match (lines.is_empty(), status) {
            (false, _) => lines.join(" / "),
            (true, Ok(status)) => format!("deno ended with {status}"),
            (true, Err(error)) => error.to_string(),
        }
    }
}

/// A trace of calls helps nobody, and a process that prints for ever fills nothing.
fn keep(complaints: &Mutex<Vec<String>>, line: String) {
    let mut lines = complaints.lock().unwrap_or_else(PoisonError::into_inner);
    let is_trace = line.trim().is_empty() || line.trim_start().starts_with("at ");
    if !is_trace && lines.len() < COMPLAINTS {
        lines.push(line);
    }
}
