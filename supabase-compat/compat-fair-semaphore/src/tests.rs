use compat_testkit::property_test_async;
use futures_util::FutureExt as _;
use proptest::prelude::*;

use super::*;

mod model;

const SLOW: Duration = Duration::from_millis(500);
const MINUTE: Duration = Duration::from_secs(60);

fn semaphore(permits: usize, per_client: usize) -> FairSemaphore {
    FairSemaphore::new(Limits {
        permits,
        per_client,
        waiting: 8,
        waiting_per_client: 2,
        reserve: None,
    })
}

/// Ten permits, three for one client; slow after half a second, for a minute.
fn reserved() -> FairSemaphore {
    FairSemaphore::new(Limits {
        permits: 10,
        per_client: 3,
        waiting: 100,
        waiting_per_client: 100,
        reserve: Some(Reserve { slow_after: SLOW, slow_for: MINUTE, most: 5 }),
    })
}

/// All permits that the client gets without waiting.
fn acquired(semaphore: &FairSemaphore, client: IpAddr) -> Vec<Permit> {
    std::iter::from_fn(|| semaphore.acquire(client).now_or_never()).flatten().collect()
}

fn client(number: u8) -> IpAddr {
    IpAddr::from([10, 0, 0, number])
}

async fn some(semaphore: &FairSemaphore, client: IpAddr, many: usize) -> Vec<Permit> {
    let mut held = Vec::new();
    for _ in 0..many {
        held.push(semaphore.acquire(client).await.expect("a permit"));
    }
    held
}

#[tokio::test]
async fn one_client_leaves_permits_to_the_others() {
    let semaphore = semaphore(6, 4);
    let held_permits = some(&semaphore, client(1), 4).await;
    assert!(semaphore.acquire(client(1)).now_or_never().is_none());
    let modest = some(&semaphore, client(2), 2).await;
    drop((held_permits, modest));
    assert!(semaphore.lock().is_idle());
}

#[tokio::test]
async fn free_permit_goes_to_client_with_fewest() {
    let semaphore = semaphore(4, 3);
    let (mut first, _second) =
        (some(&semaphore, client(1), 2).await, some(&semaphore, client(2), 2).await);
    let mut again = Box::pin(semaphore.acquire(client(1)));
    let mut third = Box::pin(semaphore.acquire(client(3)));
    assert!(again.as_mut().now_or_never().is_none());
    assert!(third.as_mut().now_or_never().is_none());
    first.pop();
    let third = third.now_or_never().expect("served first").expect("a permit");
    assert!(again.as_mut().now_or_never().is_none());
    drop(third);
    assert!(again.now_or_never().expect("served then").is_ok());
}

#[tokio::test]
async fn caller_that_stops_waiting_leaves_nothing() {
    let semaphore = semaphore(1, 1);
    let held = semaphore.acquire(client(1)).await.expect("a permit");
    for _ in 0..3 {
        let mut waiting = Box::pin(semaphore.acquire(client(2)));
        assert!(waiting.as_mut().now_or_never().is_none());
    }
    drop(held);
    assert_eq!(semaphore.lock().free(), 1);
    assert!(semaphore.acquire(client(3)).now_or_never().expect("free").is_ok());
    assert!(semaphore.lock().is_idle());
}

#[tokio::test]
async fn queue_is_bounded_in_total_and_per_client() {
    let semaphore = semaphore(1, 1);
    let held = semaphore.acquire(client(9)).await;
    let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(semaphore.acquire(client(1)))).collect();
    assert!(waiting.iter_mut().all(|call| call.as_mut().now_or_never().is_none()));
    assert_eq!(
        semaphore.acquire(client(1)).now_or_never().expect("refused").err(),
        Some(QueueFull)
    );
    let mut others: Vec<_> =
        (2..8).map(|number| Box::pin(semaphore.acquire(client(number)))).collect();
    assert!(others.iter_mut().all(|call| call.as_mut().now_or_never().is_none()));
    assert_eq!(
        semaphore.acquire(client(8)).now_or_never().expect("refused").err(),
        Some(QueueFull)
    );
    waiting.pop();
    assert!(semaphore.acquire(client(8)).now_or_never().is_none());
    drop((waiting, others));
    assert_eq!(semaphore.lock().waiting(), 0);
    drop(held);
    assert!(semaphore.lock().is_idle());
}

#[tokio::test(start_paused = true)]
async fn slow_clients_together_leave_half_to_the_others() {
    let semaphore = reserved();
    let mut slow: Vec<Permit> =
        [1, 2].iter().flat_map(|&number| acquired(&semaphore, client(number))).collect();
    assert_eq!(slow.len(), 6);
    tokio::time::advance(SLOW * 2).await;
    // After two releases the slow clients hold four permits; they may hold a fifth, and no more.
    slow.drain(..2);
    let again = acquired(&semaphore, client(1));
    assert_eq!(again.len(), 1);
    assert_eq!(acquired(&semaphore, client(2)).len(), 0);
    let others: Vec<Permit> =
        [3, 4].iter().flat_map(|&number| acquired(&semaphore, client(number))).collect();
    assert_eq!(others.len(), 5);
}

#[tokio::test(start_paused = true)]
async fn freed_permit_skips_slow_client_in_queue() {
    let semaphore = reserved();
    let mut held: Vec<Permit> =
        [1, 2, 3].iter().flat_map(|&number| acquired(&semaphore, client(number))).collect();
    let last = semaphore.acquire(client(4)).await.expect("a permit");
    tokio::time::advance(SLOW * 2).await;
    let mut again = Box::pin(semaphore.acquire(client(5)));
    let mut slow = Box::pin(semaphore.acquire(client(1)));
    assert!(slow.as_mut().now_or_never().is_none());
    assert!(again.as_mut().now_or_never().is_none());
    held.pop();
    assert!(slow.as_mut().now_or_never().is_none());
    let fifth = again.now_or_never().expect("served first").expect("a permit");
    drop((fifth, last));
    assert!(slow.now_or_never().is_none());
}

#[tokio::test(start_paused = true)]
async fn slow_client_is_forgiven_after_the_agreed_time() {
    let semaphore = reserved();
    let slow: Vec<Permit> =
        [1, 2, 3].iter().flat_map(|&number| acquired(&semaphore, client(number))).collect();
    tokio::time::advance(SLOW * 2).await;
    drop(slow);
    assert_eq!(semaphore.lock().slow_networks(), 3);
    let held = (acquired(&semaphore, client(1)), acquired(&semaphore, client(2)));
    assert_eq!((held.0.len(), held.1.len()), (3, 2));
    drop(held);
    tokio::time::advance(MINUTE).await;
    let held = (acquired(&semaphore, client(1)), acquired(&semaphore, client(2)));
    assert_eq!((held.0.len(), held.1.len()), (3, 3));
    assert_eq!(semaphore.lock().slow_networks(), 0);
}

#[tokio::test(start_paused = true)]
async fn addresses_of_one_network_hold_half_together() {
    let semaphore = reserved();
    let held: Vec<Permit> = (0..10)
        .flat_map(|number| {
            acquired(&semaphore, format!("2001:db8:0:{number}::1").parse().expect("one"))
        })
        .collect();
    assert_eq!(held.len(), 5);
    assert_eq!(acquired(&semaphore, "2001:db8:1::1".parse().expect("another")).len(), 3);
}

#[tokio::test]
async fn mapped_address_shares_the_limit_of_its_client() {
    let semaphore = semaphore(4, 1);
    let _held = semaphore.acquire("203.0.113.9".parse().expect("an address")).await;
    let mapped = "::ffff:203.0.113.9".parse().expect("an address");
    assert!(semaphore.acquire(mapped).now_or_never().is_none());
}

/// An implementation that looked at all waiting calls on each release took minutes here.
#[tokio::test]
async fn hand_over_to_many_waiting_clients_is_quick() {
    const WAITING: u16 = 10_000;
    let semaphore = FairSemaphore::new(Limits {
        permits: 10,
        per_client: 3,
        waiting: usize::MAX,
        waiting_per_client: usize::MAX,
        reserve: Some(Reserve { slow_after: SLOW, slow_for: MINUTE, most: 5 }),
    });
    // Half of the clients are in one IPv6 network, which soon reaches its limit; each of the others
    // has an IPv4 address of its own.
    let address = |number: u16| match number % 2 {
        0 => IpAddr::from([0x2001, 0xdb8, 0, number, 0, 0, 0, 1]),
        _ => IpAddr::from([10, 1, (number >> 8) as u8, number as u8]),
    };
    let mut held = Vec::new();
    for number in 0..10 {
        held.push(semaphore.acquire(client(number)).await.expect("a permit"));
    }
    let waiting: Vec<_> = (0..WAITING)
        .map(|number| {
            let semaphore = semaphore.clone();
            tokio::spawn(async move { semaphore.acquire(address(number)).await.map(drop) })
        })
        .collect();
    while semaphore.lock().waiting() < usize::from(WAITING) {
        tokio::task::yield_now().await;
    }
    let began = std::time::Instant::now();
    drop(held);
    for call in waiting {
        assert_eq!(call.await.expect("no panic"), Ok(()));
    }
    let lasted = began.elapsed();
    assert!(semaphore.lock().is_idle());
    assert!(lasted < Duration::from_secs(10), "{lasted:?}");
}
