//! Prestige, arcade spots and contests: prices, prizes.

use futures_util::future::join_all;

use super::stage::{Persona, Refusal, Stage};

const DAYS_LEFT: &str =
    "select round(extract(epoch from prestige_expires_at - now()) / 86400)::int4
    from public.servers where id = it.id('open')";

#[tokio::test]
async fn prestige_days_accumulate_and_are_removed_entirely() {
    let stage = Stage::new().await;
    for days in [5, 10] {
        assert_eq!(
            stage.act(Persona::Ada, "select public.activate_prestige(it.id('open'), 5)").await,
            Ok(1)
        );
        assert_eq!(stage.value::<i32>(DAYS_LEFT).await, days);
    }
    let promoted = "select is_prestige and sponsor_tier = 'gold' and promoted_order is not null
        from public.servers_public where id = it.id('open')";
    assert!(stage.value::<bool>(promoted).await);
    let color = "update public.servers set custom_color = '#123456', banner_image_url = '/b.png' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, color).await, Ok(1));
    assert_eq!(
        stage.act(Persona::Ada, "select public.deactivate_prestige(it.id('open'))").await,
        Ok(1)
    );
    let unpromoted = "select not is_sponsored and sponsor_tier is null and custom_color is null
        and prestige_expires_at is null from public.servers where id = it.id('open')";
    assert!(stage.value::<bool>(unpromoted).await);
    let other_color = "update public.servers set custom_color = '#654321' where id = it.id('open')";
    let refusal = Refusal::new("42501", "The banner and the colour are part of Prestige");
    assert_eq!(stage.act(Persona::Olga, other_color).await, Err(refusal));
    let take_off = "update public.servers set banner_image_url = null where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, take_off).await, Ok(1));
    for sql in [
        "select public.activate_prestige(it.id('open'), 0)",
        "select public.activate_prestige(it.id('open'), null)",
    ] {
        assert_eq!(stage.act(Persona::Ada, sql).await.expect_err(sql).code, "22023");
    }
}

#[tokio::test]
async fn owners_hide_prestige_without_losing_days() {
    const SHOWN: &str = "select is_prestige and is_sponsored and promoted_order is not null
        from public.servers_public where id = it.id('open')";
    let stage = Stage::new().await;
    let give = "select public.activate_prestige(it.id('open'), 5)";
    let switch = |on: bool| match on {
        true => "update public.servers set shows_prestige = true where id = it.id('open')",
        false => "update public.servers set shows_prestige = false where id = it.id('open')",
    };
    assert_eq!(stage.act(Persona::Ada, give).await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, switch(false)).await, Ok(1));
    let hidden = "select not is_prestige and not is_sponsored and promoted_order is null
        from public.servers_public where id = it.id('open')";
    assert!(stage.value::<bool>(hidden).await);
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 5);
    // Neither the hourly refresh nor further days that were given show it again.
    stage.run("select public.refresh_promotion(now() + interval '2 hours', 100)").await;
    assert_eq!(stage.act(Persona::Ada, give).await, Ok(1));
    assert!(stage.value::<bool>(hidden).await);
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 10);
    assert_eq!(stage.act(Persona::Olga, switch(true)).await, Ok(1));
    assert!(stage.value::<bool>(SHOWN).await);
    // Prestige that was paid for, or that begins after it had ended, is shown.
    assert_eq!(stage.act(Persona::Olga, switch(false)).await, Ok(1));
    stage.run("select public.extend_prestige(it.id('open'), 1, it.id('payment'))").await;
    assert!(stage.value::<bool>(SHOWN).await);
    assert_eq!(stage.act(Persona::Olga, switch(false)).await, Ok(1));
    stage
        .run("update public.servers set prestige_expires_at = now() where id = it.id('open')")
        .await;
    assert_eq!(stage.act(Persona::Ada, give).await, Ok(1));
    assert!(stage.value::<bool>(SHOWN).await);
}

/// A limit of one listing for each person, and Stan's second one, which an active Prestige allowed.
const A_BONUS_LISTING: &str = "
    update public.site_settings set setting_value = '1' where setting_key = 'base_server_limit';
    insert into public.servers (id, name, game_id, owner_id, is_sponsored, prestige_expires_at)
    values (it.id('first'), 'First', it.id('game'), it.id('stan'), true, now() + interval '1 day');
    insert into public.servers (id, name, game_id, owner_id)
    values (it.id('bonus'), 'Bonus', it.id('game'), it.id('stan'))";

const BONUS: &str =
    "select coalesce(hidden_reason, 'shown') from public.servers where id = it.id('bonus')";

#[tokio::test]
async fn new_prestige_days_restore_a_lapsed_listing() {
    let stage = Stage::new().await;
    stage.run(A_BONUS_LISTING).await;
    let expire = "select 1 where public.lapse_prestige(now() + interval '2 days') = 1";
    let over = "update public.servers set prestige_expires_at = now() where id = it.id('first')";
    for days in [
        "select public.activate_prestige(it.id('first'), 1)",
        "select public.activate_prestige(it.id('bonus'), 1)",
    ] {
        assert_eq!(stage.act(Persona::Service, expire).await, Ok(1));
        stage.run(over).await;
        assert_eq!(stage.value::<String>(BONUS).await, "bonus_expired");
        assert_eq!(stage.act(Persona::Ada, days).await, Ok(1));
        assert_eq!(stage.value::<String>(BONUS).await, "shown", "{days}");
    }
}

#[tokio::test]
async fn otherwise_hidden_servers_stay_hidden_with_prestige() {
    let stage = Stage::new().await;
    stage.run(A_BONUS_LISTING).await;
    let hide = "select public.set_server_visibility(it.id('bonus'), false)";
    assert_eq!(stage.act(Persona::Stan, hide).await, Ok(1));
    let extend = "select public.activate_prestige(it.id('first'), 1)";
    assert_eq!(stage.act(Persona::Ada, extend).await, Ok(1));
    assert_eq!(stage.value::<String>(BONUS).await, "owner");
}

#[tokio::test]
async fn owner_replaces_a_listing_with_a_lapsed_one() {
    let stage = Stage::new().await;
    stage.run(A_BONUS_LISTING).await;
    stage
        .run("update public.servers set prestige_expires_at = now() where id = it.id('first')")
        .await;
    assert_eq!(stage.act(Persona::Service, "select public.lapse_prestige()").await, Ok(1));
    let show = "select public.set_server_visibility(it.id('bonus'), true)";
    assert_eq!(
        stage.act(Persona::Stan, show).await,
        Err(Refusal::new("P0001", "Server limit reached"))
    );
    let hide = "select public.set_server_visibility(it.id('first'), false)";
    assert_eq!(stage.act(Persona::Stan, hide).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, show).await, Ok(1));
    assert_eq!(stage.value::<String>(BONUS).await, "shown");
}

#[tokio::test]
async fn promoted_listings_keep_their_places_within_the_hour() {
    let stage = Stage::new().await;
    stage.run("update public.servers set is_sponsored = true, prestige_expires_at = now() + interval '9 days'").await;
    let order = "select array_agg(name order by is_prestige desc, promoted_order nulls last)
        from public.servers_public";
    let first = stage.value::<Vec<String>>(order).await;
    assert_eq!(first.len(), 3);
    assert_eq!(stage.value::<Vec<String>>(order).await, first);
}

#[tokio::test]
async fn earned_days_are_spent_once_by_their_owner() {
    let stage = Stage::new().await;
    let too_many = "select public.use_prestige_pass_days(it.id('open'), 2)";
    assert_eq!(
        stage.act(Persona::Olga, too_many).await,
        Err(Refusal::new("22023", "Not enough Prestige Pass days"))
    );
    assert_eq!(stage.act(Persona::Stan, too_many).await.expect_err("not theirs").code, "42501");
    let uses =
        join_all((0..4).map(|_| {
            stage.act(Persona::Olga, "select public.use_prestige_pass_days(it.id('open'))")
        }))
        .await;
    assert_eq!(uses.iter().filter(|answer| answer.is_ok()).count(), 1, "{uses:?}");
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 1);
    let used = "select is_used and server_id = it.id('open') from public.prestige_pass_days";
    assert!(stage.value::<bool>(used).await);
}

#[tokio::test]
async fn prices_are_the_sites() {
    let stage = Stage::new().await;
    for (sql, cents) in [
        ("select public.calculate_prestige_price(1)", 150),
        ("select public.calculate_prestige_price(6)", 900),
        ("select public.calculate_prestige_price(30)", 3000),
        ("select public.calculate_prestige_price(365)", 25550),
        ("select public.calculate_arcade_spot_price(3)", 3000),
    ] {
        assert_eq!(stage.value::<i32>(sql).await, cents, "{sql}");
    }
    stage.run("update public.site_settings set setting_value = '250' where setting_key = 'arcade_spot_daily_price_cents'").await;
    assert_eq!(stage.value::<i32>("select public.calculate_arcade_spot_price(2)").await, 500);
    for sql in [
        "select public.calculate_arcade_spot_price(0)",
        "select public.calculate_prestige_price(-1)",
    ] {
        assert_eq!(stage.act(Persona::Anon, sql).await.expect_err(sql).code, "22023");
    }
}

/// The contest has ended; one visible listing has seven votes, another has four, and a hidden one
/// has more than both.
const AN_ENDED_CONTEST: &str = "
    update public.competitive_events
    set target_votes = 11, winner_count = 1, prestige_days = 3, start_date = now() - interval '3 days',
        end_date = now() - interval '1 hour'
    where id = it.id('contest');
    delete from public.competitive_event_places;
    delete from public.competitive_event_participations;
    insert into public.competitive_event_participations (event_id, server_id, votes_count, created_at)
    values
    (it.id('contest'), it.id('open'), 7, now()),
    (it.id('contest'), it.id('free'), 4, now()),
    (it.id('contest'), it.id('off'), 9, now())";

/// The contest's places as everybody sees them, the best first.
const PLACES: &str = "
    select coalesce(string_agg(
        concat_ws(' ', place, (case server_id when it.id('open') then 'open' when it.id('free') then 'free' else 'off' end),
            votes_count, prize_days), ', ' order by place), '')
    from public.competitive_event_standings where event_id = it.id('contest')";

#[tokio::test]
async fn successful_event_rewards_its_winner_once() {
    let stage = Stage::new().await;
    stage.run(AN_ENDED_CONTEST).await;
    assert_eq!(stage.value::<String>(PLACES).await, "1 open 7, 2 free 4");
    let finalise = "select from public.finalize_competitive_event(it.id('contest'))
        where is_success and total_votes = 11 and rewarded_servers = 1";
    assert_eq!(stage.act(Persona::Ada, finalise).await, Ok(1));
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 3);
    assert_eq!(stage.value::<String>(PLACES).await, "1 open 7 3, 2 free 4");
    let places =
        "select is_finished and is_success and total_votes = 11 and finished_by = 'administrator'
        from public.competitive_events where id = it.id('contest')";
    assert!(stage.value::<bool>(places).await);
    let holder_query = "select user_id = it.id('ada') from public.security_events where event_type = 'competitive_event_finished'";
    assert!(stage.value::<bool>(holder_query).await);
    let again = stage.act(Persona::Ada, finalise).await;
    assert_eq!(again, Err(Refusal::new("22023", "This event was finalised before")));
    assert_eq!(
        stage.value::<i64>("select count(*) from public.servers where is_sponsored").await,
        1
    );
    // A won place stays the same when the listing before it is hidden.
    stage.run("update public.servers set is_approved = false where id = it.id('open')").await;
    assert_eq!(stage.value::<String>(PLACES).await, "2 free 4");
}

#[tokio::test]
async fn a_contest_is_not_finalised_before_its_end() {
    let stage = Stage::new().await;
    let finalise = "select public.finalize_competitive_event(it.id('contest'))";
    let refusal = Refusal::new("22023", "This event has not ended yet");
    assert_eq!(stage.act(Persona::Ada, finalise).await, Err(refusal));
    let running =
        "select not is_finished from public.competitive_events where id = it.id('contest')";
    assert!(stage.value::<bool>(running).await);
}

#[tokio::test]
async fn contest_ties_rank_by_earliest_vote() {
    let stage = Stage::new().await;
    stage.run(AN_ENDED_CONTEST).await;
    stage
        .run(
            "update public.competitive_event_participations set votes_count = 7, created_at = now() - interval '1 day'
             where server_id = it.id('free')",
        )
        .await;
    assert_eq!(stage.value::<String>(PLACES).await, "1 free 7, 2 open 7");
    // This is what voiding votes does.
    stage
        .run("update public.competitive_event_participations set votes_count = 0 where server_id = it.id('free')")
        .await;
    assert_eq!(stage.value::<String>(PLACES).await, "1 open 7");
}

#[tokio::test]
async fn event_below_its_target_rewards_no_server() {
    let stage = Stage::new().await;
    stage.run(AN_ENDED_CONTEST).await;
    // The target is only reached if the hidden listing's votes count.
    stage.run("update public.competitive_events set target_votes = 12").await;
    let finalise = "select from public.finalize_competitive_event(it.id('contest'))
        where not is_success and total_votes = 11 and rewarded_servers = 0";
    assert_eq!(stage.act(Persona::Ada, finalise).await, Ok(1));
    assert_eq!(stage.value::<String>(PLACES).await, "1 open 7, 2 free 4");
    assert_eq!(
        stage.value::<i64>("select count(*) from public.servers where is_sponsored").await,
        0
    );
}

#[tokio::test]
async fn overdue_event_is_finalised_by_the_job() {
    let stage = Stage::new().await;
    stage.run(AN_ENDED_CONTEST).await;
    let in_time = "select public.close_ended_events(now() + interval '22 hours')";
    assert_eq!(stage.value::<i32>(in_time).await, 0);
    stage
        .run(
            "update public.site_settings set setting_value = '2' where setting_key = 'competitive_event_finalize_after_hours'",
        )
        .await;
    let late = "select public.close_ended_events(now() + interval '1 hour')";
    let closed = join_all((0..4).map(|_| stage.committed::<i32>(late))).await;
    assert_eq!(closed.iter().sum::<i32>(), 1, "{closed:?}");
    let by = "select finished_by || ' ' || total_votes from public.competitive_events where id = it.id('contest')";
    assert_eq!(stage.value::<String>(by).await, "job 11");
    assert_eq!(stage.value::<String>(PLACES).await, "1 open 7 3, 2 free 4");
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 3);
}

#[tokio::test]
async fn event_places_are_stored_daily_until_the_end() {
    let stage = Stage::new().await;
    stage.run(AN_ENDED_CONTEST).await;
    let keep = "select public.keep_event_places(now() - interval '2 days')";
    let prizes = join_all((0..3).map(|_| stage.committed::<i32>(keep))).await;
    assert!(prizes.iter().sum::<i32>() >= 1, "{prizes:?}");
    stage.run("update public.competitive_event_participations set votes_count = 8 where server_id = it.id('free')").await;
    // After the contest's end the places of its last day are kept, however late.
    assert_eq!(
        stage.committed::<i32>("select public.keep_event_places(now() + interval '9 days')").await,
        1
    );
    let days = "select string_agg(
            concat_ws(' ', place, case server_id when it.id('free') then 'free' else 'open' end, votes_count),
            ', ' order by day, place)
        from public.competitive_event_places";
    let prizes = "1 open 7, 2 free 4, 1 free 8, 2 open 7";
    assert_eq!(stage.value::<String>(days).await, prizes);
    let unmoved = "select public.keep_event_places(now() - interval '4 days')";
    assert_eq!(stage.committed::<i32>(unmoved).await, 0);
}

#[tokio::test]
async fn prestige_changes_require_founders_or_administrators() {
    let stage = Stage::new().await;
    let refusal = Refusal::new("42501", "Action réservée aux fondateurs et administrateurs");
    for sql in [
        "select public.activate_prestige(it.id('open'), 5)",
        "select public.deactivate_prestige(it.id('open'))",
    ] {
        assert_eq!(stage.act(Persona::Stan, sql).await, Err(refusal.clone()), "{sql}");
    }
}
