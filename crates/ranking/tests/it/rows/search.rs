//! The search: matches, tolerated typing errors, refusals; and the figures of games and tags.

use super::stage::{Persona, Refusal, Stage};

const LISTINGS: &str = "insert into public.servers (name, game_id, ip_address)
    select names.name, games.id, names.address
    from public.games
    cross join (
        values ('L''Île Rouge', 'a.example'), ('Loupgarde', 'b.example'), ('Le Loup & Co', 'c.example')
    ) as names (name, address)
    where games.slug = 'minecraft';
    select public.refresh_game_figures()";

/// The results of a persona's search: kind and name, in order.
async fn found(stage: &Stage, persona: Persona, text: &str) -> Vec<(String, String)> {
    let mut caller = stage.acting(persona).await;
    sqlx::query_as("select kind, name from public.search_site($1, 'en')")
        .bind(text)
        .fetch_all(&mut *caller)
        .await
        .expect("an answer")
}

fn one(kind: &str, name: &str) -> Vec<(String, String)> {
    vec![(kind.to_owned(), name.to_owned())]
}

async fn with_listings() -> Stage {
    let stage = Stage::empty().await;
    stage.run(LISTINGS).await;
    stage
}

#[tokio::test]
async fn game_search_returns_the_server_count() {
    let stage = with_listings().await;
    let mut anon = stage.acting(Persona::Anon).await;
    let games: Vec<(String, String, i32)> =
        sqlx::query_as("select name, slug, servers from public.search_site('minecraft')")
            .fetch_all(&mut *anon)
            .await
            .expect("an answer");
    assert_eq!(games, [("Minecraft".to_owned(), "minecraft".to_owned(), 3)]);
    assert_eq!(found(&stage, Persona::Stan, "wow").await, one("game", "World of Warcraft"));
}

#[tokio::test]
async fn accents_case_and_punctuation_make_no_difference() {
    let stage = with_listings().await;
    for text in ["ile rouge", "ÎLE ROUGE", "l'ile", "L’île", "  île   rouge  "] {
        assert_eq!(
            found(&stage, Persona::Anon, text).await,
            one("server", "L&#x27;Île Rouge"),
            "{text}"
        );
    }
    assert_eq!(found(&stage, Persona::Anon, "evenements").await, one("tag", "Events"));
}

#[tokio::test]
async fn one_typing_mistake_is_forgiven() {
    let stage = with_listings().await;
    for text in ["loupgrade", "lupgarde", "loupgardee", "loupgatde"] {
        assert_eq!(found(&stage, Persona::Anon, text).await, one("server", "Loupgarde"), "{text}");
    }
    for text in ["minecarft", "minecrft", "mimecraft"] {
        assert_eq!(found(&stage, Persona::Anon, text).await, one("game", "Minecraft"), "{text}");
    }
    assert_eq!(found(&stage, Persona::Anon, "rsut").await, one("game", "Rust"));
}

#[tokio::test]
async fn prefix_matches_rank_first_and_renames_apply_immediately() {
    let stage = with_listings().await;
    let names = found(&stage, Persona::Anon, "loup").await;
    assert_eq!(
        names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(),
        ["Loupgarde", "Le Loup &amp; Co"]
    );
    stage.run("update public.servers set name = 'Castelbrume' where name = 'Loupgarde'").await;
    assert_eq!(found(&stage, Persona::Anon, "brume").await, one("server", "Castelbrume"));
}

#[tokio::test]
async fn search_hides_hidden_listings_from_owners_too() {
    let stage = Stage::new().await;
    stage.run("update public.servers set name = 'Zyxwab' where id = it.id('off')").await;
    for persona in Persona::ALL {
        assert_eq!(found(&stage, persona, "zyxwab").await, [], "{persona:?}");
    }
}

#[tokio::test]
async fn overlong_search_is_refused_and_symbols_match_nothing() {
    let stage = with_listings().await;
    for text in ["", "l", "%", "%%", "_", "\\", "'", "-- ;", "%_%_", "🙂🙂", "\u{202e}\u{202e}"]
    {
        assert_eq!(found(&stage, Persona::Anon, text).await, [], "{text}");
    }
    let long = "select from public.search_site(repeat('a', 101))";
    assert_eq!(
        stage.act(Persona::Anon, long).await,
        Err(Refusal::new("22023", "The search text is longer than 100 characters"))
    );
    assert_eq!(
        stage.act(Persona::Anon, "select from public.search_site(repeat('a', 100))").await,
        Ok(0)
    );
}

#[tokio::test]
async fn search_work_is_bounded_for_long_texts() {
    let stage = Stage::empty().await;
    let mut anon = stage.acting(Persona::Anon).await;
    let (most, beyond, folded): (i32, Option<i32>, i32) = sqlx::query_as(
        "select
           cardinality(public.with_one_mistake(repeat('ab', 15))),
           cardinality(public.with_one_mistake(repeat('a', 10000))),
           char_length(public.search_text(repeat('é', 1000000)))",
    )
    .fetch_one(&mut *anon)
    .await
    .expect("figures");
    assert!((30..=120).contains(&most), "{most}");
    assert_eq!((beyond, folded), (None, 1000));
}

#[tokio::test]
async fn game_figures_count_public_listings_only() {
    let stage = with_listings().await;
    stage
        .run(
            "update public.server_standings set
               month = public.month_of(public.site_today()),
               monthly_votes = 5, total_votes = 9, online_players = 3, is_online = true;
             update public.server_standings set is_online = false
             where server_id = (select id from public.servers where name = 'Loupgarde');
             update public.servers set is_sponsored = true, prestige_expires_at = now() + interval '1 day'
             where name = 'Loupgarde' or name like 'Le Loup%';
             update public.servers set is_hidden = true where name like 'Le Loup%';
             select public.refresh_game_figures()",
        )
        .await;
    let mut anon = stage.acting(Persona::Anon).await;
    let figures: (i32, i32, i32, i64) = sqlx::query_as(
        "select f.servers, f.players_online, f.votes_this_month, f.votes_total
         from public.game_figures as f join public.games as g on g.id = f.game_id
         where g.slug = 'minecraft'",
    )
    .fetch_one(&mut *anon)
    .await
    .expect("figures");
    assert_eq!(figures, (2, 3, 10, 18));
    let site: (i32, i32, i32, i64) = sqlx::query_as("select * from public.get_site_stats()")
        .fetch_one(&mut *anon)
        .await
        .expect("figures");
    assert_eq!(site, figures);
    let promoted = "select sum(promoted)::integer from public.game_figures";
    assert_eq!(stage.value::<i32>(promoted).await, 1);
    assert_eq!(stage.value::<i32>("select public.refresh_game_figures()").await, 0);
}

#[tokio::test]
async fn tag_figures_count_listed_servers_by_game() {
    let stage = with_listings().await;
    stage
        .run(
            "update public.servers set tags = '{PvP,Survie,PvP}' where name = 'Loupgarde';
             update public.servers set tags = '{PvP}' where name like 'Le Loup%';
             update public.servers set is_sponsored = true, prestige_expires_at = now() + interval '1 day'
             where name = 'Loupgarde';
             select public.refresh_tag_figures()",
        )
        .await;
    let figures = |persona| {
        let stage = &stage;
        async move {
            let mut caller = stage.acting(persona).await;
            let rows: Vec<(String, i32, i32)> = sqlx::query_as(
                "select f.tag, f.servers, f.promoted
                 from public.game_tag_figures as f join public.games as g on g.id = f.game_id
                 where g.slug = 'minecraft' order by f.tag",
            )
            .fetch_all(&mut *caller)
            .await
            .expect("figures");
            rows
        }
    };
    let line = |tag: &str, servers, promoted| (tag.to_owned(), servers, promoted);
    assert_eq!(figures(Persona::Anon).await, [line("PvP", 2, 1), line("Survie", 1, 1)]);
    stage
        .run(
            "update public.servers set is_hidden = true where name = 'Loupgarde';
             select public.refresh_tag_figures()",
        )
        .await;
    assert_eq!(figures(Persona::Anon).await, [line("PvP", 1, 0)]);
    assert_eq!(stage.value::<i32>("select public.refresh_tag_figures()").await, 0);
    // Tags of a closed game have no figures.
    stage.run("update public.games set is_active = false where slug = 'minecraft'").await;
    assert_eq!(figures(Persona::Anon).await, []);
}
