use serde_json::json;

use crate::world::{PASSWORD, World, assert_refused, text};

#[tokio::test]
async fn every_failure_has_one_text() {
    let world = World::new().await;
    world.member("ada").await;
    world.run("insert into auth.users (instance_id, id, aud, email, email_confirmed_at)
        values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'nopassword@example.test', now())").await;
    for (email, password) in [
        ("ada@example.test", "wrong"),
        ("ada@example.test", ""),
        ("nobody@example.test", PASSWORD),
        ("nopassword@example.test", PASSWORD),
        ("not an address", PASSWORD),
    ] {
        let body = json!({"email": email, "password": password});
        let answer = world.post("/token?grant_type=password", body).await;
        assert_refused(&answer, 400, "invalid_credentials", "Invalid login credentials");
    }
}

#[tokio::test]
async fn invalid_sign_in_requests_are_refused() {
    let world = World::new().await;
    let post = |body| world.post("/token?grant_type=password", body);
    let answer = post(json!({"password": "x"})).await;
    assert_refused(&answer, 400, "validation_failed", "missing email or phone");
    let answer = post(json!({"email": "a@b.cd", "phone": "123456", "password": "x"})).await;
    let text = "Only an email address or phone number should be provided on login.";
    assert_refused(&answer, 400, "validation_failed", text);
    let answer = post(json!({"phone": "123456", "password": "x"})).await;
    assert_refused(&answer, 422, "phone_provider_disabled", "Phone logins are disabled");
    for path in ["/token", "/token?grant_type=magic"] {
        let answer = world.post(path, json!({})).await;
        assert_refused(&answer, 400, "invalid_credentials", "unsupported_grant_type");
    }
    let closed = World::with(|config| config.email.enabled = false).await;
    let answer = closed.sign_in("ada").await;
    assert_refused(&answer, 422, "email_provider_disabled", "Email logins are disabled");
}

#[tokio::test]
async fn ban_is_revealed_only_with_correct_password() {
    let world = World::new().await;
    world.member("ada").await;
    world.run("update auth.users set banned_until = now() + interval '1 year'").await;
    let body = json!({"email": "ada@example.test", "password": "wrong"});
    let answer = world.post("/token?grant_type=password", body).await;
    assert_refused(&answer, 400, "invalid_credentials", "Invalid login credentials");
    assert_refused(&world.sign_in("ada").await, 400, "user_banned", "User is banned");
}

/// An account with a bcrypt hash, as seed files and the original service write it.
const SEEDED: &str = "create extension pgcrypto;
    insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at)
    values (
        '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
        'seed@example.test', crypt('correct horse', gen_salt('bf', 4)), now()
    )";

#[tokio::test]
async fn bcrypt_hash_is_kept_when_upgrades_are_disabled() {
    let world = World::with(|config| config.password.upgrade_hashes = false).await;
    world.run(SEEDED).await;
    let before = world.text("select encrypted_password from auth.users").await;
    assert_eq!(world.sign_in("seed").await.status, 200);
    assert_eq!(world.text("select encrypted_password from auth.users").await, before);
    let body = json!({"email": "seed@example.test", "password": "wrong horse"});
    let answer = world.post("/token?grant_type=password", body).await;
    assert_refused(&answer, 400, "invalid_credentials", "Invalid login credentials");
}

#[tokio::test]
async fn a_bcrypt_hash_signs_in_and_becomes_argon2id() {
    let world = World::new().await;
    world.run(SEEDED).await;
    // The row holds nulls where the service writes empty texts, as rows inserted by hand do.
    let answer = world.sign_in("seed").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["user"]["app_metadata"], json!({}));
    let hash = world.text("select encrypted_password from auth.users").await;
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    assert_eq!(world.sign_in("seed").await.status, 200);
    let refresh = text(&answer.json(), "/refresh_token").to_owned();
    let body = json!({"refresh_token": refresh});
    assert_eq!(world.post("/token?grant_type=refresh_token", body).await.status, 200);
}

#[tokio::test]
async fn sign_in_reports_a_weak_password() {
    let world = World::with(|config| config.password.min_length = 20).await;
    let session = world.member("ada").await;
    assert_eq!(
        session["weak_password"],
        json!({
            "message": "Password should be at least 20 characters.",
            "reasons": ["length"],
        })
    );
}

#[tokio::test]
async fn a_sign_in_is_recorded() {
    let world = World::new().await;
    world.member("ada").await;
    let payload = world
        .text(
            "select payload::text from auth.audit_log_entries where payload ->> 'action' = 'login'",
        )
        .await;
    let payload: serde_json::Value = serde_json::from_str(&payload).unwrap();
    assert_eq!(payload["actor_username"], "ada@example.test");
    assert_eq!(payload["log_type"], "account");
    assert_eq!(payload["traits"], json!({"provider": "email"}));
}

#[tokio::test]
async fn concurrent_sign_ins_are_queued_and_all_succeed() {
    let world = World::with(|config| config.password.concurrent_hashes = Some(1)).await;
    world.member("ada").await;
    let (a, b, c, d) = tokio::join!(
        world.sign_in("ada"),
        world.sign_in("ada"),
        world.sign_in("ada"),
        world.sign_in("ada"),
    );
    for answer in [a, b, c, d] {
        assert_eq!(answer.status, 200);
    }
    assert_eq!(world.count("select count(*) from auth.sessions").await, 5);
}
