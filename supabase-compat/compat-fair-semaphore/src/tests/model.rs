//! Compares the semaphore with a simple model of its rule, which looks at all waiting clients on
//! each release.

use std::pin::Pin;

use super::*;
use crate::client::network;

type Call<'a> = Pin<Box<dyn Future<Output = Result<Permit, QueueFull>> + 'a>>;

#[derive(Debug, Clone)]
enum Step {
    /// A client wants a permit.
    Acquire(u8),
    /// The caller with this number, modulo the number of callers, releases its permit or stops
    /// waiting.
    End(usize),
    /// Milliseconds pass.
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => (0..8_u8).prop_map(Step::Acquire),
        4 => any::<usize>().prop_map(Step::End),
        1 => (1..900_u64).prop_map(Step::Wait),
    ];
    proptest::collection::vec(step, 1..80)
}

/// Numbers 0 to 3 are IPv4 addresses; 4 to 7 are IPv6 addresses of two networks.
fn address(number: u8) -> IpAddr {
    match number {
        0..4 => IpAddr::from([10, 0, 0, number]),
        _ => IpAddr::from([0x2001, 0xdb8, u16::from(number / 6), number.into(), 0, 0, 0, 1]),
    }
}

const MOST: usize = 3;
const SLOW_FOR: Duration = Duration::from_secs(2);
const LIMITS: Limits = Limits {
    permits: 5,
    per_client: 2,
    waiting: 12,
    waiting_per_client: 3,
    reserve: Some(Reserve { slow_after: SLOW, slow_for: SLOW_FOR, most: MOST }),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Held(Instant),
    Over,
}

/// The state that the rule expects of each call.
#[derive(Default)]
struct Model {
    calls: Vec<(IpNet, Stage)>,
    slow: Vec<(IpNet, Instant)>,
}

impl Model {
    fn held(&self, of: impl Fn(IpNet) -> bool) -> usize {
        let is_held = |stage: Stage| matches!(stage, Stage::Held(_));
        self.calls.iter().filter(|(client, stage)| is_held(*stage) && of(*client)).count()
    }

    fn waiting(&self, of: impl Fn(IpNet) -> bool) -> usize {
        self.calls.iter().filter(|(client, stage)| *stage == Stage::Waiting && of(*client)).count()
    }

    fn is_slow(&self, client: IpNet, now: Instant) -> bool {
        let is_long = |stage| matches!(stage, Stage::Held(since) if now - since > SLOW);
        self.calls.iter().any(|(other, stage)| *other == client && is_long(*stage))
            || self.slow.iter().any(|(slow, until)| *slow == network(client) && *until > now)
    }

    fn may(&self, client: IpNet, now: Instant) -> bool {
        self.held(|_| true) < LIMITS.permits
            && self.held(|other| other == client) < LIMITS.per_client
            && self.held(|other| network(other) == network(client)) < MOST
            && (!self.is_slow(client, now) || self.held(|other| self.is_slow(other, now)) < MOST)
    }

    fn acquire(&mut self, client: IpNet, now: Instant) {
        let waiting = self.waiting(|other| other == client);
        let stage = if waiting == 0 && self.may(client, now) {
            Stage::Held(now)
        } else if self.waiting(|_| true) < LIMITS.waiting && waiting < LIMITS.waiting_per_client {
            Stage::Waiting
        } else {
            Stage::Over
        };
        self.calls.push((client, stage));
    }

    fn end(&mut self, number: usize, now: Instant) {
        let (client, stage) = self.calls[number];
        self.calls[number].1 = Stage::Over;
        let Stage::Held(since) = stage else { return };
        if now - since > SLOW {
            self.slow.push((network(client), now + SLOW_FOR));
        }
        while let Some(next) = self.next(now) {
            self.calls[next].1 = Stage::Held(now);
        }
    }

    fn next(&self, now: Instant) -> Option<usize> {
        let calls = self.calls.iter().enumerate();
        calls
            .filter(|(_, (client, stage))| *stage == Stage::Waiting && self.may(*client, now))
            .min_by_key(|(number, (client, _))| (self.held(|other| other == *client), *number))
            .map(|(number, _)| number)
    }
}

/// A caller of the real semaphore.
enum Caller<'a> {
    Waiting(Call<'a>),
    Held(Permit),
    Over,
}

impl Caller<'_> {
    fn poll(&mut self) {
        let Self::Waiting(call) = self else { return };
        match call.as_mut().now_or_never() {
            None => {}
            Some(Ok(permit)) => *self = Self::Held(permit),
            Some(Err(QueueFull)) => *self = Self::Over,
        }
    }

    fn is_at(&self, client: IpNet, stage: Stage) -> bool {
        match (self, stage) {
            (Self::Waiting(_), Stage::Waiting) | (Self::Over, Stage::Over) => true,
            (Self::Held(permit), Stage::Held(_)) => permit.client == client,
            _ => false,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn random_calls_follow_the_model() {
    property_test_async("permits", steps(), async |steps: Vec<Step>| {
        let semaphore = FairSemaphore::new(LIMITS);
        let (mut callers, mut model) = (Vec::<Caller<'_>>::new(), Model::default());
        for step in steps {
            let now = Instant::now();
            match step {
                Step::Acquire(number) => {
                    callers.push(Caller::Waiting(Box::pin(semaphore.acquire(address(number)))));
                    model.acquire(client_prefix(address(number)), now);
                }
                Step::End(number) if !callers.is_empty() => {
                    let number = number % callers.len();
                    callers[number] = Caller::Over;
                    model.end(number, now);
                }
                Step::End(_) => {}
                Step::Wait(milliseconds) => {
                    tokio::time::advance(Duration::from_millis(milliseconds)).await;
                }
            }
            callers.iter_mut().for_each(Caller::poll);
            for (caller, (client, stage)) in callers.iter().zip(&model.calls) {
                assert!(caller.is_at(*client, *stage), "{client}: {stage:?}");
            }
        }
        drop(callers);
        assert!(semaphore.lock().is_idle());
    })
    .await;
}
