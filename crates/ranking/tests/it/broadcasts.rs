//! Broadcasts to open pages over realtime/v1, and who may not receive them.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{VoteAttempt, World, work};

const JOB: &str = "ranking.broadcast_standings";

/// The topic, event and payload of each message, without message ids.
async fn messages(world: &World) -> Vec<(String, String, Value)> {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select topic, event, payload - 'id'
         from realtime.messages
         where private and extension = 'broadcast'
         order by topic, inserted_at",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("messages")
}

#[tokio::test]
async fn batched_votes_send_one_message_per_topic() {
    let world = World::new().await;
    let (avalon, brocelande) = (world.server("Avalon").await, world.server("Brocelande").await);
    for (server, voter) in [(avalon, 1), (avalon, 2), (brocelande, 3), (avalon, 4)] {
        let attempt = VoteAttempt::guest(server, &format!("Voter{voter}"), voter);
        assert_eq!(world.vote(&attempt).await.status, 200);
    }
    work(&world.state, "ranking.refresh_ranks").await.expect("done");
    assert_eq!(work(&world.state, JOB).await.expect("done"), 2);
    let standing = |id: Uuid, votes: i32, rank: i32| {
        json!({
            "id": id, "game_slug": "dofus-retro", "monthly_votes": votes, "votes_before": 0,
            "total_votes": votes, "daily_votes": votes, "rank": rank, "game_rank": rank,
            "is_online": false, "online_players": 0, "max_players": 100, "status_checked_at": null
        })
    };
    let (first, second) = (standing(avalon, 3, 1), standing(brocelande, 1, 2));
    let mut messages_sent = messages(&world).await;
    let (_, event, ranking) = messages_sent.remove(0);
    let mut servers = ranking["servers"].as_array().expect("servers").clone();
    servers.sort_by_key(|server| server["rank"].as_i64());
    assert_eq!((event.as_str(), servers), ("standings", vec![first.clone(), second.clone()]));
    let mut expected: Vec<_> = [(avalon, first), (brocelande, second)]
        .into_iter()
        .map(|(id, standing)| {
            let payload = json!({ "servers": [standing], "delivered": false });
            (format!("server:{id}"), "standings".to_owned(), payload)
        })
        .collect();
    expected.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(messages_sent, expected);
    assert_eq!(work(&world.state, JOB).await.expect("done"), 0, "nothing is told twice");
}

#[tokio::test]
async fn a_hidden_server_is_not_broadcast() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.sql("update public.servers set is_hidden = true").await;
    assert_eq!(work(&world.state, JOB).await.expect("done"), 0);
    assert_eq!(messages(&world).await, []);
}

#[tokio::test]
async fn a_refused_vote_is_not_broadcast() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let attempt = VoteAttempt::guest(server, "Ada", 1);
    assert_eq!(world.vote(&attempt).await.status, 200);
    assert_eq!(work(&world.state, JOB).await.expect("done"), 1);
    assert_eq!(world.vote(&attempt).await.status, 429);
    assert_eq!(work(&world.state, JOB).await.expect("done"), 0);
}

#[tokio::test]
async fn staff_broadcast_of_reports_has_empty_payload() {
    let world = World::new().await;
    world.server("Avalon").await;
    let report =
        "insert into public.reports (server_id, reason) select id, 'spam' from public.servers";
    let message = ("staff:queue".to_owned(), "queue".to_owned(), json!({}));
    world.sql(report).await;
    assert_eq!(messages(&world).await, [message.clone(), message.clone()], "a report, its case");
    world.sql(report).await;
    assert_eq!(messages(&world).await, vec![message; 3], "a second report of an open case");
}
