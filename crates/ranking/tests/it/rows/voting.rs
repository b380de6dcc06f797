//! `cast_vote` and what depends on it in the database: races, periods, and the rows that a vote
//! leaves.

use chrono::{DateTime, Duration, NaiveDate, TimeZone, Utc};
use compat_pg::OwnerDb;
use futures_util::future::join_all;
use uuid::Uuid;

use super::stage::{Persona, Stage};

#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
struct CastResult {
    outcome: String,
    voted_at: Option<DateTime<Utc>>,
    next_vote_at: Option<DateTime<Utc>>,
    total_votes: Option<i32>,
    monthly_votes: Option<i32>,
}

/// A voter and a time; `server` is a name of the cast.
struct Ballot {
    server: &'static str,
    ip: String,
    user: Option<&'static str>,
    nickname: String,
    at: DateTime<Utc>,
}

/// A Wednesday in the middle of a month.
fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2031, 5, 14, 12, 0, 0).single().expect("a moment")
}

fn ballot(ip: &str, user: Option<&'static str>, nickname: &str) -> Ballot {
    Ballot { server: "open", ip: ip.into(), user, nickname: nickname.into(), at: noon() }
}

async fn cast(db: &OwnerDb, ballot: &Ballot) -> CastResult {
    let mut owner = db.begin().await.expect("a transaction");
    let cast = sqlx::query_as(
        "select outcome, voted_at, next_vote_at, total_votes, monthly_votes
         from public.cast_vote(md5($1)::uuid, $2, md5($3)::uuid, $4, $5)",
    )
    .bind(ballot.server)
    .bind(&ballot.ip)
    .bind(ballot.user)
    .bind(&ballot.nickname)
    .bind(ballot.at)
    .fetch_one(&mut *owner)
    .await
    .expect("an outcome");
    owner.commit().await.expect("committed");
    cast
}

fn accepted(at: DateTime<Utc>, total: i32, monthly: i32) -> CastResult {
    CastResult {
        outcome: "accepted".into(),
        voted_at: Some(at),
        next_vote_at: Some(at + Duration::hours(2)),
        total_votes: Some(total),
        monthly_votes: Some(monthly),
    }
}

fn held_back(by: DateTime<Utc>, total: i32, monthly: i32) -> CastResult {
    CastResult { outcome: "cooldown".into(), ..accepted(by, total, monthly) }
}

/// A stage without the cast's own two votes, which are of another time.
async fn stage() -> Stage {
    let stage = Stage::new().await;
    stage
        .run("delete from public.votes; delete from public.competitive_event_participations")
        .await;
    stage
}

#[tokio::test]
async fn voter_is_identified_by_address_account_or_nickname() {
    let stage = stage().await;
    let db = stage.owner();
    assert_eq!(cast(db, &ballot("a", Some("stan"), "Stan")).await, accepted(noon(), 1, 1));
    for again in [
        ballot("a", None, "Else"),
        ballot("b", Some("stan"), "Else"),
        ballot("c", None, "sTAN"),
        ballot("d", None, "  stan "),
    ] {
        assert_eq!(cast(db, &again).await, held_back(noon(), 1, 1));
    }
    assert_eq!(cast(db, &ballot("e", Some("olga"), "Else")).await, accepted(noon(), 2, 2));
}

#[tokio::test]
async fn vote_cooldown_follows_the_setting_exactly() {
    let stage = stage().await;
    stage.run("update public.site_settings set setting_value = '600' where setting_key = 'vote_cooldown_seconds'").await;
    let db = stage.owner();
    cast(db, &ballot("a", None, "Ada")).await;
    let just_before = Ballot { at: noon() + Duration::seconds(599), ..ballot("a", None, "Ada") };
    assert_eq!(cast(db, &just_before).await.outcome, "cooldown");
    let then = Ballot { at: noon() + Duration::seconds(600), ..ballot("a", None, "Ada") };
    assert_eq!(cast(db, &then).await.outcome, "accepted");
}

#[tokio::test]
async fn concurrent_votes_of_one_voter_count_once() {
    let stage = stage().await;
    let db = stage.owner();
    let same_address = (0..8).map(|n| ballot("a", None, &format!("guest {n}")));
    let same_nickname = (0..8).map(|n| ballot(&format!("ip {n}"), None, "one name"));
    let same_account =
        (0..8).map(|n| ballot(&format!("pc {n}"), Some("olga"), &format!("alt {n}")));
    for round in [same_address.collect(), same_nickname.collect(), same_account.collect::<Vec<_>>()]
    {
        let casts = join_all(round.iter().map(|ballot| cast(db, ballot))).await;
        let counted = casts.iter().filter(|cast| cast.outcome == "accepted").count();
        let refused_count = casts.iter().filter(|cast| cast.outcome == "cooldown").count();
        assert_eq!((counted, refused_count), (1, 7));
    }
    assert_eq!(stage.value::<i64>("select count(*) from public.votes").await, 3);
    assert_eq!(
        stage
            .value::<i32>(
                "select total_votes from public.server_standings where server_id = it.id('open')"
            )
            .await,
        3
    );
}

#[tokio::test]
async fn votes_of_different_voters_at_once_all_count() {
    let stage = stage().await;
    let ballots: Vec<_> =
        (0..12).map(|n| ballot(&format!("ip {n}"), None, &format!("guest {n}"))).collect();
    let casts = join_all(ballots.iter().map(|ballot| cast(stage.owner(), ballot))).await;
    assert!(casts.iter().all(|cast| cast.outcome == "accepted"), "{casts:?}");
    let mut totals: Vec<_> = casts.iter().filter_map(|cast| cast.total_votes).collect();
    totals.sort_unstable();
    assert_eq!(totals, (1..=12).collect::<Vec<_>>());
}

#[tokio::test]
async fn unlisted_servers_accept_no_votes() {
    let stage = stage().await;
    for server in ["off", "waiting", "nowhere"] {
        let cast = cast(stage.owner(), &Ballot { server, ..ballot("a", None, "Ada") }).await;
        assert_eq!(cast.outcome, "server_not_found");
        assert_eq!((cast.voted_at, cast.total_votes), (None, None));
    }
    assert_eq!(stage.value::<i64>("select count(*) from public.votes").await, 0);
}

#[tokio::test]
async fn the_banned_do_not_vote() {
    let stage = stage().await;
    let by_address = ballot(&"0".repeat(64), None, "Ada");
    let by_account = ballot("a", Some("boris"), "Ada");
    for (banned, outcome) in [(by_address, "banned_address"), (by_account, "banned_account")] {
        assert_eq!(cast(stage.owner(), &banned).await.outcome, outcome);
    }
}

#[tokio::test]
async fn a_vote_leaves_its_traces_everywhere_at_once() {
    let stage = stage().await;
    stage
        .run(
            "update public.site_settings set setting_value = '1' where setting_key = 'prestige_pass_votes_per_day';
             update public.competitive_events set start_date = '2031-05-01', end_date = '2031-06-01'",
        )
        .await;
    cast(stage.owner(), &ballot("a", Some("stan"), "Stan")).await;
    let today = NaiveDate::from_ymd_opt(2031, 5, 14).expect("a day");
    let mut owner = stage.begin().await;
    let days: Vec<(Uuid, i32)> =
        sqlx::query_as("select server_id, votes from public.server_daily_counts where day = $1")
            .bind(today)
            .fetch_all(&mut *owner)
            .await
            .expect("the day");
    assert_eq!(days.iter().map(|(_, votes)| *votes).collect::<Vec<_>>(), [1]);
    let totals: Vec<(String, String, i32)> = sqlx::query_as(
        "select period, period_start::text, votes from public.voter_totals
         where user_id = it.id('stan') order by period",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the voter's totals");
    let expected = [("day", "2031-05-14"), ("month", "2031-05-01"), ("week", "2031-05-12")];
    assert_eq!(totals, expected.map(|(period, start)| (period.into(), start.into(), 1)));
    let contest: (i32,) = sqlx::query_as(
        "select votes_count from public.competitive_event_participations where event_id = it.id('contest')",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("the contest");
    assert_eq!(contest, (1,));
    let earned: i64 = sqlx::query_scalar(
        "select count(*) from public.prestige_pass_days where user_id = it.id('stan') and not is_used",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("the days");
    assert_eq!(earned, 1);
    let channels: Vec<String> = sqlx::query_scalar(
        "select channel from public.deliveries where vote_id is not null order by channel",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the outbox");
    assert_eq!(channels, ["votifier", "webhook"]);
    let answer: serde_json::Value = sqlx::query_scalar(
        "select payload - 'vote' from public.deliveries where vote_id is not null limit 1",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("the payload");
    assert_eq!(answer["event"], "vote.created");
    assert_eq!(answer["server"]["total_votes"], 1);
}

#[tokio::test]
async fn inactive_listener_receives_no_votes() {
    let stage = stage().await;
    stage.run("update public.webhooks set is_active = false; update public.votifier_configs set is_active = false").await;
    cast(stage.owner(), &ballot("a", None, "Ada")).await;
    assert_eq!(
        stage
            .value::<i64>("select count(*) from public.deliveries where vote_id is not null")
            .await,
        0
    );
}

#[tokio::test]
async fn months_end_at_midnight_on_the_sites_clock() {
    let stage = stage().await;
    let db = stage.owner();
    // June begins in Paris two hours before it begins in UTC.
    let last = Utc.with_ymd_and_hms(2031, 5, 31, 21, 59, 59).single().expect("a moment");
    let first = last + Duration::seconds(1);
    assert_eq!(
        cast(db, &Ballot { at: last, ..ballot("a", None, "Ada") }).await,
        accepted(last, 1, 1)
    );
    assert_eq!(
        cast(db, &Ballot { at: first, ..ballot("b", None, "Bob") }).await,
        accepted(first, 2, 1)
    );
    let mut owner = stage.begin().await;
    let archive: Vec<(String, i32)> = sqlx::query_as(
        "select month::text, votes from public.server_monthly_votes where month > '2030-01-01'",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("the archive");
    assert_eq!(archive, [("2031-05-01".to_owned(), 1)]);
}

#[tokio::test]
async fn late_vote_counts_for_its_closed_month() {
    let stage = stage().await;
    let db = stage.owner();
    cast(db, &ballot("a", None, "Ada")).await;
    let june = noon() + Duration::days(30);
    cast(db, &Ballot { at: june, ..ballot("b", None, "Bob") }).await;
    assert_eq!(cast(db, &ballot("c", None, "Late")).await, accepted(noon(), 3, 1));
    let archived = stage
        .value::<i32>("select votes from public.server_monthly_votes where month = '2031-05-01'");
    assert_eq!(archived.await, 2);
}

#[tokio::test]
async fn ended_months_close_once_during_new_votes() {
    let stage = stage().await;
    let db = stage.owner();
    for (server, ip) in [("open", "a"), ("open", "b"), ("borises", "c"), ("free", "d")] {
        let cast = cast(db, &Ballot { server, ..ballot(ip, None, ip.repeat(3).as_str()) }).await;
        assert_eq!(cast.outcome, "accepted");
    }
    let june = noon() + Duration::days(20);
    let closings = join_all((0..4).map(|_| async {
        let mut owner = db.begin().await.expect("a transaction");
        let mut after = Some(Uuid::nil());
        while let Some(last) = after {
            after = sqlx::query_scalar("select public.close_vote_periods($1, $2, 2)")
                .bind(june)
                .bind(last)
                .fetch_one(&mut *owner)
                .await
                .expect("an answer");
            owner.commit().await.expect("committed");
            owner = db.begin().await.expect("a transaction");
        }
    }));
    let late = Ballot { at: june, ..ballot("e", None, "Eve") };
    let (_, late) = tokio::join!(closings, cast(db, &late));
    assert_eq!(late, accepted(june, 3, 1));
    for left in [2, 2, 1, 0] {
        let placed = "select public.place_finished_months(2)";
        assert_eq!(stage.committed::<i32>(placed).await, left);
    }
    let archive = "select jsonb_object_agg(s.name, jsonb_build_array(m.votes, m.rank))
        from public.server_monthly_votes as m join public.servers as s on s.id = m.server_id
        where m.month = '2031-05-01'";
    assert_eq!(
        stage.value::<serde_json::Value>(archive).await,
        serde_json::json!({"Open": [2, 1], "Borises": [1, 2], "Nobody&#x27;s": [1, 2]})
    );
    let counters = "select jsonb_object_agg(s.name, jsonb_build_array(
            t.total_votes, t.monthly_votes, t.weekly_votes, t.daily_votes))
        from public.server_standings as t join public.servers as s on s.id = t.server_id
        where t.total_votes > 0";
    assert_eq!(
        stage.value::<serde_json::Value>(counters).await,
        serde_json::json!({"Open": [3, 1, 1, 1], "Borises": [1, 0, 0, 0], "Nobody&#x27;s": [1, 0, 0, 0]})
    );
}

#[tokio::test]
async fn monthly_votes_reset_before_the_month_is_closed() {
    let stage = stage().await;
    let db = stage.owner();
    cast(db, &ballot("a", None, "Ada")).await;
    let june = noon() + Duration::days(20);
    stage.run("insert into public.ip_bans (ip_hash) values (repeat('b', 64))").await;
    let banned = cast(db, &Ballot { at: june, ..ballot(&"b".repeat(64), None, "Bob") }).await;
    assert_eq!((banned.total_votes, banned.monthly_votes), (Some(1), Some(0)));
    // Visitors read with the real clock: for them every month but the current one has ended.
    stage.run("update public.server_standings set month = '2020-01-01'").await;
    let stats =
        "select total_votes * 10 + monthly_votes from public.get_server_stats(it.id('open'))";
    assert_eq!(stage.value::<i32>(stats).await, 10);
}

#[tokio::test]
async fn recounting_finds_what_was_counted() {
    let stage = stage().await;
    let db = stage.owner();
    let now = stage.value::<DateTime<Utc>>("select now()").await;
    stage.run("delete from public.server_daily_counts; select public.move_vote_clock(now())").await;
    for (n, ip) in ["a", "b", "c"].into_iter().enumerate() {
        cast(
            db,
            &Ballot { at: now, ..ballot(ip, (n == 0).then_some("stan"), ip.repeat(3).as_str()) },
        )
        .await;
    }
    const FIGURES: &str = "select jsonb_build_array(
        (select jsonb_agg(to_jsonb(t) - '{month,week,day}'::text[] order by t.server_id)
            from public.server_standings as t),
        (select jsonb_agg(to_jsonb(t) order by t.voter_key, t.period) from public.voter_totals as t),
        (select to_jsonb(c) from public.vote_clock as c),
        (select total_votes from public.profiles where id = it.id('stan')))";
    let before = stage.value::<serde_json::Value>(FIGURES).await;
    stage.run("call public.recount_votes(p_commits => false)").await;
    assert_eq!(stage.value::<serde_json::Value>(FIGURES).await, before, "nothing was wrong");
    stage
        .run(
            "update public.server_standings set total_votes = 7, monthly_votes = 0, day = '2020-01-01';
             update public.voter_totals set votes = votes + 5 where period = 'day';
             delete from public.voter_totals where period = 'week';
             insert into public.voter_totals (period, period_start, voter_key, nickname, votes, last_vote_at)
             values ('month', public.month_of(public.site_today()), 'guest:nobody', 'Nobody', 3, now());
             update public.profiles set total_votes = 9;
             update public.vote_clock set day = '2020-01-01'",
        )
        .await;
    stage.call("call public.recount_votes()").await;
    assert_eq!(stage.value::<serde_json::Value>(FIGURES).await, before, "what was wrong is right");
}

#[tokio::test]
async fn vote_during_a_recount_is_counted_once() {
    let stage = stage().await;
    let now = stage.value::<DateTime<Utc>>("select now()").await;
    let voter = |ip: &str| Ballot { at: now, ..ballot(ip, Some("stan"), "Stan") };
    cast(stage.owner(), &voter("a")).await;
    stage.run("update public.voter_totals set votes = 6").await;
    let mut running = stage.begin().await;
    sqlx::query("select public.cast_vote(it.id('free'), md5('b'), it.id('stan'), 'Stan', $1)")
        .bind(now)
        .execute(&mut *running)
        .await
        .expect("a vote");
    let recounted = async {
        let today = "select public.recount_voters('day', public.site_today(), 1000)";
        assert_eq!(stage.committed::<i32>(today).await, 1);
    };
    let voted = async {
        stage.until_somebody_waits().await;
        running.commit().await.expect("committed");
    };
    tokio::join!(recounted, voted);
    let votes = "select votes from public.voter_totals where period = 'day'";
    assert_eq!(stage.value::<i32>(votes).await, 2);
}

#[tokio::test]
async fn vote_api_shows_nickname_by_token_or_consent() {
    let stage = stage().await;
    let mut by_id = "select coalesce(username, '-') from public.find_vote(it.id('open')::text, 'a', '2031-05-14 13:00Z')";
    cast(stage.owner(), &ballot("a", None, "Ada")).await;
    assert_eq!(stage.value::<String>(by_id).await, "-");
    by_id = "select outcome from public.find_vote(it.id('open')::text, 'a', '2031-05-14 13:00Z')";
    assert_eq!(stage.value::<String>(by_id).await, "found");
    let by_token = "select username from public.server_api_tokens as t
        cross join lateral public.find_vote(t.token, 'a', '2031-05-14 13:00Z') where t.server_id = it.id('open')";
    assert_eq!(stage.value::<String>(by_token).await, "Ada");
    assert_eq!(
        stage
            .act(
                Persona::Olga,
                "update public.servers set open_vote_api = true where id = it.id('open')"
            )
            .await,
        Ok(1)
    );
    let opened =
        "select username from public.find_vote(it.id('open')::text, 'a', '2031-05-14 13:00Z')";
    assert_eq!(stage.value::<String>(opened).await, "Ada");
    let too_late =
        "select outcome from public.find_vote(it.id('open')::text, 'a', '2031-05-14 14:00Z')";
    assert_eq!(stage.value::<String>(too_late).await, "not_found");
    for unknown in [
        "select outcome from public.find_vote('0', 'a')",
        "select outcome from public.find_vote(it.id('off')::text, 'a')",
        "select outcome from public.find_vote('', 'a')",
    ] {
        assert_eq!(stage.value::<String>(unknown).await, "server_not_found");
    }
}

#[tokio::test]
async fn vote_outcomes_cover_one_period_and_listed_servers() {
    const OUTCOMES: &str =
        "select coalesce(array_agg(concat_ws(' ', kind, reason, last_days, total)), '{}')
        from public.get_vote_outcomes(it.id('open'))";
    let stage = Stage::new().await;
    // Refusals are recorded for forty days; accepted votes of earlier days are left out, too.
    stage
        .run(
            "update public.vote_reasons
             set counted_since = ((public.site_today() - 40) + time '12:00') at time zone 'Europe/Paris';
             delete from public.server_daily_counts;
             delete from public.vote_outcomes;
             insert into public.server_daily_counts (server_id, day, votes)
             select it.id('open'), public.site_today() - ago, votes
             from (values (0, 1), (29, 2), (30, 4), (40, 8), (41, 16)) as days (ago, votes);
             insert into public.vote_outcomes (server_id, day, reason, votes)
             select it.id('open'), public.site_today() - ago, reason, votes
             from (values (0, 'cooldown', 1), (31, 'cooldown', 2), (35, 'captcha', 5)) as days (ago, reason, votes)",
        )
        .await;
    assert_eq!(
        stage.value::<Vec<String>>(OUTCOMES).await,
        ["accepted accepted 3 15", "refused captcha 0 5", "refused cooldown 1 3"]
    );
    stage.run("update public.servers set is_hidden = true where id = it.id('open')").await;
    assert_eq!(stage.value::<Vec<String>>(OUTCOMES).await, Vec::<String>::new());
}
