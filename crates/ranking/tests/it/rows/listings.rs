//! Creating and showing listings: the limit, the slug, visibility, tags.

use futures_util::future::join_all;

use super::stage::{Persona, Refusal, Stage};

const ANOTHER: &str = "insert into public.servers (name, game_id) select 'Server ' || gen_random_uuid(), it.id('game')";

fn over_limit() -> Refusal {
    Refusal::new("P0001", "Server limit reached")
}

async fn with_limit_of_one() -> Stage {
    let stage = Stage::new().await;
    stage.run("update public.site_settings set setting_value = '1' where setting_key = 'base_server_limit'").await;
    stage
}

#[tokio::test]
async fn owners_cannot_list_beyond_the_limit() {
    let stage = with_limit_of_one().await;
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Err(over_limit()));
}

#[tokio::test]
async fn the_limit_holds_for_listings_made_at_once() {
    let stage = with_limit_of_one().await;
    let tries = join_all((0..6).map(|_| stage.act(Persona::Stan, ANOTHER))).await;
    assert_eq!(tries.iter().filter(|answer| answer.is_ok()).count(), 1, "{tries:?}");
    assert_eq!(tries.iter().filter(|answer| **answer == Err(over_limit())).count(), 5);
}

#[tokio::test]
async fn active_prestige_grants_one_more_slot() {
    let stage = with_limit_of_one().await;
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Ok(1));
    stage
        .run(
            "update public.servers set is_sponsored = true, prestige_expires_at = now() + interval '1 day'
             where owner_id = it.id('stan')",
        )
        .await;
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Err(over_limit()));
    let bonus =
        "select count(*) from public.servers where owner_id = it.id('stan') and is_prestige_bonus";
    assert_eq!(stage.value::<i64>(bonus).await, 1);
    let mut stan = stage.acting(Persona::Stan).await;
    let slots: (i32, i32, i32, i32, i32, i32) =
        sqlx::query_as("select * from public.get_my_server_slots()")
            .fetch_one(&mut *stan)
            .await
            .expect("slots");
    assert_eq!(slots, (1, 1, 2, 2, 2, 0));
}

#[tokio::test]
async fn owners_toggle_visibility_except_of_disabled_listings() {
    let stage = Stage::new().await;
    let hide = "select public.set_server_visibility(it.id('open'), false)";
    let show = "select public.set_server_visibility(it.id('open'), true)";
    assert_eq!(stage.act(Persona::Olga, hide).await, Ok(1));
    assert_eq!(
        stage
            .value::<i64>("select count(*) from public.servers_public where id = it.id('open')")
            .await,
        0
    );
    assert_eq!(stage.act(Persona::Olga, show).await, Ok(1));
    assert_eq!(
        stage
            .value::<i64>("select count(*) from public.servers_public where id = it.id('open')")
            .await,
        1
    );
    let refusal =
        stage.act(Persona::Olga, "select public.set_server_visibility(it.id('off'), true)").await;
    assert_eq!(refusal, Err(Refusal::new("42501", "A moderator disabled this server")));
    assert_eq!(
        stage.act(Persona::Ada, "select public.set_server_visibility(it.id('off'), true)").await,
        Ok(1)
    );
    let of_other_person = stage.act(Persona::Stan, hide).await;
    assert_eq!(
        of_other_person,
        Err(Refusal::new("42501", "Only the owner of the server may do this"))
    );
}

#[tokio::test]
async fn approval_follows_the_setting() {
    let stage = Stage::new().await;
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Ok(1));
    let approved =
        "select bool_and(is_approved) from public.servers where owner_id = it.id('stan')";
    assert!(stage.value::<bool>(approved).await);
    stage.run("update public.site_settings set setting_value = 'false' where setting_key = 'auto_approve_servers'").await;
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Ok(1));
    assert!(!stage.value::<bool>(approved).await);
}

#[tokio::test]
async fn repeated_decisions_on_new_listings_change_nothing() {
    let stage = Stage::new().await;
    stage.run("update public.site_settings set setting_value = 'false' where setting_key = 'auto_approve_servers'").await;
    let insert = "insert into public.servers (
            name, game_id, owner_id, is_prestige_bonus, is_sponsored, sponsor_tier, custom_color, is_approved, is_hidden
        ) values ('Said', it.id('game'), it.id('stan'), true, null, '', '', true, false)";
    assert_eq!(stage.act(Persona::Stan, insert).await, Ok(1));
    let defaults = "select bool_and(not is_sponsored and not is_approved and not is_hidden and not is_prestige_bonus
            and sponsor_tier is null and custom_color is null)
        from public.servers where name = 'Said'";
    assert!(stage.value::<bool>(defaults).await);
}

#[tokio::test]
async fn every_listing_receives_a_unique_slug() {
    let stage = Stage::empty().await;
    stage
        .run(
            "insert into public.servers (name, game_id)
             select names.name, games.id
             from public.games
             cross join unnest('{Été d''Or,\"Ete   d’or\",日本語サーバー,\"(((:)))\"}'::text[]) as names (name)
             where games.slug in ('minecraft', 'rust')",
        )
        .await;
    let slugs =
        "select array_agg(slug order by slug) from public.servers where slug !~ '-[0-9a-f]{4}$'";
    assert_eq!(stage.value::<Vec<String>>(slugs).await, ["ete-dor", "serveur"]);
    let suffixed =
        "select count(*) from public.servers where slug ~ '^(ete-dor|serveur)-[0-9a-f]{4}$'";
    assert_eq!(stage.value::<i64>(suffixed).await, 6);
}

#[tokio::test]
async fn concurrent_listings_with_one_name_get_distinct_slugs() {
    let stage = Stage::new().await;
    stage.run("insert into public.games (id, name) values (it.id('second game'), 'Second')").await;
    let (one, two) = tokio::join!(
        stage.act(
            Persona::Stan,
            "insert into public.servers (name, game_id) values ('Same', it.id('game'))"
        ),
        stage.act(
            Persona::Olga,
            "insert into public.servers (name, game_id) values ('Same', it.id('second game'))"
        ),
    );
    assert_eq!((one, two), (Ok(1), Ok(1)));
    assert_eq!(
        stage
            .value::<i64>("select count(distinct slug) from public.servers where name = 'Same'")
            .await,
        2
    );
}

const SLUG: &str = "select slug from public.servers where id = it.id('open')";

/// The slug that a former slug leads to, as the persona sees it.
async fn moved_slug(stage: &Stage, persona: Persona, word: &str) -> Option<String> {
    let mut acting = stage.acting(persona).await;
    sqlx::query_scalar("select public.moved_server_slug($1)")
        .bind(word)
        .fetch_one(&mut *acting)
        .await
        .expect("an answer")
}

#[tokio::test]
async fn renamed_listing_redirects_from_its_former_slugs() {
    let stage = Stage::new().await;
    for (name, slug) in [("OPEN", "open"), ("L''autre", "lautre"), ("Third", "third")] {
        let rename: &'static str =
            format!("update public.servers set name = '{name}' where id = it.id('open')").leak();
        assert_eq!(stage.act(Persona::Olga, rename).await, Ok(1));
        assert_eq!(stage.value::<String>(SLUG).await, slug);
    }
    for word in ["open", "lautre"] {
        assert_eq!(moved_slug(&stage, Persona::Anon, word).await.as_deref(), Some("third"));
    }
    assert_eq!(moved_slug(&stage, Persona::Anon, "third").await, None);
    // Back under its first name, the listing has its first slug again, which redirects no more.
    let back = "update public.servers set name = 'Open' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, back).await, Ok(1));
    assert_eq!(stage.value::<String>(SLUG).await, "open");
    assert_eq!(moved_slug(&stage, Persona::Anon, "open").await, None);
    assert_eq!(moved_slug(&stage, Persona::Anon, "third").await.as_deref(), Some("open"));
}

#[tokio::test]
async fn former_slug_of_unapproved_listing_is_hidden() {
    let stage = Stage::new().await;
    let rename = "update public.servers set name = 'Later' where id = it.id('waiting')";
    assert_eq!(stage.act(Persona::Olga, rename).await, Ok(1));
    for persona in [Persona::Anon, Persona::Stan, Persona::Boris] {
        assert_eq!(moved_slug(&stage, persona, "waiting").await, None, "{persona:?}");
    }
    for persona in [Persona::Olga, Persona::Ada] {
        assert_eq!(moved_slug(&stage, persona, "waiting").await.as_deref(), Some("later"));
    }
}

#[tokio::test]
async fn former_slugs_of_other_listings_stay_taken() {
    let stage = Stage::new().await;
    let rename = "update public.servers set name = 'Moved' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, rename).await, Ok(1));
    let new = "insert into public.servers (name, game_id) values ('Open', it.id('game'))";
    assert_eq!(stage.act(Persona::Stan, new).await, Ok(1));
    let slug = stage.value::<String>("select slug from public.servers where name = 'Open'").await;
    assert!(slug.starts_with("open-") && slug.len() == "open-".len() + 4, "{slug}");
    assert_eq!(moved_slug(&stage, Persona::Anon, "open").await.as_deref(), Some("moved"));
    // A deleted listing frees its former slugs.
    let delete_server = "delete from public.servers where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, delete_server).await, Ok(1));
    let another = "insert into public.servers (name, game_id) values ('O-p-e-n', it.id('game')), ('Moved', it.id('game'))";
    assert_eq!(stage.act(Persona::Stan, another).await, Ok(2));
    assert_eq!(
        stage.value::<String>("select slug from public.servers where name = 'Moved'").await,
        "moved"
    );
}

#[tokio::test]
async fn listing_keeps_its_ten_latest_former_slugs() {
    let stage = Stage::new().await;
    for time in 0..14 {
        let rename: &'static str =
            format!("update public.servers set name = 'Name {time}' where id = it.id('open')")
                .leak();
        assert_eq!(stage.act(Persona::Olga, rename).await, Ok(1));
    }
    let former_slugs =
        "select array_agg(slug order by left_at desc) from public.server_former_slugs";
    let expected: Vec<String> = (3..13).rev().map(|time| format!("name-{time}")).collect();
    assert_eq!(stage.value::<Vec<String>>(former_slugs).await, expected);
}

#[tokio::test]
async fn stale_edits_of_a_listing_change_nothing() {
    let stage = Stage::new().await;
    let version_read = stage
        .value::<String>("select updated_at::text from public.servers where id = it.id('open')")
        .await;
    let edit: &'static str = format!(
        "update public.servers set description = 'Mine' where id = it.id('open') and updated_at = '{version_read}'"
    )
    .leak();
    assert_eq!(stage.act(Persona::Olga, edit).await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, edit).await, Ok(0));
}

#[tokio::test]
async fn listing_name_and_address_are_unique_per_game() {
    let stage = Stage::new().await;
    let same_name = "insert into public.servers (name, game_id) values ('OPEN', it.id('game'))";
    assert_eq!(stage.act(Persona::Stan, same_name).await.expect_err("twice").code, "23505");
    let first = "insert into public.servers (name, game_id, ip_address) values ('One', it.id('game'), 'mc.example')";
    let second = "insert into public.servers (name, game_id, ip_address) values ('Two', it.id('game'), 'MC.example')";
    assert_eq!(stage.act(Persona::Stan, first).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, second).await.expect_err("twice").code, "23505");
}

#[tokio::test]
async fn tags_must_exist_and_follow_the_catalogue() {
    let stage = Stage::new().await;
    let wear = "update public.servers set tags = '{a tag,PvP,a tag}' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, wear).await, Ok(1));
    let tags = "select tags from public.servers where id = it.id('open')";
    assert_eq!(stage.value::<Vec<String>>(tags).await, ["a tag", "PvP"]);
    let unknown = "update public.servers set tags = '{unheard of}' where id = it.id('open')";
    assert_eq!(
        stage.act(Persona::Olga, unknown).await,
        Err(Refusal::new("23514", "Unknown tag: unheard of"))
    );
    let rename = "update public.server_tags set name = 'new name' where name = 'a tag'";
    assert_eq!(stage.act(Persona::Ada, rename).await, Ok(1));
    assert_eq!(stage.value::<Vec<String>>(tags).await, ["new name", "PvP"]);
    assert_eq!(
        stage.act(Persona::Ada, "delete from public.server_tags where name = 'PvP'").await,
        Ok(1)
    );
    assert_eq!(stage.value::<Vec<String>>(tags).await, ["new name"]);
}

#[tokio::test]
async fn proposals_become_tags_once() {
    let stage = Stage::new().await;
    let approve = "select public.approve_tag_proposal(it.id('proposal'), 'welcome')";
    assert_eq!(stage.act(Persona::Ada, approve).await, Ok(1));
    let tag = "select name || ' ' || color from public.server_tags where name = 'new'";
    assert_eq!(stage.value::<String>(tag).await, "new #EF4444");
    let again = stage.act(Persona::Ada, approve).await;
    assert_eq!(again, Err(Refusal::new("22023", "This proposal was decided before")));
    let state = "select status || ' ' || admin_notes from public.tag_proposals where id = it.id('proposal')";
    assert_eq!(stage.value::<String>(state).await, "approved welcome");
}

#[tokio::test]
async fn tag_proposal_is_approved_with_edited_texts() {
    let stage = Stage::new().await;
    let approve_twice = "select public.approve_tag_proposal(it.id('proposal'), p_name => 'PvP')";
    assert_eq!(stage.act(Persona::Ada, approve_twice).await.expect_err("refused").code, "23505");
    let approve = "select public.approve_tag_proposal(
        it.id('proposal'), p_name => ' Fresh ', p_name_fr => 'Nouveau', p_name_es => 'Nuevo',
        p_description_en => 'Just opened', p_color => '#10B981')";
    assert_eq!(stage.act(Persona::Ada, approve).await, Ok(1));
    let tag = "select array[name_fr, name_en, name_es, description_en, color]
        from public.server_tags where name = 'Fresh'";
    let words = stage.value::<Vec<String>>(tag).await;
    assert_eq!(words, ["Nouveau", "Fresh", "Nuevo", "Just opened", "#10B981"]);
}

#[tokio::test]
async fn a_game_takes_no_pattern_that_is_none() {
    let stage = Stage::new().await;
    let broken = "update public.games set nickname_pattern = '['";
    assert_eq!(stage.act(Persona::Ada, broken).await.expect_err("refused").code, "2201B");
    let good = "update public.games set nickname_pattern = '[a-z]{3,9}' where slug = (select min(slug) from public.games)";
    assert_eq!(stage.act(Persona::Ada, good).await, Ok(1));
}

#[tokio::test]
async fn second_moderator_reads_the_first_decision() {
    let stage = Stage::new().await;
    let state = "select concat_ws(' ', public.server_state(s), s.moderation_reason)
        from public.servers as s where id = it.id('open')";
    for (judge, outcome) in [
        ("select public.judge_server(it.id('open'), 'suspend', 'shown', null)", Err("22023")),
        ("select public.judge_server(it.id('open'), 'suspend', 'waiting', 'spam')", Err("P0001")),
        ("select public.judge_server(it.id('open'), 'forget', 'shown', 'spam')", Err("22023")),
        (
            "select public.judge_server(it.id('open'), 'suspend', 'shown', 'spam')",
            Ok("suspended spam"),
        ),
        ("select public.judge_server(it.id('open'), 'suspend', 'shown', 'other')", Err("P0001")),
        ("select public.judge_server(it.id('open'), 'restore', 'suspended', null)", Ok("shown")),
        (
            "select public.judge_server(it.id('open'), 'refuse', 'shown', 'no server')",
            Ok("refused no server"),
        ),
        ("select public.judge_server(it.id('open'), 'approve', 'refused', null)", Ok("shown")),
    ] {
        let answer = stage.act(Persona::Ada, judge).await;
        match outcome {
            Ok(standing) => {
                assert_eq!(answer, Ok(1), "{judge}");
                assert_eq!(stage.value::<String>(state).await, standing);
            }
            Err(code) => assert_eq!(answer.expect_err(judge).code, code, "{judge}"),
        }
    }
}

#[tokio::test]
async fn a_new_token_replaces_the_old_one() {
    let stage = Stage::new().await;
    let token = "select token from public.server_api_tokens where server_id = it.id('open')";
    let before = stage.value::<String>(token).await;
    let renew = "select public.regenerate_server_api_token(it.id('open'))";
    assert_eq!(stage.act(Persona::Olga, renew).await, Ok(1));
    assert_ne!(stage.value::<String>(token).await, before);
    for (persona, sql, code) in [
        (Persona::Stan, renew, "42501"),
        (Persona::Boris, "select public.regenerate_server_api_token(it.id('borises'))", "42501"),
        (Persona::Olga, "select public.regenerate_server_api_token(it.id('nowhere'))", "PT404"),
    ] {
        assert_eq!(stage.act(persona, sql).await.expect_err("refused").code, code);
    }
}

#[tokio::test]
async fn reviews_add_up_on_the_listing() {
    let stage = Stage::new().await;
    let sums =
        "select review_count * 1000 + rating_sum from public.servers where id = it.id('open')";
    assert_eq!(stage.value::<i32>(sums).await, 1005);
    let second =
        "insert into public.reviews (server_id, rating, comment) values (it.id('open'), 2, 'hm')";
    assert_eq!(stage.act(Persona::Ada, second).await, Ok(1));
    assert_eq!(stage.value::<i32>(sums).await, 2007);
    assert_eq!(
        stage
            .value::<f64>(
                "select rating_average::float8 from public.servers_public where id = it.id('open')"
            )
            .await,
        3.5
    );
    assert_eq!(
        stage
            .act(Persona::Stan, "update public.reviews set rating = 4 where id = it.id('review')")
            .await,
        Ok(1)
    );
    assert_eq!(stage.value::<i32>(sums).await, 2006);
    assert_eq!(
        stage.act(Persona::Ada, "select public.set_review_hidden(it.id('review'), true)").await,
        Ok(1)
    );
    assert_eq!(stage.value::<i32>(sums).await, 1002);
    assert_eq!(
        stage.act(Persona::Stan, "delete from public.reviews where id = it.id('review')").await,
        Ok(1)
    );
    assert_eq!(stage.value::<i32>(sums).await, 1002);
}

#[tokio::test]
async fn clicks_are_counted_for_public_listings_only() {
    let stage = Stage::new().await;
    for sql in [
        "select public.record_server_click(it.id('open'), 'a visitor')",
        "select public.record_server_click(it.id('off'), 'a visitor')",
        "select public.record_server_click(it.id('nowhere'), 'a visitor')",
    ] {
        assert_eq!(stage.act(Persona::Service, sql).await, Ok(1));
        // Only the site itself records clicks, because only it knows the visitor.
        for persona in [Persona::Anon, Persona::Olga, Persona::Ada] {
            assert_eq!(stage.act(persona, sql).await.expect_err(sql).code, "42501");
        }
    }
    let clicks = "select array_agg(clicks order by clicks desc) from public.server_standings";
    assert_eq!(stage.value::<Vec<i32>>(clicks).await, [1, 0, 0, 0, 0]);
    let mut anon = stage.acting(Persona::Anon).await;
    let stats: (i32, i32) = sqlx::query_as(
        "select total_clicks, clicks_today from public.get_server_stats(it.id('open'))",
    )
    .fetch_one(&mut *anon)
    .await
    .expect("figures");
    assert_eq!(stats, (1, 1));
}

#[tokio::test]
async fn closed_game_hides_its_listings_until_reopened() {
    let stage = Stage::new().await;
    let public_servers = "select count(*) from public.servers_public where game_id = it.id('game')";
    let before = stage.value::<i64>(public_servers).await;
    let close = "update public.games set is_active = false where id = it.id('game')";
    assert_eq!(stage.act(Persona::Ada, close).await, Ok(1));
    assert_eq!(stage.value::<i64>(public_servers).await, 0);
    // Nobody can make a listing of a closed game visible, and new ones stay hidden.
    let show = "select public.set_server_visibility(it.id('open'), true)";
    for persona in [Persona::Olga, Persona::Ada] {
        assert_eq!(
            stage.act(persona, show).await,
            Err(Refusal::new("P0001", "The game of this server is not offered"))
        );
    }
    let enable = "select public.set_server_disabled(it.id('off'), false)";
    assert_eq!(stage.act(Persona::Ada, enable).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, ANOTHER).await, Ok(1));
    assert_eq!(stage.value::<i64>(public_servers).await, 0);
    // Its owner still sees the listing and its game.
    let own = "select from public.servers s join public.games g on g.id = s.game_id where s.id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, own).await, Ok(1));
    assert_eq!(stage.act(Persona::Anon, own).await, Ok(0));
    let open = "update public.games set is_active = true where id = it.id('game')";
    assert_eq!(stage.act(Persona::Ada, open).await, Ok(1));
    assert_eq!(stage.value::<i64>(public_servers).await, before + 2);
}

#[tokio::test]
async fn listing_moved_to_closed_game_is_hidden() {
    let stage = Stage::new().await;
    let reason =
        "select coalesce(hidden_reason, 'shown') from public.servers where id = it.id('open')";
    for (game, expected) in [
        (
            "update public.servers set game_id = it.id('gone') where id = it.id('open')",
            "game_closed",
        ),
        ("update public.servers set game_id = it.id('game') where id = it.id('open')", "shown"),
    ] {
        assert_eq!(stage.act(Persona::Olga, game).await, Ok(1));
        assert_eq!(stage.value::<String>(reason).await, expected);
    }
    stage.run("select public.set_server_disabled(it.id('open'), true)").await;
    stage.run("update public.games set is_active = false where id = it.id('game')").await;
    stage.run("update public.games set is_active = true where id = it.id('game')").await;
    assert_eq!(stage.value::<String>(reason).await, "moderation");
}

/// Five visible listings of one game with votes and tags, a hidden one, and one of another game.
const A_FIELD: &str = "
    insert into public.games (id, name) values (it.id('field'), 'Field'), (it.id('elsewhere'), 'Elsewhere');
    create temporary table field on commit drop as
    select * from (values
        ('gold', 'field', 90, '{}'), ('silver', 'field', 50, '{a tag}'), ('mine', 'field', 20, '{a tag}'),
        ('even', 'field', 20, '{}'), ('last', 'field', 1, '{a tag}'), ('unseen', 'field', 30, '{a tag}'),
        ('stranger', 'elsewhere', 40, '{a tag}')
    ) as s (name, game, votes, tags);
    insert into public.servers (id, name, game_id, owner_id, tags)
    select it.id(name), name, it.id(game), null, tags::text[] from field;
    update public.server_standings set monthly_votes = votes from field where server_id = it.id(name);
    update public.servers set is_hidden = true, hidden_reason = 'owner' where id = it.id('unseen');
    select public.refresh_ranks()";

#[tokio::test]
async fn own_votes_change_rank_before_the_refresh() {
    let stage = Stage::new().await;
    stage.run(A_FIELD).await;
    const RANKS: &str =
        "select string_agg(name || ' ' || rank || ' ' || game_rank, ', ' order by rank, name)
        from public.servers_public where monthly_votes > 0";
    let before = "gold 1 1, silver 2 2, stranger 3 1, even 4 3, mine 4 3, last 6 5";
    assert_eq!(stage.value::<String>(RANKS).await, before);
    stage
        .run(
            "update public.server_standings set monthly_votes = 51 where server_id = it.id('mine')",
        )
        .await;
    let expected = "gold 1 1, mine 2 2, silver 2 2, stranger 3 1, even 4 3, last 6 5";
    assert_eq!(stage.value::<String>(RANKS).await, expected);
    assert!(stage.committed::<i32>("select public.refresh_ranks()").await > 0);
    let counted = "gold 1 1, mine 2 2, silver 3 3, stranger 4 1, even 5 4, last 6 5";
    assert_eq!(stage.value::<String>(RANKS).await, counted);
    assert_eq!(stage.committed::<i32>("select public.refresh_ranks()").await, 0);
    // The step of twenty votes has a new rank and no second row.
    assert_eq!(
        stage
            .value::<i64>("select count(*) from public.rank_steps where votes = 20 and rank = 3")
            .await,
        0
    );
}

const NEIGHBOURS: &str =
    "select string_agg(relation || ' ' || name || coalesce(' #' || game_rank, ''), ', ')
    from public.get_server_neighbours(it.id($1))";

#[tokio::test]
async fn listing_neighbours_and_similar_listings_are_returned() {
    let stage = Stage::new().await;
    stage.run(A_FIELD).await;
    // Of two listings without votes, the one with a common tag comes first.
    stage
        .run(
            "insert into public.servers (id, name, game_id, owner_id, tags)
             values (it.id('calm'), 'calm', it.id('field'), null, '{}'),
               (it.id('kin'), 'kin', it.id('field'), null, '{a tag}')",
        )
        .await;
    for (name, expected) in [
        (
            "mine",
            Some(
                "self mine #3, ahead silver, behind even, similar gold, similar silver, \
                 similar even, similar last, similar kin",
            ),
        ),
        (
            "gold",
            Some(
                "self gold #1, behind silver, similar silver, similar mine, similar even, \
                 similar last, similar calm",
            ),
        ),
        (
            "last",
            Some(
                "self last #5, ahead even, behind calm, similar gold, similar silver, \
                 similar mine, similar even, similar kin",
            ),
        ),
        ("stranger", Some("self stranger #1")),
        ("unseen", None),
    ] {
        let mut visitor = stage.acting(Persona::Anon).await;
        let found: Option<String> = sqlx::query_scalar(NEIGHBOURS)
            .bind(name)
            .fetch_one(&mut *visitor)
            .await
            .expect("neighbours");
        assert_eq!(found.as_deref(), expected, "{name}");
    }
}
