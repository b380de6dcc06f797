use chrono::DateTime;

use super::*;
use crate::model::nickname::Nickname;
use crate::model::voter::NetworkHash;
use crate::secret::Key;
use compat_proof_of_work::Proof;

const SERVER: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);

/// A ballot that shares only the server with the other ballots.
fn ballot(number: usize) -> Ballot {
    let address = u32::try_from(number).expect("a small number");
    Ballot {
        server: SERVER,
        voter: IpHash::of(&Key::for_tests("addresses"), std::net::Ipv4Addr::from(address).into()),
        network: NetworkHash::of(
            &Key::for_tests("addresses"),
            std::net::Ipv4Addr::from(address).into(),
        ),
        account: None,
        nickname: Nickname::parse(&format!("Voter {number}")).expect("a nickname"),
        proof: Proof { nonce: format!("nonce {number}"), expires_at: DateTime::UNIX_EPOCH },
        ticket: None,
        at: DateTime::UNIX_EPOCH,
    }
}

fn enter(queue: &mut Queue, ballot: Ballot) -> Result<QueueKey, Refusal> {
    let until = Instant::now() + std::time::Duration::from_secs(60);
    queue.enqueue(PendingVote { ballot, until, reply: oneshot::channel().0 })
}

/// The nicknames in the next batch.
fn take_names(queue: &mut Queue) -> Vec<String> {
    let batch = queue.take().map(|batch| batch.ballots).unwrap_or_default();
    batch.iter().map(|(_, waiting)| waiting.ballot.nickname.as_str().to_owned()).collect()
}

fn voters(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    numbers.into_iter().map(|number| format!("Voter {number}")).collect()
}

#[tokio::test]
async fn waiting_ballots_form_the_next_batch() {
    let mut queue = Queue::default();
    enter(&mut queue, ballot(0)).expect("entered");
    assert_eq!(take_names(&mut queue), voters([0]));
    for number in 1..=BATCH_SIZE + 1 {
        enter(&mut queue, ballot(number)).expect("entered");
    }
    assert!(take_names(&mut queue).is_empty(), "one at a time");
    queue.finish(None);
    assert_eq!(take_names(&mut queue), voters(1..=BATCH_SIZE));
    queue.finish(None);
    assert_eq!(take_names(&mut queue), voters([BATCH_SIZE + 1]));
    queue.finish(None);
    assert!(queue.clients.is_empty());
}

#[tokio::test]
async fn conflicting_ballots_are_not_batched_together() {
    let account = Some(Uuid::from_u128(7));
    let first = || Ballot { account, ..ballot(0) };
    let same: [fn(Ballot) -> Ballot; 4] = [
        |first| Ballot { voter: first.voter, ..ballot(1) },
        |first| Ballot { account: first.account, ..ballot(1) },
        |first| Ballot {
            nickname: Nickname::parse("vOTER 0").expect("a name"),
            ..ballot(first.server.as_u128() as usize)
        },
        |first| Ballot { proof: first.proof, ..ballot(1) },
    ];
    for (index, same) in same.into_iter().enumerate() {
        let mut queue = Queue::default();
        enter(&mut queue, first()).expect("entered");
        enter(&mut queue, same(first())).expect("entered");
        enter(&mut queue, ballot(9)).expect("entered");
        assert_eq!(take_names(&mut queue), voters([0, 9]), "{index}");
        queue.finish(None);
        assert_eq!(take_names(&mut queue).len(), 1, "{index}");
    }
    // Ballots for different servers conflict only by their challenge.
    let mut queue = Queue::default();
    enter(&mut queue, first()).expect("entered");
    let elsewhere = Ballot { server: OTHER, proof: ballot(1).proof, ..first() };
    enter(&mut queue, elsewhere).expect("entered");
    assert_eq!(take_names(&mut queue), voters([0, 0]));
}

#[tokio::test]
async fn one_address_neither_fills_nor_heads_the_queue() {
    let mut queue = Queue::default();
    let greedy = |number| Ballot {
        voter: ballot(0).voter,
        server: Uuid::from_u128(number as u128),
        ..ballot(number)
    };
    for number in 0..CAPACITY_PER_CLIENT {
        enter(&mut queue, greedy(number)).expect("entered");
    }
    let refusal = enter(&mut queue, greedy(CAPACITY_PER_CLIENT));
    assert!(matches!(refusal, Err(Refusal::Overloaded)));
    enter(&mut queue, ballot(100)).expect("entered");
    enter(&mut queue, ballot(101)).expect("entered");
    let order = take_names(&mut queue);
    assert_eq!(order[..4], voters([0, 100, 101, 1]));
}

#[tokio::test]
async fn full_queue_refuses_until_a_ballot_is_cancelled() {
    let mut queue = Queue::default();
    let keys: Vec<_> =
        (0..CAPACITY).map(|number| enter(&mut queue, ballot(number)).expect("entered")).collect();
    assert!(matches!(enter(&mut queue, ballot(CAPACITY)), Err(Refusal::Overloaded)));
    assert!(queue.cancel(keys[0]));
    assert!(!queue.cancel(keys[0]));
    enter(&mut queue, ballot(CAPACITY)).expect("entered");
    assert_eq!(take_names(&mut queue)[0], "Voter 1");
}

#[tokio::test]
async fn blocked_servers_wait_in_their_own_batch() {
    let mut queue = Queue::default();
    for number in 0..3 {
        enter(&mut queue, ballot(number)).expect("entered");
    }
    let batch = queue.take().expect("a batch");
    queue.mark_blocked(SERVER);
    for (key, waiting) in batch.ballots {
        queue.put(key, waiting);
    }
    enter(&mut queue, Ballot { server: OTHER, ..ballot(5) }).expect("entered");
    let aside = queue.take().expect("those of the held server");
    assert_eq!((aside.blocking_server, aside.ballots.len()), (Some(SERVER), 3));
    queue.finish(None);
    enter(&mut queue, ballot(6)).expect("entered");
    assert_eq!(take_names(&mut queue), voters([5]), "whoever votes for another server");
    queue.finish(None);
    assert!(queue.take().is_none(), "the rest waits for the server");
    queue.finish(aside.blocking_server);
    assert_eq!(take_names(&mut queue), voters([6]));
}
