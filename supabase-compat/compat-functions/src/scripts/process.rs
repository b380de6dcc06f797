//! One process of one function: who is using it, what it takes, and how it ends.

use std::process::ExitStatus;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::Child;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, interval, sleep_until};
use tokio_util::sync::CancellationToken;

use super::config::FunctionLimits;
use super::log::{FunctionLog, Source};
use super::process_client::ProcessClient;
use super::usage::{self, Usage};

/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// What has become of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its module is being loaded.
    Starting,
    /// It listens.
    Serving,
    /// It is gone.
    Ended(ExitReason),
}

/// Why a process is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitReason {
    /// It was asked to go.
    Asked,
    /// It ended by itself.
    Crashed,
    /// It took more memory than it may.
    Memory,
    /// It computed for longer than it may.
    Cpu,
}

impl ExitReason {
    /// For the operator.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "stopped",
            Self::Crashed => "crashed",
            Self::Memory => "memory",
            Self::Cpu => "cpu",
        }
    }
}

/// A running process.
pub(super) struct Process {
    /// The way to it.
    pub client: ProcessClient,
    phase: watch::Sender<Phase>,
    calls: Mutex<Calls>,
    /// Answers begun.
    answers: AtomicU64,
    /// Bytes of memory of its own, as last seen.
    memory: AtomicU64,
    leave: CancellationToken,
}

/// Who is using it.
struct Calls {
    active: usize,
    /// Since when nobody is.
    idle: Instant,
    /// Whether it takes no more.
    leaving: bool,
}

impl Process {
    /// One that has been started and is reached by `client`.
    pub fn new(client: ProcessClient) -> Arc<Self> {
        Arc::new(Self {
            client,
            phase: watch::Sender::new(Phase::Starting),
            calls: Mutex::new(Calls { active: 0, idle: Instant::now(), leaving: false }),
            answers: AtomicU64::new(0),
            memory: AtomicU64::new(0),
            leave: CancellationToken::new(),
        })
    }

    /// A call of it, unless it is leaving or gone.
    pub fn enter(self: &Arc<Self>) -> Option<InFlightCall> {
        let mut calls = self.calls();
        if calls.leaving || !matches!(*self.phase.borrow(), Phase::Serving) {
            return None;
        }
        calls.active += 1;
        Some(InFlightCall(Arc::clone(self)))
    }

    /// Lets it finish what it does and go.
    pub fn retire(&self) {
        self.calls().leaving = true;
        self.leave.cancel();
    }

    /// Since when nobody uses it; nothing while somebody does.
    pub fn idle_since(&self) -> Option<Instant> {
        let calls = self.calls();
        (calls.active == 0 && !calls.leaving).then_some(calls.idle)
    }

    /// It has said that it listens.
    pub fn announce(&self) {
        self.phase.send_if_modified(|phase| {
            let starts = *phase == Phase::Starting;
            if starts {
                *phase = Phase::Serving;
            }
            starts
        });
    }

    /// What it does.
    pub fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Waits until it is gone.
    pub async fn ended(&self) -> ExitReason {
        let mut phase = self.phase();
        let ended = phase.wait_for(|phase| matches!(phase, Phase::Ended(_))).await;
        match ended.map(|phase| *phase) {
            Ok(Phase::Ended(ending)) => ending,
            _ => ExitReason::Crashed,
        }
    }

    /// Bytes of memory, as last seen.
    pub fn memory(&self) -> u64 {
        self.memory.load(Relaxed)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call under way; the process is in use as long as it is kept.
pub(super) struct InFlightCall(Arc<Process>);

impl InFlightCall {
    /// The process.
    pub fn process(&self) -> &Arc<Process> {
        &self.0
    }

    /// Its answer has begun.
    pub fn answered(&self) {
        self.0.answers.fetch_add(1, Relaxed);
    }
}

impl Drop for InFlightCall {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.active -= 1;
        calls.idle = Instant::now();
    }
}

/// Stays with a process until it is gone, and sees to it that it goes in time.
pub(super) async fn attend(
    process: Arc<Process>,
    mut child: Child,
    limits: FunctionLimits,
    log: Arc<FunctionLog>,
    permit: OwnedSemaphorePermit,
) {
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).map(Pid::from_raw);
    // Waiting would close it, and the end of its input tells it that we are gone.
    let _input = child.stdin.take();
    let (mut ticks, mut watched) = (interval(LOOK), ProcessSample::default());
    let mut leaves: Option<Instant> = None;
    let ending = loop {
        let deadline = leaves.unwrap_or_else(|| Instant::now() + limits.wall_clock);
        tokio::select! {
            status = child.wait() => break of_status(&process, status.ok(), &log),
            () = process.leave.cancelled(), if leaves.is_none() => {
                leaves = Some(Instant::now() + limits.wall_clock);
                let _ = pid.map(|pid| kill(pid, Signal::SIGTERM));
            }
            () = sleep_until(deadline), if leaves.is_some() => break ExitReason::Asked,
            _ = ticks.tick() => {
                let usage = pid.and_then(|pid| usage::of(pid.as_raw()));
                if let Some(over) = usage.and_then(|usage| watched.over(&process, usage, &limits)) {
                    break over;
                }
                if process.idle_since().is_some_and(|since| since.elapsed() >= limits.idle) {
                    process.retire();
                }
            }
        }
    };
    if matches!(ending, ExitReason::Memory | ExitReason::Cpu) {
        log.write(Source::Host, &format!("ended: it used more {} than it may", ending.name()));
    }
    process.calls().leaving = true;
    // It is told before the process is gone, so that a call that breaks off finds the reason.
    let _ = child.start_kill();
    let _ = child.wait().await;
    process.memory.store(0, Relaxed);
    process.phase.send_replace(Phase::Ended(ending));
    drop(permit);
}

/// What an end by itself means.
fn of_status(process: &Process, status: Option<ExitStatus>, log: &FunctionLog) -> ExitReason {
    use std::os::unix::process::ExitStatusExt as _;
    if process.leave.is_cancelled() {
        return ExitReason::Asked;
    }
    let Some(status) = status else { return ExitReason::Crashed };
    log.write(Source::Host, &format!("ended unexpectedly ({status})"));
    // Out of its heap, the engine stops itself by a trap or an abort.
    let stopped = [Signal::SIGTRAP, Signal::SIGABRT, Signal::SIGILL].map(|signal| signal as i32);
    match status.signal() {
        Some(signal) if stopped.contains(&signal) => ExitReason::Memory,
        _ => ExitReason::Crashed,
    }
}

/// What was seen of a process at the last look.
#[derive(Default)]
struct ProcessSample {
    /// Its processor time when it last began an answer, or had nothing to do.
    calm: Duration,
    answers: u64,
}

impl ProcessSample {
    /// The limit that it has gone over.
    fn over(
        &mut self,
        process: &Process,
        usage: Usage,
        limits: &FunctionLimits,
    ) -> Option<ExitReason> {
        process.memory.store(usage.memory, Relaxed);
        let answers = process.answers.load(Relaxed);
        let waits_for_nobody = process.calls().active == 0;
        if waits_for_nobody || answers != self.answers {
            (self.calm, self.answers) = (usage.cpu, answers);
        }
        let computed = usage.cpu.saturating_sub(self.calm);
        if usage.memory > limits.memory.saturating_mul(1024 * 1024) {
            return Some(ExitReason::Memory);
        }
        limits.cpu.is_some_and(|most| computed > most).then_some(ExitReason::Cpu)
    }
}
