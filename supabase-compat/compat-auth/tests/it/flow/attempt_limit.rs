use std::net::{IpAddr, Ipv4Addr};

use compat_testkit::call;
use http::Request;
use serde_json::{Value, json};

use crate::world::{PASSWORD, World, assert_refused, text};

#[tokio::test]
async fn failed_sign_ins_are_counted_per_account() {
    let world = World::new().await;
    world.member("ada").await;
    for name in ["ada", "nobody"] {
        let email = format!("{name}@example.test");
        let wrong = || json!({"email": email, "password": "wrong"});
        for _ in 0..30 {
            let answer = world.post("/token?grant_type=password", wrong()).await;
            assert_eq!(answer.json()["code"], "invalid_credentials");
        }
        let answer = world.post("/token?grant_type=password", wrong()).await;
        assert_refused(&answer, 429, "over_request_rate_limit", "Request rate limit reached");
    }
    assert_eq!(world.sign_in("ada").await.status, 429);
    world.advance(11);
    for _ in 0..5 {
        assert_eq!(world.sign_in("ada").await.status, 200);
    }
}

#[tokio::test]
async fn codes_cannot_be_tried_until_one_fits() {
    let world = World::new().await;
    world.member("ada").await;
    world.post("/recover", json!({"email": "ada@example.test"})).await;
    let right = world.code_to("ada@example.test");
    let verify = |code: &str| {
        let body = json!({"type": "recovery", "email": "ada@example.test", "token": code});
        let world = &world;
        async move { world.post("/verify", body).await }
    };
    for _ in 0..10 {
        assert_eq!(verify("wrong").await.json()["code"], "otp_expired");
    }
    assert_eq!(verify(&right).await.json()["code"], "over_request_rate_limit");
    world.advance(361);
    assert_eq!(verify(&right).await.status, 200);
}

#[tokio::test]
async fn address_spellings_share_one_attempt_limit() {
    let world = World::with(|config| config.phone_enabled = true).await;
    world.member("ada").await;
    let post = |body: Value| world.post("/token?grant_type=password", body);
    let typed =
        ["ada@example.test", "ada@example.test ", "\tADA@example.test", "Ada@Example.test\u{2003}"];
    for round in 0..30 {
        let answer = post(json!({"email": typed[round % typed.len()], "password": "wrong"})).await;
        assert_eq!(answer.json()["code"], "invalid_credentials");
    }
    for email in typed {
        assert_eq!(
            post(json!({"email": email, "password": PASSWORD})).await.status,
            429,
            "{email:?}"
        );
    }
    let typed = ["33612345678", "+33612345678", "+33 6 12 34 56 78", " 336 12345678"];
    for round in 0..30 {
        let answer = post(json!({"phone": typed[round % typed.len()], "password": "wrong"})).await;
        assert_eq!(answer.json()["code"], "invalid_credentials");
    }
    for phone in typed {
        assert_eq!(
            post(json!({"phone": phone, "password": "wrong"})).await.status,
            429,
            "{phone:?}"
        );
    }
}

#[tokio::test]
async fn concurrent_guesses_cannot_exceed_the_attempt_limit() {
    let world = World::new().await;
    world.member("ada").await;
    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..45 {
        let body = json!({"email": "ada@example.test", "password": "wrong"}).to_string();
        let request = Request::post("/token?grant_type=password").body(body.into()).unwrap();
        let router = world.router.clone();
        guesses.spawn(async move { call(&router, request).await.status.as_u16() });
    }
    let answers = guesses.join_all().await;
    let looked_at = answers.iter().filter(|status| **status == 400).count();
    let turned_away = answers.iter().filter(|status| **status == 429).count();
    assert_eq!((looked_at, turned_away), (30, 15));
}

#[tokio::test]
async fn foreign_network_guesses_do_not_lock_owner_out() {
    let world = World::new().await;
    world.member("ada").await;
    let from = |ip: [u8; 4], password: &str| {
        let body = json!({"email": "ada@example.test", "password": password});
        let world = &world;
        async move {
            let ip = IpAddr::V4(Ipv4Addr::from(ip));
            world.post_from(ip, "/token?grant_type=password", body).await.status.as_u16()
        }
    };
    for guess in 0..30 {
        assert_eq!(from([203, 0, 113, 9], "wrong").await, 400, "{guess}");
    }
    assert_eq!(from([203, 0, 113, 9], PASSWORD).await, 429);
    // The owner, on another network, may mistype a few times and then signs in.
    for _ in 0..4 {
        assert_eq!(from([198, 51, 100, 7], "wrong").await, 400);
    }
    assert_eq!(from([198, 51, 100, 7], PASSWORD).await, 200);
    // An attacker with further networks gets only a few attempts from each.
    for _ in 0..5 {
        assert_eq!(from([192, 0, 2, 1], "wrong").await, 400);
    }
    assert_eq!(from([192, 0, 2, 1], "wrong").await, 429);
}

#[tokio::test]
async fn reauthentication_code_guesses_are_rate_limited() {
    let world = World::with(|config| config.password.update_requires_reauthentication = true).await;
    let session = world.member("ada").await;
    world.run("update auth.sessions set created_at = created_at - interval '2 days'").await;
    let token = text(&session, "/access_token").to_owned();
    assert_eq!(world.get_as(&token, "/reauthenticate").await.status, 200);
    let right = world.mailbox.latest("ada@example.test").expect("a mail");
    let right = right.html.split("letter-spacing:2px\">").nth(1).unwrap();
    let right = right.split('<').next().unwrap().to_owned();
    let change = |nonce: &str| {
        let body = json!({"password": "another password", "nonce": nonce});
        let (world, token) = (&world, token.as_str());
        async move { world.put_as(token, "/user", body).await.json() }
    };
    for _ in 0..10 {
        assert_eq!(change("wrong").await["code"], "reauthentication_not_valid");
    }
    assert_eq!(change(&right).await["code"], "over_request_rate_limit");
    world.advance(361);
    assert_eq!(change(&right).await["email"], "ada@example.test");
}
