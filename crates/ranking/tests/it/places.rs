//! The ranks that are stored at the end of a day and of a month, and how far servers climb in
//! between.

use std::time::Duration;

use ranking::jobs;

use crate::world::{VoteAttempt, World, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Sets the votes of this month by server name, as if they were cast on earlier days.
async fn voted(world: &World, votes: &[(&str, i32)]) {
    for (name, votes) in votes {
        let mut owner = world.begin().await;
        sqlx::query(
            "update public.server_standings as t
             set monthly_votes = $2, total_votes = $2, month = public.month_of(public.site_day($3)),
                 daily_votes = 0, day = public.site_day($3)
             from public.servers as s where s.id = t.server_id and s.name = $1",
        )
        .bind(name)
        .bind(votes)
        .bind(world.clock().now())
        .execute(&mut *owner)
        .await
        .expect("votes");
        owner.commit().await.expect("committed");
    }
}

type PlaceRow = (String, Option<i32>, Option<i32>, bool);

/// The name, the ranks of the day, and whether the server is rising; rising servers first.
async fn places(world: &World) -> Vec<PlaceRow> {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select name, day_rank, day_game_rank, rise > 0 from public.servers_public
         order by rise desc, name",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("places")
}

fn place(name: &str, all: Option<i32>, game: Option<i32>, rises: bool) -> PlaceRow {
    (name.into(), all, game, rises)
}

#[tokio::test]
async fn places_are_compared_to_the_day_start() {
    let world = World::new().await;
    world.server("First").await;
    world.server_of("Rust", "Second").await;
    let third = world.server("Third").await;
    world.server("Unknown").await;
    voted(&world, &[("First", 9), ("Second", 5), ("Third", 4)]).await;
    assert!(jobs::close_vote_periods(&world.state).await.expect("done"));
    let pages = [
        place("First", Some(1), Some(1), false),
        place("Second", Some(2), Some(1), false),
        place("Third", Some(3), Some(2), false),
        place("Unknown", None, None, false),
    ];
    assert_eq!(places(&world).await, pages);

    for voter in 1..=2 {
        let vote = VoteAttempt::guest(third, &format!("Ada{voter}"), voter);
        assert_eq!(world.vote(&vote).await.status, 200);
    }
    work(&world.state, "ranking.refresh_ranks").await.expect("done");
    jobs::refresh_rises(&world.state).await.expect("done");
    let mut climbed = pages.to_vec();
    climbed.sort_by_key(|place| (place.0 != "Third", place.0.clone()));
    climbed[0].3 = true;
    assert_eq!(places(&world).await, climbed);
    // The ranks of a day are stored only once.
    assert!(!jobs::close_vote_periods(&world.state).await.expect("done"));
    assert_eq!(places(&world).await, climbed);

    world.clock().advance(DAY);
    assert!(jobs::close_vote_periods(&world.state).await.expect("done"));
    let third = (Some(2), Some(2), false);
    let now = places(&world).await;
    let found =
        now.iter().find(|place| place.0 == "Third").map(|place| (place.1, place.2, place.3));
    assert_eq!(found, Some(third));
}

#[tokio::test]
async fn a_day_ends_however_long_other_figures_take() {
    let world = World::new().await;
    world.server("First").await;
    let mut other = world.begin().await;
    sqlx::query("lock table public.game_figures in access exclusive mode")
        .execute(&mut *other)
        .await
        .expect("locked");
    let state = world.state.clone();
    let counting = tokio::spawn(async move { work(&state, "ranking.refresh_game_figures").await });
    world.until_waiting(1).await;
    assert!(jobs::close_vote_periods(&world.state).await.expect("closed"));
    other.rollback().await.expect("unlocked");
    counting.await.expect("no panic").expect("counted");
}

#[tokio::test]
async fn a_month_begins_without_places_to_compare_to() {
    let world = World::new().await;
    world.server("First").await;
    voted(&world, &[("First", 9)]).await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    assert_eq!(places(&world).await, [place("First", Some(1), Some(1), false)]);
    world.clock().advance(DAY * 31);
    jobs::close_vote_periods(&world.state).await.expect("done");
    assert_eq!(places(&world).await, [place("First", None, None, false)]);
}

#[tokio::test]
async fn moved_server_loses_its_former_game_place() {
    let world = World::new().await;
    world.server("First").await;
    voted(&world, &[("First", 9)]).await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    world
        .sql(
            "update public.servers set game_id = (select id from public.games where name = 'Rust')",
        )
        .await;
    assert_eq!(places(&world).await, [place("First", Some(1), None, false)]);
}

type PodiumRow = (String, i32, String, i32);

/// The game, rank, name and votes in the stored podiums.
async fn podiums(world: &World) -> Vec<PodiumRow> {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select g.name, p.place, p.server_name, p.votes
         from public.month_podiums as p inner join public.games as g on g.id = p.game_id
         order by p.month, g.name, p.place",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("podiums")
}

#[tokio::test]
async fn month_podium_is_stored_once_per_game() {
    let world = World::new().await;
    for name in ["One", "Two", "Three", "Four", "Hidden"] {
        world.server(name).await;
    }
    world.server_of("Rust", "Alone").await;
    world.server_of("Rust", "Nobody").await;
    voted(
        &world,
        &[("One", 9), ("Two", 8), ("Three", 7), ("Four", 7), ("Hidden", 99), ("Alone", 1)],
    )
    .await;
    world.sql("update public.servers set is_hidden = true where name = 'Hidden'").await;
    jobs::close_vote_periods(&world.state).await.expect("done");
    assert_eq!(podiums(&world).await, []);

    world.clock().advance(DAY * 31);
    let second_process = world.second_process();
    second_process.clock().advance(DAY * 31);
    let (one, two) = tokio::join!(
        jobs::close_vote_periods(&world.state),
        jobs::close_vote_periods(&second_process.state)
    );
    assert!(one.expect("done") != two.expect("done"));
    let stored =
        |game: &str, place, name: &str, votes| (game.to_owned(), place, name.to_owned(), votes);
    let expected = [
        stored("Dofus Retro", 1, "One", 9),
        stored("Dofus Retro", 2, "Two", 8),
        stored("Dofus Retro", 3, "Three", 7),
        stored("Rust", 1, "Alone", 1),
    ];
    assert_eq!(podiums(&world).await, expected);

    // The whole month can be read once it is over, for all games and for each game.
    let archive = async |of: &str| -> Vec<(String, i32)> {
        sqlx::query_as("select name, votes from public.month_places where $1 in ('', game_slug) order by votes desc, name")
            .bind(of)
            .fetch_all(&mut *world.begin().await)
            .await
            .expect("an archive")
    };
    let listed = archive("").await.len();
    assert_eq!(archive("rust").await, [("Alone".to_owned(), 1)]);
    world.sql("update public.servers set game_id = (select id from public.games where slug = 'ark') where name = 'Alone'").await;
    assert_eq!(archive("rust").await, [("Alone".to_owned(), 1)]);
    world.sql("update public.servers set is_approved = false where name = 'Alone'").await;
    assert_eq!((archive("rust").await, archive("").await.len()), (vec![], listed - 1));
    world.sql("insert into public.server_monthly_votes (server_id, month, votes) select id, '2040-01-01', 5 from public.servers where name = 'Two'").await;
    assert_eq!(archive("").await.len(), listed - 1);
    world.sql("delete from public.server_monthly_votes where month = '2040-01-01'").await;

    // Later changes to the month's figures, by any process, do not change the podium.
    world.sql("update public.server_monthly_votes set votes = votes + 50").await;
    world.sql("update public.vote_clock set day = day - 1").await;
    assert!(jobs::close_vote_periods(&world.second_process().state).await.is_ok());
    assert!(jobs::close_vote_periods(&world.state).await.expect("done"));
    assert_eq!(podiums(&world).await, expected);

    // The name of a deleted server stays.
    world.sql("delete from public.servers where name = 'One'").await;
    assert_eq!(podiums(&world).await, expected);
}
