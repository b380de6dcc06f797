use compat_testkit::TestResponse;
use serde_json::{Value, json};

use crate::world::{World, assert_refused, text};

async fn refresh(world: &World, token: &str) -> TestResponse {
    world.post("/token?grant_type=refresh_token", json!({"refresh_token": token})).await
}

async fn child(world: &World, token: &str) -> String {
    let answer = refresh(world, token).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    text(&answer.json(), "/refresh_token").to_owned()
}

fn token(session: &Value) -> String {
    text(session, "/refresh_token").to_owned()
}

const USED: &str = "Invalid Refresh Token: Already Used";

#[tokio::test]
async fn refresh_rotates_token_within_the_same_session() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.advance(60);
    let answer = refresh(&world, &token(&session)).await;
    assert_eq!(answer.status, 200);
    let fresh = answer.json();
    assert_ne!(fresh["refresh_token"], session["refresh_token"]);
    assert_ne!(fresh["access_token"], session["access_token"]);
    let claims = world
        .personas
        .keys()
        .verify(text(&fresh, "/access_token"), world.personas.clock().unix())
        .unwrap();
    assert_eq!(claims.session_id().unwrap().to_string(), answer.header("sb-auth-session-id"));
    assert_eq!(
        world.count("select count(*) from auth.sessions where refreshed_at is not null").await,
        1
    );
    assert_eq!(
        world
            .count("select count(*) from auth.refresh_tokens where revoked and parent is null")
            .await,
        1
    );
}

#[tokio::test]
async fn parent_of_active_token_repeats_its_child() {
    let world = World::new().await;
    let first = token(&world.member("ada").await);
    let second = child(&world, &first).await;
    world.advance(86_400);
    assert_eq!(child(&world, &first).await, second);
    assert_eq!(child(&world, &first).await, second);
}

#[tokio::test]
async fn older_token_gets_new_child_within_reuse_interval() {
    let world = World::new().await;
    let first = token(&world.member("ada").await);
    let second = child(&world, &first).await;
    let third = child(&world, &second).await;
    world.advance(9);
    let other = child(&world, &first).await;
    assert!(other != second && other != third);
    // Every use extends the interval.
    world.advance(9);
    child(&world, &first).await;
}

#[tokio::test]
async fn a_reused_refresh_token_ends_the_whole_session() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let first = token(&session);
    let second = child(&world, &first).await;
    let third = child(&world, &second).await;
    world.advance(11);
    assert_refused(&refresh(&world, &first).await, 400, "refresh_token_already_used", USED);
    assert_eq!(world.count("select count(*) from auth.refresh_tokens where not revoked").await, 0);
    // The newest token is refused, too: both within the reuse interval and after it.
    assert_refused(&refresh(&world, &third).await, 400, "refresh_token_already_used", USED);
    world.advance(11);
    assert_refused(&refresh(&world, &third).await, 400, "refresh_token_already_used", USED);
}

#[tokio::test]
async fn without_rotation_a_reused_token_is_refused_alone() {
    let world = World::with(|config| config.session.rotation_enabled = false).await;
    let first = token(&world.member("ada").await);
    let second = child(&world, &first).await;
    let third = child(&world, &second).await;
    world.advance(11);
    assert_refused(&refresh(&world, &first).await, 400, "refresh_token_already_used", USED);
    child(&world, &third).await;
}

#[tokio::test]
async fn concurrent_refreshes_of_one_token_share_one_child() {
    let world =
        World::with(|config| config.session.reuse_interval = std::time::Duration::ZERO).await;
    let first = token(&world.member("ada").await);
    let (a, b, c) =
        tokio::join!(child(&world, &first), child(&world, &first), child(&world, &first));
    assert_eq!((&a, &a), (&b, &c));
    assert_eq!(world.count("select count(*) from auth.refresh_tokens").await, 2);
}

#[tokio::test]
async fn malformed_tokens_are_refused_before_any_look_up() {
    let world = World::new().await;
    for token in ["x", "abcdefghijk", "ABCDEFGHIJKL", "abcdefghijkl1", "abc def ghi "] {
        assert_refused(
            &refresh(&world, token).await,
            400,
            "validation_failed",
            "Refresh token is not valid",
        );
    }
    let unknown = refresh(&world, "abcdefghijkl").await;
    let text = "Invalid Refresh Token: Refresh Token Not Found";
    assert_refused(&unknown, 400, "refresh_token_not_found", text);
    assert_refused(&refresh(&world, "").await, 400, "validation_failed", "refresh_token required");
}

#[tokio::test]
async fn banned_people_cannot_stay() {
    let world = World::new().await;
    let first = token(&world.member("ada").await);
    world.run("update auth.users set banned_until = now() + interval '1 year'").await;
    let answer = refresh(&world, &first).await;
    assert_refused(&answer, 400, "user_banned", "Invalid Refresh Token: User Banned");
}

#[tokio::test]
async fn sessions_expire_by_age_inactivity_and_newer_login() {
    let hour = std::time::Duration::from_secs(3600);
    let boxed = World::with(|config| config.session.timebox = Some(hour)).await;
    let first = token(&boxed.member("ada").await);
    boxed.advance(1800);
    let second = child(&boxed, &first).await;
    boxed.advance(1801);
    let expired = "Invalid Refresh Token: Session Expired";
    assert_refused(&refresh(&boxed, &second).await, 400, "session_expired", expired);

    let idle = World::with(|config| config.session.inactivity_timeout = Some(hour)).await;
    let first = token(&idle.member("ada").await);
    idle.advance(3000);
    let second = child(&idle, &first).await;
    idle.advance(3000);
    let third = child(&idle, &second).await;
    idle.advance(3601);
    let text = "Invalid Refresh Token: Session Expired (Inactivity)";
    assert_refused(&refresh(&idle, &third).await, 400, "session_expired", text);

    let single = World::with(|config| config.session.single_per_user = true).await;
    let older = token(&single.member("ada").await);
    single.advance(1);
    let newer = token(&single.member("ada").await);
    let text = "Invalid Refresh Token: Session Expired (Revoked by Newer Login)";
    assert_refused(&refresh(&single, &older).await, 400, "session_expired", text);
    child(&single, &newer).await;
}

#[tokio::test]
async fn with_tags_one_session_per_tag_goes_on() {
    let world = World::with(|config| {
        config.session.single_per_user = true;
        config.session.tags = vec!["web".to_owned(), "app".to_owned()];
    })
    .await;
    let on_a_phone = token(&world.member("ada").await);
    world.run("update auth.sessions set tag = 'APP'").await;
    world.advance(1);
    let first = token(&world.sign_in("ada").await.json());
    world.advance(1);
    let second = token(&world.sign_in("ada").await.json());
    let refusal = refresh(&world, &first).await;
    let newer = "Invalid Refresh Token: Session Expired (Revoked by Newer Login)";
    assert_refused(&refusal, 400, "session_expired", newer);
    assert_eq!(refresh(&world, &second).await.status, 200);
    assert_eq!(refresh(&world, &on_a_phone).await.status, 200);
}

#[tokio::test]
async fn low_aal_session_expires_after_grace_period() {
    let world = World::with(|config| {
        config.session.allow_low_aal = Some(std::time::Duration::from_secs(600));
    })
    .await;
    let with_a_factor = token(&world.member("ada").await);
    let without = token(&world.member("eve").await);
    world
        .run(
            "insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
            select gen_random_uuid(), id, 'totp', 'verified', now(), now()
            from auth.users where email like 'ada%'",
        )
        .await;
    world.advance(500);
    let still = child(&world, &with_a_factor).await;
    world.advance(200);
    let refusal = refresh(&world, &still).await;
    let text = "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)";
    assert_refused(&refusal, 400, "session_expired", text);
    assert_eq!(refresh(&world, &without).await.status, 200);
}
