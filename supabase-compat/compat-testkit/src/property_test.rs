//! Random input for code that parses input of strangers: a little in every test run, and as long as
//! wanted under `just fuzz`.
//!
//! Every case has a seed of its own, one above that of the case before, so the seed a failure
//! prints begins with the very case that failed. This module does not know what is tested.

use std::any::Any;
use std::env::VarError;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use uuid::Uuid;

/// Cases of an ordinary test run.
const CASES: u64 = 256;

/// Tries to make a failing value smaller; each may cost a request.
const SMALLER: usize = 512;

/// Calls `test` with random values; it panics if one of them violates the tested property.
///
/// The first seed is fresh and printed; 256 cases are tried. `FUZZ_SECONDS=n` tries for `n`
/// seconds instead, `FUZZ_SEED=n` begins with that case. The name of the test that calls this
/// begins with `random_`, by which `just fuzz` finds it.
///
/// # Panics
/// When `test` does, with the seed and the smallest value found that still fails.
pub fn property_test<S: Strategy>(name: &str, strategy: S, test: impl Fn(S::Value)) {
    let ready = async |value| test(value);
    let over = property_test_async(name, strategy, ready).now_or_never();
    over.expect("a test that does not wait is over at once");
}

/// A property test whose test is asynchronous, for instance because it waits for a router's
/// response.
///
/// # Panics
/// As [`property_test`] does.
pub async fn property_test_async<S: Strategy>(
    name: &str,
    strategy: S,
    test: impl AsyncFn(S::Value),
) {
    let test_runner = Runner::from_environment();
    eprintln!("property test {name}: FUZZ_SEED={}", test_runner.seed);
    if let Err(failure) = test_runner.run(name, &strategy, &test).await {
        panic!("property test {name}: {failure}");
    }
}

/// How long a property test lasts and where it begins.
#[derive(Clone, Copy)]
struct Runner {
    seed: u64,
    /// Without it, [`CASES`] are tried.
    duration: Option<Duration>,
}

impl Runner {
    fn from_environment() -> Self {
        let duration = number("FUZZ_SECONDS").map(Duration::from_secs);
        Self { seed: number("FUZZ_SEED").unwrap_or_else(fresh), duration }
    }

    /// Tries cases until enough were tried or one failed; the error describes the failure.
    async fn run<S: Strategy>(
        self,
        name: &str,
        strategy: &S,
        test: &impl AsyncFn(S::Value),
    ) -> Result<u64, String> {
        let started = Instant::now();
        let mut reported = 0;
        for cases in 0.. {
            let over =
                self.duration.map_or(cases == CASES, |duration| started.elapsed() >= duration);
            if over {
                return Ok(cases);
            }
            let seed = self.seed.wrapping_add(cases);
            // A process that dies in the middle, of its stack for instance, prints nothing more.
            if started.elapsed().as_secs() > reported {
                reported = started.elapsed().as_secs();
                eprintln!("property test {name}: FUZZ_SEED={seed} after {cases} cases");
            }
            try_one(seed, strategy, test).await?;
        }
        unreachable!("nobody waits for so many cases")
    }
}

async fn try_one<S: Strategy>(
    seed: u64,
    strategy: &S,
    test: &impl AsyncFn(S::Value),
) -> Result<(), String> {
    let mut tree = strategy
        .new_tree(&mut test_runner(seed))
        .map_err(|reason| format!("no value can be drawn: {reason}"))?;
    let Err(mut reason) = attempt(test, tree.current()).await else { return Ok(()) };
    let mut smallest = format!("{:?}", tree.current());
    let mut may_shrink = tree.simplify();
    for _ in 0..SMALLER {
        if !may_shrink {
            break;
        }
        may_shrink = match attempt(test, tree.current()).await {
            Ok(()) => tree.complicate(),
            Err(also) => {
                reason = also;
                smallest = format!("{:?}", tree.current());
                tree.simplify()
            }
        };
    }
    Err(format!("{reason}\n  with {smallest}\n  run it again with FUZZ_SEED={seed}"))
}

/// The reason for which the test panics.
async fn attempt<V>(test: &impl AsyncFn(V), value: V) -> Result<(), String> {
    let outcome = AssertUnwindSafe(test(value)).catch_unwind().await;
    outcome.map_err(|panic| words(&*panic))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let fixed = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = panic.downcast_ref::<String>().cloned();
    fixed.or(message).unwrap_or_else(|| "a panic without words".to_owned())
}

/// Randomness that is repeatable with the seed. Nothing is written to files: the seed is enough.
fn test_runner(seed: u64) -> TestRunner {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &key))
}

#[expect(clippy::disallowed_methods, reason = "the program that runs the tests decides")]
fn number(name: &str) -> Option<u64> {
    match std::env::var(name) {
        Ok(text) => Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a whole number"))),
        Err(VarError::NotPresent) => None,
        Err(VarError::NotUnicode(_)) => panic!("{name} is not a whole number"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test that always begins alike finds nothing new")]
fn fresh() -> u64 {
    Uuid::new_v4().as_u64_pair().1
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use proptest::collection::vec;
    use proptest::prelude::any;

    use super::*;

    fn run<S: Strategy>(
        test_runner: Runner,
        strategy: S,
        test: impl Fn(S::Value),
    ) -> Result<u64, String> {
        let ready = async |value| test(value);
        test_runner.run("of a test", &strategy, &ready).now_or_never().unwrap()
    }

    #[test]
    fn ordinary_run_tries_hundreds_of_different_values() {
        let seen_values = RefCell::new(Vec::new());
        let test_runner = Runner { seed: 1, duration: None };
        let cases = run(test_runner, any::<u64>(), |value| seen_values.borrow_mut().push(value));
        assert_eq!(cases, Ok(CASES));
        let mut seen_values = seen_values.into_inner();
        seen_values.sort_unstable();
        seen_values.dedup();
        assert_eq!(seen_values.len() as u64, CASES);
    }

    #[test]
    fn printed_seed_begins_with_the_case_that_failed() {
        let test = |values: Vec<u8>| assert!(!values.contains(&7), "seven");
        let test_runner = Runner { seed: 99, duration: Some(Duration::from_secs(60)) };
        let failure = run(test_runner, vec(any::<u8>(), 0..40), test).unwrap_err();
        assert!(failure.starts_with("seven\n  with [7]\n"), "{failure}");
        let seed = failure.rsplit_once('=').unwrap().1.parse().unwrap();
        let tries = Cell::new(0);
        let again = Runner { seed, duration: None };
        let same = run(again, vec(any::<u8>(), 0..40), |values| {
            tries.set(tries.get() + 1);
            assert!(tries.get() > 1 || values.contains(&7), "another case came first");
            test(values);
        });
        assert_eq!(same.unwrap_err(), failure);
    }

    #[test]
    fn timed_run_lasts_its_time() {
        let duration = Duration::from_millis(50);
        let started = Instant::now();
        let cases = run(Runner { seed: 1, duration: Some(duration) }, any::<bool>(), |_| ());
        assert!(cases.unwrap() > 0);
        assert!(started.elapsed() >= duration);
    }

    #[tokio::test]
    async fn waiting_property_holds_when_nothing_breaks() {
        property_test_async("of a test that waits", any::<u8>(), async |_| {
            tokio::task::yield_now().await
        })
        .await;
    }

    #[test]
    #[should_panic(expected = "FUZZ_SEED=")]
    fn failing_case_fails_the_property_test() {
        property_test("of a test", any::<u8>(), |_| panic!("broken"));
    }
}
