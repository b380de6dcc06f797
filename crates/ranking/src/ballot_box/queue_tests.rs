use chrono::DateTime;

use super::*;
use crate::captcha::Proof;
use crate::model::nickname::Nickname;
use crate::model::voter::NetworkHash;
use crate::secret::Key;

const SERVER: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);

/// A ballot of its own kind in everything, but for what a test shares.
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

fn enter(queue: &mut Queue, ballot: Ballot) -> Result<Place, Refusal> {
    let until = Instant::now() + std::time::Duration::from_secs(60);
    queue.enter(Waiting { ballot, until, reply: oneshot::channel().0 })
}

/// The names of who is decided now.
fn taken(queue: &mut Queue) -> Vec<String> {
    let batch = queue.take().map(|batch| batch.ballots).unwrap_or_default();
    batch.iter().map(|(_, waiting)| waiting.ballot.nickname.as_str().to_owned()).collect()
}

fn voters(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    numbers.into_iter().map(|number| format!("Voter {number}")).collect()
}

#[tokio::test]
async fn who_comes_while_others_are_decided_is_decided_next_together() {
    let mut queue = Queue::default();
    enter(&mut queue, ballot(0)).expect("entered");
    assert_eq!(taken(&mut queue), voters([0]));
    for number in 1..=TOGETHER + 1 {
        enter(&mut queue, ballot(number)).expect("entered");
    }
    assert!(taken(&mut queue).is_empty(), "one at a time");
    queue.done(None);
    assert_eq!(taken(&mut queue), voters(1..=TOGETHER));
    queue.done(None);
    assert_eq!(taken(&mut queue), voters([TOGETHER + 1]));
    queue.done(None);
    assert!(queue.clients.is_empty());
}

#[tokio::test]
async fn ballots_that_decide_about_each_other_are_not_decided_together() {
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
        assert_eq!(taken(&mut queue), voters([0, 9]), "{index}");
        queue.done(None);
        assert_eq!(taken(&mut queue).len(), 1, "{index}");
    }
    // For another server they have nothing to do with each other, but for the challenge.
    let mut queue = Queue::default();
    enter(&mut queue, first()).expect("entered");
    let elsewhere = Ballot { server: OTHER, proof: ballot(1).proof, ..first() };
    enter(&mut queue, elsewhere).expect("entered");
    assert_eq!(taken(&mut queue), voters([0, 0]));
}

#[tokio::test]
async fn one_address_neither_fills_the_box_nor_goes_before_the_others() {
    let mut queue = Queue::default();
    let greedy = |number| Ballot {
        voter: ballot(0).voter,
        server: Uuid::from_u128(number as u128),
        ..ballot(number)
    };
    for number in 0..MOST_OF_ONE {
        enter(&mut queue, greedy(number)).expect("entered");
    }
    let refused = enter(&mut queue, greedy(MOST_OF_ONE));
    assert!(matches!(refused, Err(Refusal::Crowded)));
    enter(&mut queue, ballot(100)).expect("entered");
    enter(&mut queue, ballot(101)).expect("entered");
    let order = taken(&mut queue);
    assert_eq!(order[..4], voters([0, 100, 101, 1]));
}

#[tokio::test]
async fn the_box_is_bounded_and_who_leaves_makes_room() {
    let mut queue = Queue::default();
    let places: Vec<_> =
        (0..MOST).map(|number| enter(&mut queue, ballot(number)).expect("entered")).collect();
    assert!(matches!(enter(&mut queue, ballot(MOST)), Err(Refusal::Crowded)));
    assert!(queue.leave(places[0]));
    assert!(!queue.leave(places[0]));
    enter(&mut queue, ballot(MOST)).expect("entered");
    assert_eq!(taken(&mut queue)[0], "Voter 1");
}

#[tokio::test]
async fn a_server_somebody_holds_is_waited_for_aside() {
    let mut queue = Queue::default();
    for number in 0..3 {
        enter(&mut queue, ballot(number)).expect("entered");
    }
    let batch = queue.take().expect("a batch");
    queue.hold(SERVER);
    for (place, waiting) in batch.ballots {
        queue.put(place, waiting);
    }
    enter(&mut queue, Ballot { server: OTHER, ..ballot(5) }).expect("entered");
    let aside = queue.take().expect("those of the held server");
    assert_eq!((aside.alone, aside.ballots.len()), (Some(SERVER), 3));
    queue.done(None);
    enter(&mut queue, ballot(6)).expect("entered");
    assert_eq!(taken(&mut queue), voters([5]), "whoever votes for another server");
    queue.done(None);
    assert!(queue.take().is_none(), "the rest waits for the server");
    queue.done(aside.alone);
    assert_eq!(taken(&mut queue), voters([6]));
}
