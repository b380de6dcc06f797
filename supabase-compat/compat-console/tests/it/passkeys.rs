//! Passkeys of operators: as the only factor, and as a second factor.

use std::time::Duration;

use compat_console::ConsoleAccess;
use compat_testkit::TestResponse;
use http::Method;
use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::world::{Browser, OWNER, PASSWORD, World, of, refusal};

const ORIGIN: &str = "http://localhost:54321";

/// Starts the registration of a passkey.
async fn begin(browser: &Browser<'_>) -> Value {
    let answer = browser.post("/passkeys/challenge", json!({"password": PASSWORD})).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

/// Finishes the registration with a credential.
async fn keep(browser: &Browser<'_>, start: &Value, credential: Value) -> TestResponse {
    let body =
        json!({"challenge_id": start["challenge_id"], "credential": credential, "name": "Laptop"});
    browser.post("/passkeys", body).await
}

/// Registers a passkey for an operator.
async fn with_passkey(browser: &Browser<'_>) -> Authenticator {
    let mut authenticator = Authenticator::new();
    let start = begin(browser).await;
    let answer = keep(browser, &start, authenticator.create(&start["options"], ORIGIN)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    authenticator
}

/// The browser's answer to a challenge.
fn answer_to(start: &Value, authenticator: &mut Authenticator) -> Value {
    let credential = authenticator.get(&start["options"], ORIGIN);
    json!({"challenge_id": start["challenge_id"], "credential": credential})
}

/// Starts a sign-in with a passkey alone.
async fn challenge(world: &World) -> Value {
    let answer = world.browser().post("/session/challenge", json!({})).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

async fn sign_in_by(world: &World, authenticator: &mut Authenticator) -> TestResponse {
    let start = challenge(world).await;
    world.browser().post("/session/passkey", answer_to(&start, authenticator)).await
}

/// The refusal of a sign-in by password alone, and its challenge.
async fn second_step(world: &World) -> (TestResponse, Value) {
    let answer = world.browser().sign_in(OWNER, PASSWORD).await;
    let passkey = answer.json()["error"]["passkey"].clone();
    (answer, passkey)
}

async fn with_second_step(world: &World, passkey: Value) -> TestResponse {
    let body = json!({"email": OWNER, "password": PASSWORD, "passkey": passkey});
    world.browser().post("/session", body).await
}

#[tokio::test]
async fn passkey_signs_in_alone_and_after_the_password() {
    let world = World::new().await;
    let owner = world.owner().await;
    assert_eq!(owner.get("/session").await.json()["operator"]["passkeys"], 0);
    let start = begin(&owner).await;
    let options = &start["options"];
    assert_eq!(options["rp"], json!({"id": "localhost", "name": "shop console"}));
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    let mut authenticator = Authenticator::new();
    assert_eq!(keep(&owner, &start, authenticator.create(options, ORIGIN)).await.status, 201);
    let listed = owner.get("/passkeys").await.json();
    let one = &listed["passkeys"][0];
    assert_eq!((&one["name"], &one["domain"]), (&json!("Laptop"), &json!("localhost")));
    assert_eq!(one["last_used_at"], Value::Null);
    let operator = owner.get("/session").await.json()["operator"].clone();
    assert_eq!((&operator["passkeys"], &operator["second_factor"]), (&json!(1), &json!(false)));
    assert_eq!(owner.get("/operators").await.json()["operators"][0]["second_factor"], true);

    let alone = sign_in_by(&world, &mut authenticator).await;
    assert_eq!(alone.status, 200, "{}", alone.text());
    assert_eq!(alone.json()["operator"]["email"], OWNER);
    assert!(alone.header("set-cookie").contains("HttpOnly"));

    let (answer, passkey) = second_step(&world).await;
    assert_eq!(refusal(&answer), of(401, "passkey_required"));
    assert_eq!(passkey["options"]["userVerification"], "required");
    assert_eq!(passkey["options"]["allowCredentials"].as_array().unwrap().len(), 1);
    let both = with_second_step(&world, answer_to(&passkey, &mut authenticator)).await;
    assert_eq!(both.status, 200, "{}", both.text());
    assert!(owner.get("/passkeys").await.json()["passkeys"][0]["last_used_at"].is_string());
}

#[tokio::test]
async fn wrong_password_gets_no_challenge_of_a_passkey() {
    let world = World::new().await;
    let owner = world.owner().await;
    with_passkey(&owner).await;
    let answer = world.browser().sign_in(OWNER, "another password").await;
    assert_eq!(refusal(&answer), of(401, "invalid_credentials"));
    assert_eq!(answer.json()["error"]["passkey"], Value::Null);
}

#[tokio::test]
async fn challenge_counts_once_and_for_five_minutes() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut authenticator = with_passkey(&owner).await;
    let start = challenge(&world).await;
    let answer = answer_to(&start, &mut authenticator);
    let browser = world.browser();
    assert_eq!(browser.post("/session/passkey", answer.clone()).await.status, 200);
    let again = browser.post("/session/passkey", answer).await;
    assert_eq!(refusal(&again), of(410, "challenge_expired"));
    let late = challenge(&world).await;
    world.personas.advance(Duration::from_secs(300));
    let answer = answer_to(&late, &mut authenticator);
    let answer = browser.post("/session/passkey", answer).await;
    assert_eq!(refusal(&answer), of(410, "challenge_expired"));
    let start = begin(&owner).await;
    let registration = Authenticator::new().create(&start["options"], ORIGIN);
    assert_eq!(keep(&owner, &start, registration.clone()).await.status, 201);
    let again = keep(&owner, &start, registration).await;
    assert_eq!(refusal(&again), of(410, "challenge_expired"));
}

#[tokio::test]
async fn copied_passkey_is_refused_by_its_counter() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut authenticator = with_passkey(&owner).await;
    assert_eq!(sign_in_by(&world, &mut authenticator).await.status, 200);
    authenticator.count = 0;
    let copy = sign_in_by(&world, &mut authenticator).await;
    assert_eq!(refusal(&copy), of(403, "passkey_refused"));
    assert_eq!(sign_in_by(&world, &mut authenticator).await.status, 200, "it counts on");
}

#[tokio::test]
async fn passkey_without_user_verification_is_refused() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut without_verification = Authenticator::new();
    without_verification.verifies = false;
    let start = begin(&owner).await;
    let answer = keep(&owner, &start, without_verification.create(&start["options"], ORIGIN)).await;
    assert_eq!(refusal(&answer), of(403, "passkey_refused"));
    let mut authenticator = with_passkey(&owner).await;
    authenticator.verifies = false;
    let answer = sign_in_by(&world, &mut authenticator).await;
    assert_eq!(refusal(&answer), of(403, "passkey_refused"));
}

#[tokio::test]
async fn passkey_answers_to_its_own_domain_alone() {
    let world = World::reached_from("", ConsoleAccess::Everywhere).await;
    let owner = world.owner().await;
    let mut authenticator = with_passkey(&owner).await;
    let elsewhere = [("host", "admin.example"), ("origin", "https://admin.example")];
    let ask = async |path: &str, body: Value| {
        world.browser().send(Method::POST, path, Some(body), &elsewhere).await
    };
    let start = ask("/session/challenge", json!({})).await.json();
    assert_eq!(start["options"]["rpId"], "admin.example");
    let credential = authenticator.get(&start["options"], "https://admin.example");
    let body = json!({"challenge_id": start["challenge_id"], "credential": credential});
    let answer = ask("/session/passkey", body).await;
    assert_eq!(refusal(&answer), of(403, "passkey_refused"));
    let answer = ask("/session", json!({"email": OWNER, "password": PASSWORD})).await;
    assert_eq!(refusal(&answer), of(401, "passkey_elsewhere"));
    let start = challenge(&world).await;
    let foreign = authenticator.get(&start["options"], "http://localhost:3000");
    let body = json!({"challenge_id": start["challenge_id"], "credential": foreign});
    let answer = world.browser().post("/session/passkey", body).await;
    assert_eq!(refusal(&answer), of(403, "passkey_refused"), "a page of another origin");
}

#[tokio::test]
async fn address_without_a_name_has_no_passkeys() {
    let world = World::new().await;
    let owner = world.owner().await;
    let number = [("host", "127.0.0.1:54321"), ("origin", "http://127.0.0.1:54321")];
    let body = Some(json!({"password": PASSWORD}));
    let answer = owner.send(Method::POST, "/passkeys/challenge", body, &number).await;
    assert_eq!(refusal(&answer), of(409, "no_domain"));
    let answer =
        world.browser().send(Method::POST, "/session/challenge", Some(json!({})), &number).await;
    assert_eq!(refusal(&answer), of(409, "no_domain"));
}

#[tokio::test]
async fn challenge_of_one_operator_is_no_other_ones() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut authenticator = with_passkey(&owner).await;
    let other = world.invited(&owner, "developer", "bob@example.test").await;
    let mut of_other = with_passkey(&other).await;
    let (_, passkey) = second_step(&world).await;
    let body = json!({
        "email": "bob@example.test",
        "password": PASSWORD,
        "passkey": answer_to(&passkey, &mut of_other),
    });
    let answer = world.browser().post("/session", body).await;
    assert_eq!(refusal(&answer), of(410, "challenge_expired"));
    let (_, passkey) = second_step(&world).await;
    let answer = with_second_step(&world, answer_to(&passkey, &mut of_other)).await;
    assert_eq!(refusal(&answer), of(403, "passkey_refused"));
    let start = challenge(&world).await;
    let answer = with_second_step(&world, answer_to(&start, &mut authenticator)).await;
    assert_eq!(refusal(&answer), of(410, "challenge_expired"), "of another purpose");
    world.personas.advance(Duration::from_secs(60));
    let start = begin(&owner).await;
    let new_credential = Authenticator::new().create(&start["options"], ORIGIN);
    assert_eq!(refusal(&keep(&other, &start, new_credential).await), of(410, "challenge_expired"));
    let id = owner.get("/passkeys").await.json()["passkeys"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/passkeys/{id}");
    let renamed = other.patch(&path, json!({"name": "Mine"})).await;
    assert_eq!(refusal(&renamed), of(404, "passkey_not_found"));
    let removed = other.send(Method::DELETE, &path, Some(json!({"password": PASSWORD})), &[]).await;
    assert_eq!(refusal(&removed), of(404, "passkey_not_found"));
}

#[tokio::test]
async fn either_factor_does_where_there_are_both() {
    let world = World::new().await;
    let owner = world.owner().await;
    let enrolment = owner.post("/second-factor", json!({})).await.json();
    let secret = enrolment["secret"].as_str().unwrap();
    let code = crate::sessions::code_of(secret, world.personas.clock().unix());
    owner.post("/second-factor/confirmation", json!({"code": code})).await;
    let mut authenticator = with_passkey(&owner).await;
    let (answer, passkey) = second_step(&world).await;
    assert_eq!(refusal(&answer), of(401, "code_required"));
    let answer = with_second_step(&world, answer_to(&passkey, &mut authenticator)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    world.personas.advance(Duration::from_secs(300));
    let code = crate::sessions::code_of(secret, world.personas.clock().unix());
    let body = json!({"email": OWNER, "password": PASSWORD, "code": code});
    assert_eq!(world.browser().post("/session", body).await.status, 200);
}

#[tokio::test]
async fn passkeys_are_named_and_removed_by_the_password() {
    let world = World::new().await;
    let owner = world.owner().await;
    let wrong = json!({"password": "another password"});
    let answer = owner.post("/passkeys/challenge", wrong.clone()).await;
    assert_eq!(refusal(&answer), of(403, "wrong_password"));
    let mut authenticator = with_passkey(&owner).await;
    let id = owner.get("/passkeys").await.json()["passkeys"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/passkeys/{id}");
    for name in [" ", &"x".repeat(101), "a\u{0}b"] {
        let answer = owner.patch(&path, json!({"name": name})).await;
        assert_eq!(refusal(&answer), of(422, "invalid_passkey_name"), "{name:?}");
    }
    assert_eq!(owner.patch(&path, json!({"name": " Phone "})).await.status, 204);
    assert_eq!(owner.get("/passkeys").await.json()["passkeys"][0]["name"], "Phone");
    let remove = async |body: Value| owner.send(Method::DELETE, &path, Some(body), &[]).await;
    assert_eq!(refusal(&remove(wrong).await), of(403, "wrong_password"));
    assert_eq!(remove(json!({"password": PASSWORD})).await.status, 204);
    let answer = sign_in_by(&world, &mut authenticator).await;
    assert_eq!(refusal(&answer), of(403, "passkey_refused"));
    assert_eq!(world.browser().sign_in(OWNER, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn operator_has_ten_passkeys_and_each_once() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut authenticator = with_passkey(&owner).await;
    let start = begin(&owner).await;
    assert_eq!(start["options"]["excludeCredentials"].as_array().unwrap().len(), 1);
    let again = keep(&owner, &start, authenticator.create(&start["options"], ORIGIN)).await;
    assert!(again.status == 403 || again.status == 409, "{}", again.text());
    for _ in 1..9 {
        // Each request checks the password, and the rate limit counts it.
        world.personas.advance(Duration::from_secs(60));
        with_passkey(&owner).await;
    }
    let late = begin(&owner).await;
    with_passkey(&owner).await;
    let answer = owner.post("/passkeys/challenge", json!({"password": PASSWORD})).await;
    assert_eq!(refusal(&answer), of(409, "too_many_passkeys"));
    let new_credential = Authenticator::new().create(&late["options"], ORIGIN);
    assert_eq!(refusal(&keep(&owner, &late, new_credential).await), of(409, "too_many_passkeys"));
}

#[tokio::test]
async fn strangers_begin_a_bounded_number_of_ceremonies() {
    let world = World::new().await;
    world.owner().await;
    for _ in 0..30 {
        challenge(&world).await;
    }
    let answer = world.browser().post("/session/challenge", json!({})).await;
    assert_eq!(refusal(&answer), of(429, "too_many_attempts"));
    world.personas.advance(Duration::from_secs(300));
    challenge(&world).await;
    let count = world.text("select count(*)::text from _console.ceremonies").await;
    assert_eq!(count.as_deref(), Some("1"), "those that are over are gone");
}

#[tokio::test]
async fn answers_that_are_none_are_refused() {
    let world = World::new().await;
    let owner = world.owner().await;
    with_passkey(&owner).await;
    let id = "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
    for body in
        [json!({}), json!({"challenge_id": id}), json!({"challenge_id": "x", "credential": {}})]
    {
        let answer = world.browser().post("/session/passkey", body).await;
        assert_eq!(refusal(&answer), of(400, "invalid_request"));
    }
    let body = json!({"challenge_id": id, "credential": null});
    let answer = world.browser().post("/session/passkey", body).await;
    assert_eq!(refusal(&answer), of(410, "challenge_expired"));
    for credential in [json!(null), json!("x"), json!({"id": "a", "rawId": "a"})] {
        let start = challenge(&world).await;
        let body = json!({"challenge_id": start["challenge_id"], "credential": credential});
        let answer = world.browser().post("/session/passkey", body).await;
        assert_eq!(refusal(&answer), of(403, "passkey_refused"));
    }
}

#[tokio::test]
async fn passkeys_and_attempts_by_them_are_written_down() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut authenticator = with_passkey(&owner).await;
    assert_eq!(sign_in_by(&world, &mut authenticator).await.status, 200);
    authenticator.verifies = false;
    sign_in_by(&world, &mut authenticator).await;
    sign_in_by(&world, &mut Authenticator::new()).await;
    let question = "select string_agg(operator || ' ' || path || ' ' || status || ' ' || summary, e'\\n' order by id)
        from _console.audit_log where path like '%passkey%'";
    assert_eq!(
        world.text(question).await.as_deref(),
        Some(
            "ada@example.test /passkeys 201 passkey added: Laptop\n\
             ada@example.test /session/passkey 200 sign in by a passkey\n\
             ada@example.test /session/passkey 403 sign in by a passkey"
        )
    );
}
