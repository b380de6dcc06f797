//! The cleanup deletes expired rows and no others.

use std::time::Duration;

use serde_json::json;

use crate::world::{World, text};

#[tokio::test]
async fn only_what_expired_goes() {
    let world = World::with(|config| {
        config.anonymous_users_enabled = true;
        config.session.inactivity_timeout = Some(Duration::from_secs(3600));
    })
    .await;
    world.post("/signup", json!({})).await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    world.post_as(token, "/factors", json!({"factor_type": "totp"})).await;
    let body = json!({"refresh_token": session["refresh_token"]});
    world.post("/token?grant_type=refresh_token", body).await;
    assert_eq!(compat_auth::clean(&world.state).await.unwrap(), 0);
    world.advance(2 * 86_400);
    let fresh = world.member("ada").await;
    // One used refresh token, one idle session of each account, and one unfinished enrolment.
    assert_eq!(compat_auth::clean(&world.state).await.unwrap(), 4);
    assert_eq!(world.get_as(text(&fresh, "/access_token"), "/user").await.status, 200);
    assert_eq!(world.count("select count(*) from auth.users").await, 2);
    world.advance(30 * 86_400);
    compat_auth::clean(&world.state).await.unwrap();
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn audit_log_is_deleted_after_configured_days() {
    const ENTRIES: &str = "select count(*) from auth.audit_log_entries";
    let longer = World::new().await;
    let world = World::with(|config| config.audit_log_days = Some(400)).await;
    for world in [&longer, &world] {
        world.member("ada").await;
        world.advance(401 * 86_400);
        world.member("bea").await;
        compat_auth::clean(&world.state).await.unwrap();
    }
    let (of_both, of_bea) = (longer.count(ENTRIES).await, world.count(ENTRIES).await);
    assert!(of_bea > 0 && of_both == 2 * of_bea, "{of_both} {of_bea}");
}
