//! Batches of ballots: each ballot gets its own answer, once, whatever happens to the others.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use futures_util::future::join_all;
use serde_json::Value;
use uuid::Uuid;

use crate::world::{VoteAttempt, World, status_and_body};

/// A first vote of a new voter for a server.
fn voter(server: Uuid, number: u16) -> VoteAttempt {
    let [high, low] = number.to_be_bytes();
    VoteAttempt {
        ip: [10, 1, high, low].into(),
        ..VoteAttempt::guest(server, &format!("Voter{number}"), 0)
    }
}

/// Solves a challenge for each attempt.
async fn solved(world: &World, tries: Vec<VoteAttempt>) -> Vec<(VoteAttempt, String)> {
    let captchas = join_all(tries.iter().map(|one| world.solved(one.server, one.ip))).await;
    tries.into_iter().zip(captchas).collect()
}

async fn statuses(world: &World, tries: &[(VoteAttempt, String)]) -> Vec<u16> {
    let votes = join_all(tries.iter().map(|(one, captcha)| world.vote_with(one, captcha))).await;
    votes.iter().map(|answer| status_and_body(answer).0).collect()
}

/// Locks a server's standing until the transaction is dropped.
async fn held(world: &World, server: Uuid) -> Owner {
    let mut owner = world.begin().await;
    sqlx::query("select from public.server_standings where server_id = $1 for no key update")
        .bind(server)
        .execute(&mut *owner)
        .await
        .expect("held");
    owner
}

/// Whether every figure equals a recount of the votes.
async fn adds_up(world: &World) -> bool {
    let mut owner = world.begin().await;
    sqlx::query_scalar(
        "select not exists (
             select from public.server_standings as t
             left join lateral (
                 select count(*) as votes from public.votes as v where v.server_id = t.server_id
             ) as cast_ones on true
             left join lateral (
                 select coalesce(sum(c.votes), 0) as votes
                 from public.server_daily_counts as c where c.server_id = t.server_id
             ) as daily on true
             where not (t.total_votes = cast_ones.votes and t.monthly_votes = cast_ones.votes
                 and t.weekly_votes = cast_ones.votes and t.daily_votes = cast_ones.votes
                 and daily.votes = cast_ones.votes)
         )
         and (select count(*) * 3 from public.votes)
             = (select coalesce(sum(votes), 0) from public.voter_totals)
         and (select count(*) from public.votes where user_id is not null)
             = (select coalesce(sum(total_votes), 0) from public.profiles)",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("an answer")
}

#[tokio::test]
async fn concurrent_votes_for_many_servers_count_once() {
    let world = World::new().await;
    let mut servers = Vec::new();
    for number in 0..5 {
        servers.push(world.server(&format!("Server {number}")).await);
    }
    world.account("ada").await;
    let mut tries: Vec<VoteAttempt> =
        (0..100).map(|number| voter(servers[usize::from(number) % 5], number)).collect();
    // Somebody votes for all of them at once.
    tries.extend(servers.iter().map(|server| voter(*server, 200).signed_in("ada")));
    let tries = solved(&world, tries).await;
    assert_eq!(statuses(&world, &tries).await, vec![200; 105]);
    assert!(adds_up(&world).await);
    // The same ballots again, as from clients that lost the responses.
    assert_eq!(statuses(&world, &tries).await, vec![429; 105]);
    assert_eq!(world.vote_count().await, 105);
}

#[tokio::test]
async fn each_ballot_receives_its_own_answer() {
    let world = World::new().await;
    let (server, hidden) = (world.server("Open").await, world.server("Hidden").await);
    let mine = world.server_of("Minecraft", "Blocks").await;
    world.account("boris").await;
    let spent = solved(&world, vec![voter(server, 50), voter(server, 51)]).await;
    assert_eq!(statuses(&world, &spent).await, [200, 200]);
    world.sql("update public.servers set is_hidden = true where name = 'Hidden'").await;
    world.sql("update public.profiles set is_banned = true where username = 'boris'").await;
    let mut tries = solved(
        &world,
        vec![
            voter(server, 1),
            voter(server, 2).signed_in("boris"),
            voter(server, 50),
            VoteAttempt { nickname: "no such name".into(), ..voter(mine, 3) },
            voter(mine, 3),
            voter(server, 4),
            voter(server, 5),
        ],
    )
    .await;
    tries[5].1 = spent[0].1.clone();
    let nowhere = world.solved(hidden, [10, 1, 0, 9].into()).await;
    tries.push((voter(hidden, 9), nowhere));
    let votes = join_all(tries.iter().map(|(one, captcha)| world.vote_with(one, captcha))).await;
    let answers: Vec<(u16, Value)> = votes.iter().map(status_and_body).collect();
    let codes: Vec<(u16, &str)> = answers
        .iter()
        .map(|(status, body)| (*status, body["code"].as_str().unwrap_or("counted")))
        .collect();
    assert_eq!(
        codes,
        [
            (200, "counted"),
            (403, "banned"),
            (429, "already_voted"),
            (400, "nickname_pattern"),
            (200, "counted"),
            (400, "captcha_failed"),
            (200, "counted"),
            (404, "server_not_found"),
        ]
    );
    let totals: Vec<_> =
        answers.iter().map(|(_, body)| body["data"]["totalVotes"].clone()).collect();
    assert_eq!([&totals[0], &totals[4], &totals[6]], [3, 1, 4]);
    assert!(adds_up(&world).await);
}

#[tokio::test]
async fn failing_ballot_does_not_affect_others() {
    let world = World::new().await;
    let (server, broken) = (world.server("Good").await, world.server_of("Rust", "Broken").await);
    world
        .sql(
            "alter table public.games disable trigger games_check_nickname_pattern;
             update public.games set nickname_pattern = '(' where name = 'Rust'",
        )
        .await;
    let tries: Vec<VoteAttempt> = (0..20)
        .map(|number| voter(if number % 7 == 3 { broken } else { server }, number))
        .collect();
    let tries = solved(&world, tries).await;
    let expected: Vec<u16> =
        (0..20).map(|number| if number % 7 == 3 { 500 } else { 200 }).collect();
    assert_eq!(statuses(&world, &tries).await, expected);
    assert!(adds_up(&world).await);
}

#[tokio::test]
async fn locked_server_does_not_delay_other_ballots() {
    let world = World::new().await;
    let (stuck, free) = (world.server("Stuck").await, world.server("Free").await);
    let lock = held(&world, stuck).await;
    let aside = solved(&world, (0..6).map(|number| voter(stuck, number)).collect()).await;
    let others = solved(&world, (10..30).map(|number| voter(free, number)).collect()).await;
    let stuck_ones = statuses(&world, &aside);
    let free_ones = async {
        world.until_waiting(1).await;
        let answers = statuses(&world, &others).await;
        assert_eq!(world.vote_count().await, 20, "the others are counted before it is let go");
        lock.rollback().await.expect("let go");
        answers
    };
    let (stuck_ones, free_ones) = tokio::join!(stuck_ones, free_ones);
    assert_eq!((stuck_ones, free_ones), (vec![200; 6], vec![200; 20]));
    assert!(adds_up(&world).await);
}

#[tokio::test]
async fn disconnected_voters_cancel_no_other_ballot() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let lock = held(&world, server).await;
    let tries = solved(&world, (0..10).map(|number| voter(server, number)).collect()).await;
    let (leaving, staying) = tries.split_at(5);
    let mut disconnected = Box::pin(statuses(&world, leaving));
    let stays = statuses(&world, staying);
    let go = async {
        // Some ballots are decided already, and others wait in the queue.
        tokio::select! {
            _ = &mut disconnected => unreachable!("the server is held"),
            () = world.until_waiting(1) => drop(disconnected),
        }
        lock.rollback().await.expect("let go");
    };
    let (stays, ()) = tokio::join!(stays, go);
    assert_eq!(stays, [200; 5]);
    // The vote of a disconnected voter is either counted or not, and the voter can try again.
    let again = statuses(&world, leaving).await;
    assert!(again.iter().all(|status| [200, 429].contains(status)), "{again:?}");
    assert_eq!(world.vote_count().await, 10);
    assert!(adds_up(&world).await);
}

#[tokio::test]
async fn a_backend_that_dies_leaves_nothing_half_done() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let lock = held(&world, server).await;
    let tries = solved(&world, (0..8).map(|number| voter(server, number)).collect()).await;
    let kill = async {
        world.until_waiting(1).await;
        let mut owner = world.begin().await;
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'",
        )
        .execute(&mut *owner)
        .await
        .expect("killed");
        lock.rollback().await.expect("let go");
    };
    let (first, ()) = tokio::join!(statuses(&world, &tries), kill);
    let refusal_count = first.iter().filter(|status| **status == 503).count();
    let counted = first.iter().filter(|status| **status == 200).count();
    assert!(refusal_count > 0 && refusal_count + counted == 8, "{first:?}");
    assert_eq!(world.vote_count().await, i64::try_from(counted).expect("few"));
    let again = statuses(&world, &tries).await;
    assert_eq!(again.iter().filter(|status| **status == 200).count(), refusal_count, "{again:?}");
    assert_eq!(world.vote_count().await, 8);
    assert!(adds_up(&world).await);
}

#[tokio::test]
async fn flooding_address_does_not_displace_other_voters() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let lock = held(&world, server).await;
    let mut greedy = Vec::new();
    for number in 0..30 {
        let other = world.server(&format!("Server {number}")).await;
        let nickname = format!("Greedy{number}");
        greedy.push(VoteAttempt {
            ip: [10, 9, 9, 9].into(),
            ..VoteAttempt::guest(other, &nickname, 0)
        });
    }
    let greedy = solved(&world, greedy).await;
    let modest = solved(&world, (0..40).map(|number| voter(server, number)).collect()).await;
    let all = async {
        let (greedy, modest) = tokio::join!(statuses(&world, &greedy), statuses(&world, &modest));
        (greedy, modest)
    };
    let go = async {
        world.until_waiting(1).await;
        lock.rollback().await.expect("let go");
    };
    let ((greedy, modest), ()) = tokio::join!(all, go);
    assert_eq!(modest, [200; 40]);
    // Ballots beyond the queue limit of an address are refused as overloaded.
    assert!(greedy.iter().all(|status| [200, 503].contains(status)), "{greedy:?}");
    assert!(greedy.iter().filter(|status| **status == 200).count() >= 20, "{greedy:?}");
    assert!(adds_up(&world).await);
}

/// Two processes from the database's point of view: two pools, two batchers.
#[tokio::test]
async fn two_processes_agree_over_many_servers() {
    let world = World::new().await;
    let other = world.second_process();
    let mut servers = Vec::new();
    for number in 0..8 {
        servers.push(world.server(&format!("Server {number}")).await);
    }
    for round in 0..4_u16 {
        // Half of the voters vote in both processes.
        let voters = |from: u16| -> Vec<VoteAttempt> {
            (from..from + 80)
                .map(|number| voter(servers[usize::from(number) % 8], round * 1000 + number))
                .rev()
                .collect()
        };
        let here = solved(&world, voters(0)).await;
        let there = solved(&other, voters(40)).await;
        let (here, there) = tokio::join!(statuses(&world, &here), statuses(&other, &there));
        let all: Vec<u16> = here.into_iter().chain(there).collect();
        assert_eq!(all.iter().filter(|status| **status == 200).count(), 120, "{all:?}");
        assert_eq!(all.iter().filter(|status| **status == 429).count(), 40, "{all:?}");
    }
    assert_eq!(world.vote_count().await, 480);
    assert!(adds_up(&world).await);
}

/// The table statistics of the transaction: the sequential scans of each table, and the rows
/// written to standings and days.
async fn work(owner: &mut Owner) -> BTreeMap<String, i64> {
    let figures: Vec<(String, i64)> = sqlx::query_as(
        "select relname::text, seq_scan from pg_stat_xact_user_tables
         union all
         select 'written', sum(n_tup_upd + n_tup_ins)::int8 from pg_stat_xact_user_tables
         where relname in ('server_standings', 'server_daily_counts')",
    )
    .fetch_all(&mut **owner)
    .await
    .expect("figures");
    figures.into_iter().collect()
}

async fn cast(owner: &mut Owner, servers: &[Uuid], from: usize) -> Vec<String> {
    let many = servers.len();
    let text = |kind: &str| -> Vec<String> {
        (from..from + many).map(|number| format!("{kind} of ballot {number}")).collect()
    };
    let at: DateTime<Utc> = DateTime::from_timestamp(1_900_000_000, 0).expect("a moment");
    sqlx::query_scalar(
        "select outcome from public.cast_votes($1, $2, $3, $4, $5, $6, $7, false) order by place",
    )
    .bind(servers)
    .bind(text("address"))
    .bind(vec![None::<Uuid>; many])
    .bind(text("name"))
    .bind(text("challenge"))
    .bind(vec![at; many])
    .bind(vec![at; many])
    .fetch_all(&mut **owner)
    .await
    .expect("outcomes")
}

#[tokio::test]
async fn batch_work_is_independent_of_ballot_count() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    // Other servers and votes, so that a sequential scan would show in the statistics.
    world
        .sql(
            "insert into public.servers (name, game_id, is_approved, ip_address)
             select 'Server ' || n, g.id, true, 'N/A'
             from (select id from public.games limit 1) as g, generate_series(1, 2000) as n;
             insert into public.votes (server_id, nickname, ip_hash, voted_at)
             select id, 'Old ' || n, 'old ' || n, now() from public.servers, generate_series(1, 10) as n;
             analyze",
        )
        .await;
    let mut works = Vec::new();
    for many in [1, 100] {
        let mut owner = world.begin().await;
        let before = work(&mut owner).await;
        assert_eq!(cast(&mut owner, &vec![server; many], 0).await, vec!["accepted"; many]);
        let mut done = work(&mut owner).await;
        done.iter_mut().for_each(|(name, count)| *count -= before[name]);
        works.push(done);
        owner.rollback().await.expect("taken back");
    }
    assert_eq!(works[0], works[1]);
    assert_eq!(works[1]["written"], 2, "one standing, one day");
    for name in ["servers", "server_standings", "votes", "voter_totals", "captcha_spent"] {
        assert_eq!(works[1][name], 0, "{name}");
    }
}

#[tokio::test]
async fn conflicting_ballots_are_decided_in_order() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let mut owner = world.begin().await;
    let outcomes: Vec<String> = sqlx::query_scalar(
        "select outcome from public.cast_votes(
             array_fill($1::uuid, array[5]), array['a', 'a', 'b', 'c', 'd'], array_fill(null::uuid, array[5]),
             array['İda', 'Bob', 'i̇DA', 'Cid', 'Dan'],
             array['0123456789abcde1', '0123456789abcde2', '0123456789abcde3', '0123456789abcde4', '0123456789abcde4'],
             array_fill(now(), array[5]), array_fill(now(), array[5]), true
         ) order by place",
    )
    .bind(server)
    .fetch_all(&mut *owner)
    .await
    .expect("outcomes");
    let same_name: bool = sqlx::query_scalar("select lower('İda') = lower('i̇DA')")
        .fetch_one(&mut *owner)
        .await
        .expect("what the database thinks of the letter");
    let third = if same_name { "deferred" } else { "accepted" };
    assert_eq!(outcomes, ["accepted", "deferred", third, "accepted", "deferred"]);
}
