//! Prestige, arcade spots and contests: prices, payments, prizes.

use futures_util::future::join_all;

use super::stage::{Persona, Refusal, Stage};

const DAYS_LEFT: &str =
    "select round(extract(epoch from prestige_expires_at - now()) / 86400)::int4
    from public.servers where id = it.id('open')";

#[tokio::test]
async fn prestige_days_are_added_to_what_is_left_and_taken_away_whole() {
    let stage = Stage::new().await;
    for days in [5, 10] {
        assert_eq!(
            stage.act(Persona::Ada, "select public.activate_prestige(it.id('open'), 5)").await,
            Ok(1)
        );
        assert_eq!(stage.value::<i32>(DAYS_LEFT).await, days);
    }
    let shown = "select is_prestige and sponsor_tier = 'gold' and promoted_order is not null
        from public.servers_public where id = it.id('open')";
    assert!(stage.value::<bool>(shown).await);
    let color = "update public.servers set custom_color = '#123456', banner_image_url = '/b.png' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, color).await, Ok(1));
    assert_eq!(
        stage.act(Persona::Ada, "select public.deactivate_prestige(it.id('open'))").await,
        Ok(1)
    );
    let gone = "select not is_sponsored and sponsor_tier is null and custom_color is null
        and prestige_expires_at is null from public.servers where id = it.id('open')";
    assert!(stage.value::<bool>(gone).await);
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

/// One listing a person, and Stan's second that an active Prestige made room for.
const A_BONUS_LISTING: &str = "
    update public.site_settings set setting_value = '1' where setting_key = 'base_server_limit';
    insert into public.servers (id, name, game_id, owner_id, is_sponsored, prestige_expires_at)
    values (it.id('first'), 'First', it.id('game'), it.id('stan'), true, now() + interval '1 day');
    insert into public.servers (id, name, game_id, owner_id)
    values (it.id('bonus'), 'Bonus', it.id('game'), it.id('stan'))";

const BONUS: &str =
    "select coalesce(hidden_reason, 'shown') from public.servers where id = it.id('bonus')";

#[tokio::test]
async fn a_listing_hidden_when_prestige_was_over_comes_back_with_new_days() {
    let stage = Stage::new().await;
    stage.run(A_BONUS_LISTING).await;
    let lapse = "select 1 where public.lapse_prestige(now() + interval '2 days') = 1";
    let over = "update public.servers set prestige_expires_at = now() where id = it.id('first')";
    for days in [
        "select public.activate_prestige(it.id('first'), 1)",
        "select public.activate_prestige(it.id('bonus'), 1)",
    ] {
        assert_eq!(stage.act(Persona::Service, lapse).await, Ok(1));
        stage.run(over).await;
        assert_eq!(stage.value::<String>(BONUS).await, "bonus_expired");
        assert_eq!(stage.act(Persona::Ada, days).await, Ok(1));
        assert_eq!(stage.value::<String>(BONUS).await, "shown", "{days}");
    }
}

#[tokio::test]
async fn what_was_hidden_for_another_reason_stays_hidden_when_prestige_is_extended() {
    let stage = Stage::new().await;
    stage.run(A_BONUS_LISTING).await;
    let hide = "select public.set_server_visibility(it.id('bonus'), false)";
    assert_eq!(stage.act(Persona::Stan, hide).await, Ok(1));
    let extend = "select public.activate_prestige(it.id('first'), 1)";
    assert_eq!(stage.act(Persona::Ada, extend).await, Ok(1));
    assert_eq!(stage.value::<String>(BONUS).await, "owner");
}

#[tokio::test]
async fn an_owner_shows_a_lapsed_listing_in_place_of_another() {
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
async fn earned_days_are_used_once_and_by_their_owner() {
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

#[tokio::test]
async fn a_prestige_payment_counts_once_however_often_it_is_confirmed() {
    let stage = Stage::new().await;
    let open = "select public.set_payment_session(
        public.open_prestige_payment(it.id('olga'), it.id('open'), 30, 'test'), 'session')";
    assert_eq!(stage.act(Persona::Service, open).await, Ok(1));
    let amount = "select amount_cents from public.prestige_payments where session_id = 'session'";
    assert_eq!(stage.value::<i32>(amount).await, 3000);
    let confirm = "select 1 where public.confirm_prestige_payment('session')";
    let confirmations = join_all((0..4).map(|_| stage.act(Persona::Service, confirm))).await;
    assert_eq!(
        confirmations.iter().filter(|answer| **answer == Ok(1)).count(),
        1,
        "{confirmations:?}"
    );
    assert_eq!(confirmations.iter().filter(|answer| **answer == Ok(0)).count(), 3);
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 30);
    let not_theirs =
        "select public.open_prestige_payment(it.id('stan'), it.id('open'), 30, 'test')";
    assert_eq!(
        stage.act(Persona::Service, not_theirs).await.expect_err("not theirs").code,
        "42501"
    );
    for persona in [Persona::Anon, Persona::Olga, Persona::Ada] {
        assert_eq!(stage.act(persona, confirm).await.expect_err("service only").code, "42501");
    }
}

#[tokio::test]
async fn a_day_of_a_tile_is_sold_once() {
    let stage = Stage::new().await;
    let reserve = "select public.reserve_arcade_spot(it.id('stan'), 3, public.site_today() + 1,
        public.site_today() + 3, '/a.png', null, 'test')";
    let tries = join_all((0..4).map(|_| stage.act(Persona::Service, reserve))).await;
    assert_eq!(tries.iter().filter(|answer| answer.is_ok()).count(), 1, "{tries:?}");
    let codes: Vec<_> = tries
        .iter()
        .filter_map(|answer| answer.as_ref().err())
        .map(|refusal| refusal.code.as_str())
        .collect();
    assert!(codes.iter().all(|code| ["23P01", "40P01"].contains(code)), "{codes:?}");
    assert_eq!(
        stage
            .value::<i32>(
                "select total_amount from public.arcade_spots where booked_by = it.id('stan')"
            )
            .await,
        3000
    );
    let after = "select public.reserve_arcade_spot(it.id('stan'), 3, public.site_today() + 4,
        public.site_today() + 4, '/a.png', null, 'test')";
    assert_eq!(stage.act(Persona::Service, after).await, Ok(1));
    let yesterday = "select public.reserve_arcade_spot(it.id('stan'), 2, public.site_today() - 1,
        public.site_today() - 1, '/a.png', null, 'test')";
    assert_eq!(
        stage.act(Persona::Service, yesterday).await,
        Err(Refusal::new("22023", "The first day is past"))
    );
}

#[tokio::test]
async fn an_unpaid_reservation_makes_room_and_a_paid_one_is_kept() {
    let stage = Stage::new().await;
    let reserve = "select public.reserve_arcade_spot(it.id('stan'), 3, public.site_today(),
        public.site_today(), '/a.png', null, 'test')";
    assert_eq!(stage.act(Persona::Service, reserve).await, Ok(1));
    let lapse =
        "select 1 where public.lapse_pending_arcade_spots(now() + interval '31 minutes') = 1";
    assert_eq!(stage.act(Persona::Service, lapse).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, lapse).await, Ok(0));
    assert_eq!(stage.act(Persona::Service, reserve).await, Ok(1));
    let session = "select public.set_payment_session(id, 'paid in time') from public.arcade_spots
        where booked_by = it.id('stan') and status = 'pending'";
    assert_eq!(stage.act(Persona::Service, session).await, Ok(1));
    let confirm = "select 1 where public.confirm_arcade_payment('paid in time')";
    assert_eq!(stage.act(Persona::Service, confirm).await, Ok(1));
    assert_eq!(stage.act(Persona::Service, confirm).await, Ok(0));
    let states = "select array_agg(status order by status) from public.arcade_spots where booked_by = it.id('stan')";
    assert_eq!(stage.value::<Vec<String>>(states).await, ["active", "expired"]);
}

#[tokio::test]
async fn a_contest_that_reached_its_target_rewards_its_winners_once() {
    let stage = Stage::new().await;
    stage
        .run(
            "update public.competitive_events set target_votes = 8, winner_count = 1, prestige_days = 3;
             update public.competitive_event_participations set votes_count = 7 where server_id = it.id('open')",
        )
        .await;
    let finalise = "select from public.finalize_competitive_event(it.id('contest'))
        where is_success and total_votes = 8 and rewarded_servers = 1";
    assert_eq!(stage.act(Persona::Ada, finalise).await, Ok(1));
    assert_eq!(stage.value::<i32>(DAYS_LEFT).await, 3);
    let ranks = "select array_agg(final_rank order by votes_count desc) from public.competitive_event_participations";
    assert_eq!(stage.value::<Vec<i32>>(ranks).await, [1, 2]);
    let again = stage.act(Persona::Ada, finalise).await;
    assert_eq!(again, Err(Refusal::new("22023", "This event was finalised before")));
    assert_eq!(
        stage.value::<i64>("select count(*) from public.servers where is_sponsored").await,
        1
    );
}

#[tokio::test]
async fn a_contest_that_missed_its_target_rewards_nobody() {
    let stage = Stage::new().await;
    let finalise = "select from public.finalize_competitive_event(it.id('contest'))
        where not is_success and total_votes = 2 and rewarded_servers = 0";
    assert_eq!(stage.act(Persona::Ada, finalise).await, Ok(1));
    assert_eq!(
        stage.value::<i64>("select count(*) from public.servers where is_sponsored").await,
        0
    );
}

#[tokio::test]
async fn promotion_is_refused_in_the_words_the_pages_show() {
    let stage = Stage::new().await;
    let refusal = Refusal::new("42501", "Action réservée aux fondateurs et administrateurs");
    for sql in [
        "select public.activate_prestige(it.id('open'), 5)",
        "select public.deactivate_prestige(it.id('open'))",
    ] {
        assert_eq!(stage.act(Persona::Stan, sql).await, Err(refusal.clone()), "{sql}");
    }
}
