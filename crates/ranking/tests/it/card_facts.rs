//! Cards and feeds contain only what a visitor may read.

use ranking::{CardFacts, CardQuery, GameQuery, NewServers, card_facts, new_servers};
use uuid::Uuid;

use crate::world::World;

async fn card(world: &World, query: CardQuery<'_>) -> Option<CardFacts> {
    card_facts(&world.owner(), query).await.expect("an answer")
}

async fn feed(world: &World, game: Option<&str>, limit: i64) -> Option<Vec<String>> {
    let NewServers { servers, .. } =
        new_servers(&world.owner(), game, limit).await.expect("an answer")?;
    Some(servers.into_iter().map(|server| server.slug).collect())
}

#[tokio::test]
async fn server_card_has_plain_text_and_place() {
    let world = World::new().await;
    world.server_of("Rust", "L'île & Cie").await;
    world.sql("update public.servers set slug = 'l-ile'").await;
    let Some(CardFacts::Server(facts)) = card(&world, CardQuery::Server("l-ile")).await else {
        panic!("a card of a server");
    };
    assert_eq!((&*facts.name, &*facts.game_name), ("L'île & Cie", "Rust"));
    assert_eq!((facts.game_rank, facts.monthly_votes), (1, 0));
    assert_eq!(facts.month.format("%d").to_string(), "01");
}

#[tokio::test]
async fn game_card_lists_top_three_by_votes() {
    let world = World::new().await;
    for name in ["One", "Two", "Three", "Four"] {
        world.server_of("Rust", name).await;
    }
    world.server_of("Minecraft", "Elsewhere").await;
    world
        .sql(
            "update public.server_standings as t set monthly_votes = v.votes
             from public.servers as s, (values ('Four', 9), ('Two', 5), ('One', 2)) as v (name, votes)
             where s.id = t.server_id and s.name = v.name",
        )
        .await;
    world.sql("select public.refresh_game_figures()").await;
    let Some(CardFacts::Games(facts)) =
        card(&world, CardQuery::Games(GameQuery::Slug("rust"))).await
    else {
        panic!("a card of a game");
    };
    let first: Vec<_> =
        facts.first.iter().map(|server| (&*server.name, server.monthly_votes)).collect();
    assert_eq!(first, [("Four", 9), ("Two", 5), ("One", 2)]);
    assert_eq!(facts.server_count, 4);
}

#[tokio::test]
async fn games_of_a_shortcut_stand_on_one_card() {
    let world = World::new().await;
    world.server_of("Dofus Retro", "Old").await;
    world.server_of("Dofus 2.X", "New").await;
    let Some(CardFacts::Games(facts)) =
        card(&world, CardQuery::Games(GameQuery::Shortcut("dofus"))).await
    else {
        panic!("a card of games");
    };
    assert_eq!(facts.first.len(), 2);
    assert!(feed(&world, Some("dofus-retro"), 9).await.is_some_and(|slugs| slugs == ["old"]));
}

#[tokio::test]
async fn hidden_servers_have_neither_card_nor_feed_entry() {
    let world = World::new().await;
    world.server_of("Rust", "Hidden").await;
    assert!(card(&world, CardQuery::Server("hidden")).await.is_some());
    assert_eq!(feed(&world, None, 9).await, Some(vec!["hidden".to_owned()]));
    world.sql("update public.servers set is_hidden = true").await;
    assert_eq!(card(&world, CardQuery::Server("hidden")).await, None);
    assert_eq!(feed(&world, None, 9).await, Some(Vec::new()));
    assert_eq!(feed(&world, Some("rust"), 9).await, Some(Vec::new()));
    let Some(CardFacts::Games(facts)) =
        card(&world, CardQuery::Games(GameQuery::Slug("rust"))).await
    else {
        panic!("a card of a game");
    };
    assert_eq!(facts.first, []);
    for word in ["nothing", "a\0b", "\u{202e}"] {
        assert_eq!(card(&world, CardQuery::Server(word)).await, None, "{word:?}");
        assert_eq!(card(&world, CardQuery::Games(GameQuery::Slug(word))).await, None, "{word:?}");
        assert_eq!(feed(&world, Some(word), 9).await, None, "{word:?}");
    }
}

#[tokio::test]
async fn announced_event_card_shows_site_dates() {
    let world = World::new().await;
    world
        .sql(
            "insert into public.competitive_events
               (id, name, start_date, end_date, target_votes, is_active)
             values ('e0000000-0000-4000-8000-000000000001', 'La Course',
               '2026-10-31 23:00Z', '2026-11-30 23:00Z', 5, false)",
        )
        .await;
    let query = CardQuery::Event(Uuid::from_u128(0xe000_0000_0000_4000_8000_0000_0000_0001), "fr");
    assert_eq!(card(&world, query).await, None);
    world.sql("update public.competitive_events set is_active = true").await;
    let Some(CardFacts::Event(facts)) = card(&world, query).await else {
        panic!("a card of a contest");
    };
    let days = [facts.starts_on, facts.ends_on].map(|day| day.to_string());
    assert_eq!(days, ["2026-11-01", "2026-11-30"], "midnight in Paris ends the last day");
}

#[tokio::test]
async fn a_feed_begins_with_the_newest() {
    let world = World::new().await;
    for name in ["One", "Two", "Three"] {
        world.server_of("Rust", name).await;
    }
    world
        .sql(
            "update public.servers as s set created_at = v.at::timestamptz
             from (values ('One', '2026-01-01'), ('Two', '2026-03-01'), ('Three', '2026-02-01')) as v (name, at)
             where s.name = v.name",
        )
        .await;
    assert_eq!(feed(&world, None, 2).await, Some(vec!["two".to_owned(), "three".to_owned()]));
    let of_game = feed(&world, Some("rust"), 9).await.expect("a feed");
    assert_eq!(of_game, ["two", "three", "one"]);
}
