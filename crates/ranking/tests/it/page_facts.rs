//! Titles and sitemaps contain only what a visitor may read.

use ranking::{
    EventFacts, GameQuery, ServerQuery, event_facts, game_facts, moved_server, server_facts,
    site_facts, sitemap_facts, sitemap_place, sitemap_servers,
};
use uuid::Uuid;

use crate::world::{World, work};

async fn server(world: &World, query: ServerQuery<'_>) -> Option<(String, String, String)> {
    let facts = server_facts(&world.owner(), query).await.expect("an answer")?;
    Some((facts.name, facts.description, facts.game_slug))
}

async fn game(world: &World, query: GameQuery<'_>) -> Option<(String, String, i64)> {
    let facts = game_facts(&world.owner(), query).await.expect("an answer")?;
    Some((facts.name, facts.page_slug, facts.server_count))
}

#[tokio::test]
async fn server_facts_are_found_by_id_and_slug() {
    let world = World::new().await;
    let id = world.server("L'île & Cie").await;
    world
        .sql(
            "update public.servers set slug = 'l-ile', description = '**Bienvenue** <b>à</b> tous'",
        )
        .await;
    let expected = ("L'île & Cie".into(), "Bienvenue à tous".into(), "dofus-retro".into());
    assert_eq!(server(&world, ServerQuery::Id(id)).await, Some(expected.clone()));
    assert_eq!(server(&world, ServerQuery::Slug("l-ile")).await, Some(expected));
}

#[tokio::test]
async fn hidden_servers_have_no_page_facts() {
    let world = World::new().await;
    let id = world.server("Hidden").await;
    assert!(server(&world, ServerQuery::Id(id)).await.is_some());
    world.sql("update public.servers set is_hidden = true").await;
    assert_eq!(server(&world, ServerQuery::Id(id)).await, None);
    assert_eq!(server(&world, ServerQuery::Id(Uuid::nil())).await, None);
    assert_eq!(server(&world, ServerQuery::Slug("nothing")).await, None);
    assert_eq!(sitemap_facts(&world.owner()).await.expect("facts").servers, 0);
    assert_eq!(sitemap_place(&world.owner(), 0).await.expect("an answer"), None);
}

#[tokio::test]
async fn old_slug_finds_renamed_visible_server() {
    let world = World::new().await;
    world.server("Old name").await;
    world.sql("update public.servers set name = 'New name'").await;
    let moved = async |slug| moved_server(&world.owner(), slug).await.expect("an answer");
    assert_eq!(moved("old-name").await.as_deref(), Some("new-name"));
    for slug in ["new-name", "nothing", "a\0b"] {
        assert_eq!(moved(slug).await, None, "{slug:?}");
    }
    world.sql("update public.servers set is_hidden = true").await;
    assert_eq!(moved("old-name").await, None);
}

#[tokio::test]
async fn words_no_database_can_hold_name_no_page() {
    let world = World::new().await;
    world.server("One").await;
    for word in ["a\0b", "\0", "\u{1}", "\u{202e}", "a\nb"] {
        assert_eq!(server(&world, ServerQuery::Slug(word)).await, None, "{word:?}");
        assert_eq!(game(&world, GameQuery::Slug(word)).await, None, "{word:?}");
        assert_eq!(game(&world, GameQuery::Shortcut(word)).await, None, "{word:?}");
    }
}

#[tokio::test]
async fn game_facts_have_name_and_server_count() {
    let world = World::new().await;
    world.server_of("Minecraft", "One").await;
    world.server_of("Flyff", "Two").await;
    world.server_of("Dofus Retro", "Three").await;
    world.sql("update public.servers set is_approved = false where name = 'Three'").await;
    work(&world.state, "ranking.refresh_game_figures").await.expect("counted");
    let minecraft = game(&world, GameQuery::Slug("minecraft")).await;
    assert_eq!(minecraft, Some(("Minecraft".into(), "minecraft".into(), 1)));
    // A game that shares another game's page keeps its own name and servers.
    let flyff = game(&world, GameQuery::Slug("flyff")).await;
    assert_eq!(flyff, Some(("Flyff".into(), "minecraft".into(), 1)));
    let retro = game(&world, GameQuery::Slug("dofus-retro")).await;
    assert_eq!(retro, Some(("Dofus Retro".into(), "dofus-retro".into(), 0)));
    assert!(game(&world, GameQuery::Shortcut("wow")).await.is_some());
    assert_eq!(game(&world, GameQuery::Slug("nothing")).await, None);
    assert_eq!(game(&world, GameQuery::Shortcut("nothing")).await, None);
}

#[tokio::test]
async fn the_sitemap_names_every_public_page_once() {
    let world = World::new().await;
    for name in ["One", "Two", "Three", "Four", "Five"] {
        world.server(name).await;
    }
    world.sql("update public.servers set created_at = '2026-01-01' where name > 'O'").await;
    world.sql("select public.refresh_game_figures()").await;
    let facts = sitemap_facts(&world.owner()).await.expect("facts");
    assert_eq!(facts.servers, 5);
    let mut games: Vec<_> = facts.games.iter().map(|(slug, _)| slug.clone()).collect();
    games.sort();
    games.dedup();
    assert_eq!(games.len(), facts.games.len());
    assert!(facts.games.contains(&("flyff".to_owned(), "minecraft".to_owned())));
    assert_eq!(facts.shortcuts, ["dofus"]);
    assert_eq!(facts.halls, [""; 0]);
    let month_podiums = "insert into public.month_podiums (game_id, month, place, server_name, votes)
        select id, month, place, 'Gone', 9 from public.games,
            (values (date '2026-01-01', 1), ('2026-01-01', 2), ('2026-02-01', 1)) as m (month, place)
        where slug = 'rust'";
    world.sql(month_podiums).await;
    assert_eq!(sitemap_facts(&world.owner()).await.expect("facts").halls, ["rust"]);

    // In pages of two, and from the third server on: the same servers, each once.
    let first = sitemap_place(&world.owner(), 0).await.expect("an answer").expect("a place");
    let (all, next) = sitemap_servers(&world.owner(), first, 5).await.expect("servers");
    assert_eq!((all.len(), next), (5, None));
    let (mut pieces, mut from) = (Vec::new(), Some(first));
    while let Some(place) = from {
        let (piece, next) = sitemap_servers(&world.owner(), place, 2).await.expect("servers");
        pieces.extend(piece);
        from = next;
    }
    assert_eq!(pieces, all);
    let third = sitemap_place(&world.owner(), 2).await.expect("an answer").expect("a place");
    let (rest, _) = sitemap_servers(&world.owner(), third, 9).await.expect("servers");
    assert_eq!(rest, all[2..]);
    assert_eq!(sitemap_place(&world.owner(), 5).await.expect("an answer"), None);
}

#[tokio::test]
async fn the_sites_settings_are_read_as_they_stand() {
    let world = World::new().await;
    let facts = site_facts(&world.owner()).await.expect("facts");
    assert_eq!(facts.vote_cooldown_seconds, 7200);
    assert_eq!(facts.timezone, "Europe/Paris");
    assert_eq!(facts.fallback_rating, None);
    // The end of the month follows the database's clock.
    let now: i64 = sqlx::query_scalar("select extract(epoch from now())::int8")
        .fetch_one(&mut *world.begin().await)
        .await
        .expect("a time");
    let ahead = facts.month_ends_at.expect("a month's end") - now;
    assert!((0..=31 * 86_400 + 3600).contains(&ahead), "{ahead}");
    world.set("vote_cooldown_seconds", "60").await;
    assert_eq!(site_facts(&world.owner()).await.expect("facts").vote_cooldown_seconds, 60);
}

#[tokio::test]
async fn event_page_appears_once_announced() {
    let world = World::new().await;
    world
        .sql(
            "insert into public.competitive_events
               (id, name, description, start_date, end_date, target_votes, is_active)
             values ('e0000000-0000-4000-8000-000000000001', 'La Course', null, now(), now() + interval '1 day', 5, false)",
        )
        .await;
    let id = Uuid::from_u128(0xe000_0000_0000_4000_8000_0000_0000_0001);
    let facts_in = async |language: &'static str| {
        event_facts(&world.owner(), id, language).await.expect("an answer")
    };
    let facts = async || facts_in("fr").await;
    assert_eq!(facts().await, None);
    assert!(sitemap_facts(&world.owner()).await.expect("facts").events.is_empty());
    world.sql("update public.competitive_events set is_active = true").await;
    let EventFacts { name, description, start_date, end_date } = facts().await.expect("a contest");
    assert_eq!((&*name, &*description), ("La Course", ""));
    assert_eq!((end_date - start_date).num_hours(), 24);
    assert_eq!(sitemap_facts(&world.owner()).await.expect("facts").events, [id]);

    let translated =
        "update public.competitive_events set name_en = 'The Race', description_es = 'Todos'";
    world.sql(translated).await;
    for (language, expected) in
        [("fr", ("La Course", "")), ("en", ("The Race", "")), ("es", ("La Course", "Todos"))]
    {
        let EventFacts { name, description, .. } = facts_in(language).await.expect("a contest");
        assert_eq!((&*name, &*description), expected, "{language}");
    }
}
