//! One process of one function: its calls in progress, its resource use, and how it ends.

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

/// How often the resource use of a process is checked.
const LOOK: Duration = Duration::from_millis(250);

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The process is loading its module.
    Starting,
    /// The process listens for calls.
    Serving,
    /// The process has ended.
    Ended(ExitReason),
}

/// Why a process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitReason {
    /// It was asked to end.
    Asked,
    /// It ended by itself.
    Crashed,
    /// It exceeded its memory limit.
    Memory,
    /// It exceeded its limit of processor time.
    Cpu,
}

impl ExitReason {
    /// The name of the reason in statistics and logs.
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
    /// The client that sends requests to the process.
    pub client: ProcessClient,
    phase: watch::Sender<Phase>,
    calls: Mutex<Calls>,
    /// The number of answers that have begun.
    answers: AtomicU64,
    /// The bytes of memory that the process does not share, as last measured.
    memory: AtomicU64,
    leave: CancellationToken,
}

/// The calls in progress.
struct Calls {
    active: usize,
    /// Since when there has been no call, while `active` is 0.
    idle: Instant,
    /// Whether the process accepts no more calls.
    leaving: bool,
}

impl Process {
    /// A process that was started and is reached through `client`.
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

    /// Begins a call; `None` unless the process serves and is not retired.
    pub fn enter(self: &Arc<Self>) -> Option<InFlightCall> {
        let mut calls = self.calls();
        if calls.leaving || !matches!(*self.phase.borrow(), Phase::Serving) {
            return None;
        }
        calls.active += 1;
        Some(InFlightCall(Arc::clone(self)))
    }

    /// Lets the process finish its calls and end; it accepts no new ones.
    pub fn retire(&self) {
        self.calls().leaving = true;
        self.leave.cancel();
    }

    /// Since when the process has been idle; `None` while it has calls or is retired.
    pub fn idle_since(&self) -> Option<Instant> {
        let calls = self.calls();
        (calls.active == 0 && !calls.leaving).then_some(calls.idle)
    }

    /// Records that the process listens.
    pub fn announce(&self) {
        self.phase.send_if_modified(|phase| {
            let starts = *phase == Phase::Starting;
            if starts {
                *phase = Phase::Serving;
            }
            starts
        });
    }

    /// A receiver of the changes of the phase.
    pub fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Waits until the process has ended.
    pub async fn ended(&self) -> ExitReason {
        let mut phase = self.phase();
        let ended = phase.wait_for(|phase| matches!(phase, Phase::Ended(_))).await;
        match ended.map(|phase| *phase) {
            Ok(Phase::Ended(ending)) => ending,
            _ => ExitReason::Crashed,
        }
    }

    /// The bytes of memory, as last measured.
    pub fn memory(&self) -> u64 {
        self.memory.load(Relaxed)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call in progress; the process counts as in use until this is dropped.
pub(super) struct InFlightCall(Arc<Process>);

impl InFlightCall {
    /// The process that is called.
    pub fn process(&self) -> &Arc<Process> {
        &self.0
    }

    /// Records that the answer to the call has begun.
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

/// Supervises a process until it has ended: enforces its limits and retires it when it is idle.
pub(super) async fn attend(
    process: Arc<Process>,
    mut child: Child,
    limits: FunctionLimits,
    log: Arc<FunctionLog>,
    permit: OwnedSemaphorePermit,
) {
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).map(Pid::from_raw);
    // `wait` would close the input, and the process exits when its input is closed.
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
        log.write(Source::Host, &format!("ended: it exceeded its {} limit", ending.name()));
    }
    process.calls().leaving = true;
    // A call that this breaks off waits for the phase below, which holds the reason.
    let _ = child.start_kill();
    let _ = child.wait().await;
    process.memory.store(0, Relaxed);
    process.phase.send_replace(Phase::Ended(ending));
    drop(permit);
}

/// The reason for the end of a process that the supervisor did not kill.
fn of_status(process: &Process, status: Option<ExitStatus>, log: &FunctionLog) -> ExitReason {
    use std::os::unix::process::ExitStatusExt as _;
    if process.leave.is_cancelled() {
        return ExitReason::Asked;
    }
    let Some(status) = status else { return ExitReason::Crashed };
    log.write(Source::Host, &format!("ended unexpectedly ({status})"));
    // The engine stops itself by a trap or an abort when its heap is full.
    let stopped = [Signal::SIGTRAP, Signal::SIGABRT, Signal::SIGILL].map(|signal| signal as i32);
    match status.signal() {
        Some(signal) if stopped.contains(&signal) => ExitReason::Memory,
        _ => ExitReason::Crashed,
    }
}

/// The last measurement of a process.
#[derive(Default)]
struct ProcessSample {
    /// The processor time when the process last began an answer or had no calls.
    cpu_at_answer: Duration,
    answers: u64,
}

impl ProcessSample {
    /// Updates the measurement; returns the limit that the process has exceeded, if any.
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
            (self.cpu_at_answer, self.answers) = (usage.cpu, answers);
        }
        let computed = usage.cpu.saturating_sub(self.cpu_at_answer);
        if usage.memory > limits.memory.saturating_mul(1024 * 1024) {
            return Some(ExitReason::Memory);
        }
        limits.cpu.is_some_and(|most| computed > most).then_some(ExitReason::Cpu)
    }
}
