use serde_json::json;

use crate::world::{PASSWORD, World, assert_refused, text};

#[tokio::test]
async fn data_merges_one_level_deep_and_null_deletes() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    world.put_as(token, "/user", json!({"data": {"a": 1, "b": {"x": 1}}})).await;
    let answer = world.put_as(token, "/user", json!({"data": {"a": null, "b": {"y": 2}}})).await;
    assert_eq!(answer.status, 200);
    let metadata = &answer.json()["user_metadata"];
    assert!(metadata.get("a").is_none());
    assert_eq!(metadata["b"], json!({"y": 2}));
    assert_eq!(metadata["email"], "ada@example.test");
}

#[tokio::test]
async fn app_metadata_is_for_administrators() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let body = json!({"app_metadata": {"role": "admin"}, "data": {"x": 1}});
    let answer = world.put_as(text(&session, "/access_token"), "/user", body).await;
    let message = "Updating app_metadata requires admin privileges";
    assert_refused(&answer, 403, "not_admin", message);
    assert_eq!(
        world.count("select count(*) from auth.users where raw_user_meta_data ? 'x'").await,
        0
    );
}

#[tokio::test]
async fn password_change_ends_other_sessions_and_tokens() {
    let world = World::new().await;
    let mine = world.member("ada").await;
    let other = world.member("ada").await;
    world.post("/recover", json!({"email": "ada@example.test"})).await;
    let body = json!({"password": "a new password"});
    let answer = world.put_as(text(&mine, "/access_token"), "/user", body).await;
    assert_eq!(answer.status, 200);
    assert_eq!(world.get_as(text(&mine, "/access_token"), "/user").await.status, 200);
    assert_eq!(world.get_as(text(&other, "/access_token"), "/user").await.status, 403);
    let followed = world.get(&world.link_to("ada@example.test")).await;
    assert!(followed.header("location").contains("error_code=otp_expired"));
    assert_eq!(world.sign_in("ada").await.status, 400);
}

#[tokio::test]
async fn unchanged_and_weak_passwords_are_refused() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let answer = world.put_as(token, "/user", json!({"password": PASSWORD})).await;
    let message = "New password should be different from the old password.";
    assert_refused(&answer, 422, "same_password", message);
    let answer = world.put_as(token, "/user", json!({"password": "short"})).await;
    assert_eq!(answer.json()["code"], "weak_password");
    let answer = world.put_as(token, "/user", json!({"password": "x".repeat(73)})).await;
    let message = "Password cannot be longer than 72 characters";
    assert_refused(&answer, 400, "validation_failed", message);
    assert_eq!(world.sign_in("ada").await.status, 200);
}

#[tokio::test]
async fn old_session_requires_mailed_code_for_password_change() {
    let world = World::with(|config| {
        config.password.update_requires_reauthentication = true;
        config.jwt_exp = 200_000;
    })
    .await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    world.advance(86_401);
    let world = &world;
    let change = |nonce: &str| {
        let body = json!({"password": "a new password", "nonce": nonce});
        async move { world.put_as(token, "/user", body).await }
    };
    let answer = change("").await;
    let message = "Password update requires reauthentication";
    assert_refused(&answer, 400, "reauthentication_needed", message);
    assert_eq!(world.get_as(token, "/reauthenticate").await.text(), "{}");
    let mail = world.mailbox.latest("ada@example.test").unwrap();
    let code = mail.subject.split(' ').next().unwrap().to_owned();
    assert!(!mail.html.contains("/verify"));
    let answer = change("000000").await;
    assert_refused(&answer, 422, "reauthentication_not_valid", "Nonce has expired or is invalid");
    assert_eq!(change(&code).await.status, 200);
}

#[tokio::test]
async fn password_change_requires_current_password_if_configured() {
    let world = World::with(|config| config.password.update_requires_current = true).await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let message = "Current password required when setting new password.";
    let answer = world.put_as(token, "/user", json!({"password": "a new password"})).await;
    assert_refused(&answer, 400, "current_password_required", message);
    let body = json!({"password": "a new password", "current_password": "wrong"});
    let answer = world.put_as(token, "/user", body).await;
    assert_refused(&answer, 400, "current_password_invalid", message);
    let body = json!({"password": "a new password", "current_password": PASSWORD});
    assert_eq!(world.put_as(token, "/user", body).await.status, 200);
}
