//! What players see of their own votes: their place, and the servers they can vote for again.

use serde_json::{Value, json};

use super::stage::{Persona, Stage};

/// One value, read as a persona.
async fn value_of(stage: &Stage, persona: Persona, sql: &'static str) -> Value {
    let mut owner = stage.acting(persona).await;
    sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("an answer")
}

const PLACE: &str =
    "select coalesce(jsonb_agg(to_jsonb(p)), '[]') from public.get_my_place('day') as p";

/// Stan with three votes, a guest with as many a little earlier, one with five, and Olga with one.
const VOTERS: &str = "
    delete from public.voter_totals;
    insert into public.voter_totals (period, period_start, voter_key, user_id, nickname, votes, last_vote_at)
    select
        'day', public.site_today(), v.key, case when v.name is not null then it.id(v.name) end, v.nickname,
        v.votes, now() - v.ago
    from (
        values
            ('guest:first', null, 'First', 5, interval '1 minute'),
            ('guest:even', null, 'Even', 3, interval '2 hours'),
            ('user:' || it.id('stan'), 'stan', 'Stan', 3, interval '1 hour'),
            ('guest:behind', null, 'Behind', 3, interval '1 minute'),
            ('user:' || it.id('olga'), 'olga', 'Olga', 1, interval '3 hours')
    ) as v (key, name, nickname, votes, ago)";

#[tokio::test]
async fn voter_place_matches_the_leaderboard() {
    let stage = Stage::new().await;
    stage.run(VOTERS).await;
    assert_eq!(
        value_of(&stage, Persona::Stan, PLACE).await,
        json!([{ "rank": 3, "voter_name": "stan", "votes_count": 3, "next_name": "Even", "next_votes": 3 }]),
    );
    assert_eq!(
        value_of(&stage, Persona::Olga, PLACE).await,
        json!([{ "rank": 5, "voter_name": "olga", "votes_count": 1, "next_name": "Behind", "next_votes": 3 }]),
    );
    let listed = "select jsonb_agg(jsonb_build_array(l.rank, l.voter_name, l.is_guest, l.is_me))
        from public.get_leaderboard('day') as l";
    assert_eq!(
        value_of(&stage, Persona::Stan, listed).await,
        json!([
            [1, "First", true, false],
            [2, "Even", true, false],
            [3, "stan", false, true],
            [4, "Behind", true, false],
            [5, "olga", false, false],
        ]),
    );
    stage.run("delete from public.voter_totals where votes > 3 or voter_key = 'guest:even'").await;
    assert_eq!(
        value_of(&stage, Persona::Stan, PLACE).await,
        json!([{ "rank": 1, "voter_name": "stan", "votes_count": 3, "next_name": null, "next_votes": null }]),
    );
}

#[tokio::test]
async fn accounts_without_votes_have_no_place() {
    let stage = Stage::new().await;
    stage.run("delete from public.voter_totals").await;
    assert_eq!(value_of(&stage, Persona::Stan, PLACE).await, json!([]));
    let refusal =
        stage.act(Persona::Stan, "select public.get_my_place('year')").await.expect_err("a period");
    assert_eq!(refusal.code, "22023");
    let refusal =
        stage.act(Persona::Anon, "select public.get_my_place('day')").await.expect_err("a guest");
    assert_eq!(refusal.code, "42501");
}

const VOTED: &str = "select coalesce(jsonb_agg(jsonb_build_array(v.slug, v.nickname, v.next_vote_at > now()) order by v.place), '[]')
    from public.get_my_voted_servers() with ordinality as v
        (id, slug, name, logo, game, pattern, votes, rank, nickname, voted_at, next_vote_at, place)";

#[tokio::test]
async fn voted_servers_are_unique_and_ready_ones_first() {
    let stage = Stage::new().await;
    stage
        .run(
            "delete from public.votes;
             insert into public.servers (id, name, game_id, owner_id, is_approved)
             select it.id(name), name, it.id('game'), it.id('olga'), true
             from unnest('{Fresh,Ready,Older}'::text[]) as more (name);
             insert into public.votes (server_id, user_id, nickname, was_signed_in, voted_at)
             select it.id(v.server), it.id(v.who), v.nickname, true, now() - v.ago
             from (
                values
                    ('Fresh', 'stan', 'Old', interval '5 days'),
                    ('Fresh', 'stan', 'New', interval '10 minutes'),
                    ('Ready', 'stan', 'Stan', interval '3 hours'),
                    ('Older', 'stan', 'Stan', interval '3 days'),
                    ('off', 'stan', 'Stan', interval '3 hours'),
                    ('open', 'olga', 'Olga', interval '3 hours')
             ) as v (server, who, nickname, ago)",
        )
        .await;
    assert_eq!(
        value_of(&stage, Persona::Stan, VOTED).await,
        json!([["ready", "Stan", false], ["older", "Stan", false], ["fresh", "New", true]]),
    );
    assert_eq!(value_of(&stage, Persona::Ada, VOTED).await, json!([]), "others see their own");
    let refusal = stage
        .act(Persona::Anon, "select public.get_my_voted_servers()")
        .await
        .expect_err("a guest");
    assert_eq!(refusal.code, "42501");
}
