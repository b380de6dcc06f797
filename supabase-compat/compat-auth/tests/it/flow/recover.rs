use serde_json::json;

use crate::world::{World, assert_refused, parameters};

#[tokio::test]
async fn recovery_does_not_reveal_unknown_addresses() {
    let world = World::new().await;
    world.member("ada").await;
    let known = world.post("/recover", json!({"email": "ada@example.test"})).await;
    let unknown = world.post("/recover", json!({"email": "nobody@example.test"})).await;
    assert_eq!((known.status, known.text()), (unknown.status, unknown.text()));
    assert_eq!(known.text(), "{}");
    assert_eq!(world.mailbox.list().len(), 1);
    // A second request that comes too soon has to wait equally long for both.
    world.advance(20);
    for email in ["ada@example.test", "nobody@example.test", " NOBODY@example.test"] {
        let again = world.post("/recover", json!({"email": email})).await;
        let text = "For security purposes, you can only request this after 40 seconds.";
        assert_refused(&again, 429, "over_email_send_rate_limit", text);
    }
    world.advance(40);
    let unknown = world.post("/recover", json!({"email": "nobody@example.test"})).await;
    assert_eq!(unknown.status, 200);
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let world = World::new().await;
    let answer = world.post("/recover", json!({})).await;
    assert_refused(&answer, 400, "validation_failed", "An email address is required");
    let answer = world.post("/recover", json!({"email": "x"})).await;
    let text = "Unable to validate email address: invalid format";
    assert_refused(&answer, 400, "validation_failed", text);
    let closed = World::with(|config| config.email.enabled = false).await;
    let answer = closed.post("/recover", json!({"email": "a@b.cd"})).await;
    assert_refused(&answer, 400, "email_provider_disabled", "Email logins are disabled");
}

#[tokio::test]
async fn second_recovery_mail_waits_one_minute() {
    let world = World::new().await;
    world.member("ada").await;
    let ask = || world.post("/recover", json!({"email": "ada@example.test"}));
    assert_eq!(ask().await.status, 200);
    world.advance(50);
    let text = "For security purposes, you can only request this after 10 seconds.";
    assert_refused(&ask().await, 429, "over_email_send_rate_limit", text);
    world.advance(10);
    assert_eq!(ask().await.status, 200);
}

#[tokio::test]
async fn recovery_with_pkce_resets_the_password() {
    let world = World::new().await;
    world.member("ada").await;
    let body = json!({
        "email": "ada@example.test",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "s256",
        "gotrue_meta_security": {"captcha_token": "x"},
    });
    let answer = world.post("/recover?redirect_to=https://app.example/reset", body).await;
    assert_eq!(answer.status, 200);
    let followed = world.get(&world.link_to("ada@example.test")).await;
    assert!(followed.header("location").starts_with("https://app.example/reset?code="));
    let code = parameters(&followed, '?')["code"].clone();
    let body =
        json!({"auth_code": code, "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"});
    let session = world.post("/token?grant_type=pkce", body).await.json();
    let token = session["access_token"].as_str().unwrap();
    let claims = world.personas.keys().verify(token, world.personas.clock().unix()).unwrap();
    assert_eq!(claims.get("amr").unwrap()[0]["method"], "recovery");
    let changed = world.put_as(token, "/user", json!({"password": "a new password"})).await;
    assert_eq!(changed.status, 200);
    let body = json!({"email": "ada@example.test", "password": "a new password"});
    assert_eq!(world.post("/token?grant_type=password", body).await.status, 200);
    assert_eq!(world.sign_in("ada").await.status, 400);
}

#[tokio::test]
async fn a_link_counts_only_as_it_was_mailed() {
    let world = World::new().await;
    world.member("ada").await;
    let email = "ada@example.test";
    let body = json!({
        "email": email,
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "s256",
    });
    assert_eq!(world.post("/recover", body).await.status, 200);
    let marked = world.link_to(email);
    let bare = marked.replace("token=pkce_", "token=");
    assert_ne!(bare, marked);
    let without_proof = world.get(&bare).await;
    assert_eq!(parameters(&without_proof, '#')["error_code"], "otp_expired");
    assert!(parameters(&world.get(&marked).await, '?').contains_key("code"));
    world.advance(61);
    assert_eq!(world.post("/recover", json!({"email": email})).await.status, 200);
    let bare = world.link_to(email);
    let other = world.get(&bare.replace("token=", "token=pkce_")).await;
    assert_eq!(parameters(&other, '#')["error_code"], "otp_expired");
    assert!(parameters(&world.get(&bare).await, '#').contains_key("access_token"));
}

#[tokio::test]
async fn disallowed_redirect_falls_back_to_site_url() {
    let world = World::new().await;
    world.member("ada").await;
    let path = "/recover?redirect_to=https://evil.example/";
    world.post(path, json!({"email": "ada@example.test"})).await;
    let link = world.link_to("ada@example.test");
    assert!(link.ends_with("&type=recovery&redirect_to=https://site.example"), "{link}");
    let tampered = link.replace("https://site.example", "https://evil.example");
    let followed = world.get(&tampered).await;
    assert!(followed.header("location").starts_with("https://site.example#access_token="));
}

#[tokio::test]
async fn recovery_link_and_code_expire_after_one_day() {
    let world = World::new().await;
    world.member("ada").await;
    world.post("/recover", json!({"email": "ada@example.test"})).await;
    let code = world.code_to("ada@example.test");
    world.advance(86_401);
    let followed = world.get(&world.link_to("ada@example.test")).await;
    assert_eq!(parameters(&followed, '#')["error_code"], "otp_expired");
    let body = json!({"type": "recovery", "email": "ada@example.test", "token": code});
    let answer = world.post("/verify", body).await;
    assert_refused(&answer, 403, "otp_expired", "Token has expired or is invalid");
}

#[tokio::test]
async fn a_link_needs_its_type_and_token() {
    let world = World::new().await;
    let answer = world.get("/verify?token=x").await;
    assert_refused(&answer, 400, "validation_failed", "Verify requires a verification type");
    let answer = world.get("/verify?type=signup").await;
    assert_refused(&answer, 400, "validation_failed", "Verify requires a token or a token hash");
    let pkce = world.get("/verify?type=recovery&token=pkce_x").await;
    assert_eq!(pkce.status, 303);
    assert_eq!(parameters(&pkce, '?')["error_code"], "otp_expired");
    assert_eq!(parameters(&pkce, '#')["error_code"], "otp_expired");
}

#[tokio::test]
async fn the_posted_form_takes_exactly_one_proof() {
    let world = World::new().await;
    let post = |body| world.post("/verify", body);
    let answer = post(json!({"type": "email"})).await;
    assert_refused(&answer, 400, "validation_failed", "Verify requires a token or a token hash");
    let answer = post(json!({"type": "email", "token_hash": "x", "email": "a@b.cd"})).await;
    let text = "Only the token_hash and type should be provided";
    assert_refused(&answer, 400, "validation_failed", text);
    let answer = post(json!({"type": "email", "token_hash": "x"})).await;
    assert_refused(&answer, 403, "otp_expired", "Email link is invalid or has expired");
    let answer = post(json!({"type": "email", "token": "123456"})).await;
    let text = "Only an email address or phone number should be provided on verify";
    assert_refused(&answer, 400, "validation_failed", text);
    let answer = post(json!({"type": "sms", "token": "123456", "phone": "x"})).await;
    let text = "Invalid phone number format (E.164 required)";
    assert_refused(&answer, 400, "validation_failed", text);
    let answer = post(json!({"type": "sms", "token": "123456", "phone": "33612345678"})).await;
    assert_refused(&answer, 403, "otp_expired", "Token has expired or is invalid");
}

#[tokio::test]
async fn banned_people_are_not_let_in_by_mail() {
    let world = World::new().await;
    world.member("ada").await;
    world.post("/recover", json!({"email": "ada@example.test"})).await;
    world.run("update auth.users set banned_until = now() + interval '1 year'").await;
    let followed = world.get(&world.link_to("ada@example.test")).await;
    assert_eq!(parameters(&followed, '#')["error_code"], "user_banned");
}

#[tokio::test]
async fn links_lead_to_wherever_the_service_is_mounted() {
    for (mount, paths) in
        [("", "/verify"), ("/accounts", "/verify"), ("/accounts", "/accounts/verify")]
    {
        let world = World::with(|config| {
            config.mount = mount.to_owned();
            config.email.url_paths.recovery = paths.to_owned();
        })
        .await;
        world.member("ada").await;
        let email = world.personas.email("ada");
        world.post("/recover", json!({"email": email})).await;
        let mail = world.mailbox.latest(&email).expect("a mail");
        let link = format!("http://localhost:54321{mount}/verify?token=");
        assert!(mail.text.contains(&link), "{}", mail.text);
    }
}
