//! Tasks that panic or return, and tasks that do not stop. Time is paused, so delays pass at once.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use prometheus::Opts;
use tokio::sync::mpsc;

use super::*;

fn tasks() -> Tasks {
    let opts = Opts::new("background_task_restarts_total", "Restarts.");
    Tasks::new(IntCounterVec::new(opts, &["task"]).expect("a counter"))
}

fn restarts(tasks: &Tasks, name: &str) -> u64 {
    tasks.0.restarts.with_label_values(&[name]).get()
}

/// Spawns a task that reports each start and then panics.
fn dying(tasks: &Tasks) -> mpsc::UnboundedReceiver<Instant> {
    let (print_line, lines) = mpsc::unbounded_channel();
    tasks.spawn("dying", move || {
        let print_line = print_line.clone();
        async move {
            print_line.send(Instant::now()).expect("somebody listens");
            panic!("on purpose");
        }
    });
    lines
}

#[tokio::test(start_paused = true)]
async fn panicking_task_restarts_with_growing_delays() {
    let tasks = tasks();
    let mut starts = dying(&tasks);
    let mut last = starts.recv().await.expect("a first start");
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
        let next = starts.recv().await.expect("another start");
        assert_eq!((next - last).as_secs(), seconds);
        last = next;
    }
    assert!(restarts(&tasks, "dying") >= 8);
    assert_eq!(tasks.stop().await, Vec::<&str>::new());
}

#[tokio::test(start_paused = true)]
async fn task_that_returns_early_is_restarted() {
    let tasks = tasks();
    let starts = Arc::new(AtomicU32::new(0));
    let (counter, stop) = (Arc::clone(&starts), tasks.stop_token());
    tasks.spawn("short", move || {
        let (nth, stop) = (counter.fetch_add(1, SeqCst), stop.clone());
        async move {
            if nth > 0 {
                stop.cancelled().await;
            }
        }
    });
    sleep(Duration::from_secs(5)).await;
    assert_eq!((starts.load(SeqCst), restarts(&tasks, "short")), (2, 1));
    assert_eq!(tasks.failing(), Vec::<&str>::new());
    assert_eq!(tasks.stop().await, Vec::<&str>::new());
    assert_eq!(starts.load(SeqCst), 2, "an end that was asked for is no failure");
}

#[tokio::test(start_paused = true)]
async fn failing_task_is_reported_until_it_recovers() {
    let tasks = tasks();
    let (starts, stop) = (AtomicU32::new(0), tasks.stop_token());
    tasks.spawn("ill", move || {
        let (nth, stop) = (starts.fetch_add(1, SeqCst), stop.clone());
        async move {
            assert!(nth >= 3, "on purpose");
            stop.cancelled().await;
        }
    });
    sleep(Duration::from_millis(1_500)).await;
    assert_eq!(tasks.failing(), Vec::<&str>::new(), "two failures may be chance");
    sleep(Duration::from_secs(2)).await;
    assert_eq!(tasks.failing(), ["ill"]);
    sleep(Duration::from_secs(10)).await;
    assert_eq!(tasks.failing(), ["ill"], "running again, but only just");
    sleep(CALM).await;
    assert_eq!(tasks.failing(), Vec::<&str>::new());
    tasks.stop().await;
}

#[tokio::test(start_paused = true)]
async fn stop_times_out_and_names_remaining_tasks() {
    let tasks = tasks();
    let stop = tasks.stop_token();
    tasks.spawn("obedient", move || {
        let stop = stop.clone();
        async move {
            stop.cancelled().await;
            sleep(Duration::from_secs(3)).await;
        }
    });
    tasks.spawn("deaf", std::future::pending);
    sleep(Duration::from_millis(1)).await;
    let start = Instant::now();
    assert_eq!(tasks.stop().await, ["deaf"]);
    assert_eq!(start.elapsed(), TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn stop_does_not_wait_out_a_pause() {
    let tasks = tasks();
    let mut starts = dying(&tasks);
    for _ in 0..6 {
        starts.recv().await.expect("a start");
    }
    let start = Instant::now();
    assert_eq!(tasks.stop().await, Vec::<&str>::new());
    assert!(start.elapsed() < FIRST_PAUSE);
}

#[tokio::test(start_paused = true)]
async fn work_for_later_begins_once_requests_are_answered() {
    let tasks = tasks();
    let (begin, mut starts) = mpsc::unbounded_channel();
    let stop = tasks.stop_token();
    tasks.spawn_when_ready("later", move || {
        begin.send(()).expect("somebody listens");
        let stop = stop.clone();
        async move { stop.cancelled().await }
    });
    sleep(Duration::from_secs(5)).await;
    assert!(starts.try_recv().is_err(), "nothing is answered yet");
    tasks.announce_ready();
    assert_eq!(starts.recv().await, Some(()));
    assert_eq!(tasks.stop().await, Vec::<&str>::new());
}

#[tokio::test(start_paused = true)]
async fn work_for_later_never_begins_when_stopped_before() {
    let tasks = tasks();
    tasks.spawn_when_ready("later", || async { unreachable!("it was not ready") });
    assert_eq!(tasks.stop().await, Vec::<&str>::new());
    assert_eq!(restarts(&tasks, "later"), 0);
}
