use serde_json::{Value, json};

use crate::world::{PASSWORD, World, assert_refused, parameters, text};

fn ada() -> Value {
    json!({"email": "Ada@Example.Test", "password": PASSWORD, "data": {"name": "Ada", "lang": "fr"}})
}

#[tokio::test]
async fn without_confirmation_it_answers_a_session() {
    let world = World::autoconfirming().await;
    let answer = world.post("/signup", ada()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let session = answer.json();
    assert_eq!(session["token_type"], "bearer");
    assert_eq!(session["expires_in"], 3600);
    assert_eq!(session["refresh_token"].as_str().unwrap().len(), 12);
    let user = &session["user"];
    assert_eq!(user["email"], "ada@example.test");
    assert_eq!(user["phone"], "");
    assert_eq!(user["role"], "authenticated");
    assert_eq!(user["aud"], "authenticated");
    assert_eq!(user["is_anonymous"], false);
    assert_eq!(user["app_metadata"], json!({"provider": "email", "providers": ["email"]}));
    assert_eq!(
        user["user_metadata"],
        json!({
            "name": "Ada", "lang": "fr", "sub": user["id"], "email": "ada@example.test",
            "email_verified": true, "phone_verified": false,
        })
    );
    let identity = &user["identities"][0];
    assert_eq!(identity["provider"], "email");
    assert_eq!(identity["id"], user["id"]);
    assert_eq!(identity["user_id"], user["id"]);
    assert_eq!(identity["email"], "ada@example.test");
    assert_ne!(identity["identity_id"], user["id"]);
    assert_eq!(answer.header("sb-auth-user-id"), text(user, "/id"));
    let me = world.get_as(text(&session, "/access_token"), "/user").await;
    assert_eq!(me.json(), *user);
}

#[tokio::test]
async fn its_token_carries_the_claims_in_full() {
    let world = World::autoconfirming().await;
    let session = world.post("/signup", ada()).await.json();
    let token = text(&session, "/access_token");
    let now = world.personas.clock().unix();
    let claims = world.personas.keys().verify(token, now).unwrap();
    let names: Vec<&str> = claims.values().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "iss",
            "sub",
            "aud",
            "exp",
            "iat",
            "email",
            "phone",
            "app_metadata",
            "user_metadata",
            "role",
            "aal",
            "amr",
            "session_id",
            "is_anonymous"
        ]
    );
    assert_eq!(claims.get("iss").unwrap(), "http://localhost:54321/auth/v1");
    assert_eq!(claims.get("aal").unwrap(), "aal1");
    assert_eq!(*claims.get("amr").unwrap(), json!([{"method": "password", "timestamp": now}]));
    assert_eq!(session["expires_at"], now + 3600);
}

#[tokio::test]
async fn sign_up_with_confirmation_mails_a_link() {
    let world = World::new().await;
    let answer = world.post("/signup?redirect_to=https://app.example/in?a=1", ada()).await;
    assert_eq!(answer.status, 200);
    let user = answer.json();
    assert_eq!(user["email"], "ada@example.test");
    assert_eq!(user["identities"].as_array().unwrap().len(), 1);
    assert!(user.get("confirmation_sent_at").is_some());
    assert!(user.get("access_token").is_none());
    let mail = world.mailbox.latest("ada@example.test").unwrap();
    assert_eq!(mail.subject, "Confirmez votre adresse e-mail");
    let link = world.link_to("ada@example.test");
    assert!(link.ends_with("&type=signup&redirect_to=https://app.example/in?a%3D1"), "{link}");
    assert_refused(
        &world.sign_in_as("ada@example.test").await,
        400,
        "email_not_confirmed",
        "Email not confirmed",
    );
    let followed = world.get(&link).await;
    assert_eq!(followed.status, 303);
    assert!(followed.header("location").starts_with("https://app.example/in?a=1#access_token="));
    let fragment = parameters(&followed, '#');
    let keys: Vec<&str> = fragment.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["access_token", "expires_at", "expires_in", "refresh_token", "sb", "token_type", "type"]
    );
    let me = world.get_as(&fragment["access_token"], "/user").await.json();
    assert_eq!(me["user_metadata"]["email_verified"], true);
    assert_eq!(me["identities"][0]["identity_data"]["email_verified"], true);
    assert!(me.get("confirmed_at").is_some());
    let again = world.get(&link).await;
    assert_eq!(
        again.header("location"),
        "https://app.example/in?a=1#error=access_denied&error_code=otp_expired\
         &error_description=Email+link+is+invalid+or+has+expired&sb="
    );
}

#[tokio::test]
async fn typed_confirmation_code_is_accepted_once() {
    let world = World::new().await;
    world.post("/signup", ada()).await;
    let code = world.code_to("ada@example.test");
    let body = json!({"type": "signup", "email": "ada@example.test", "token": code});
    let answer = world.post("/verify", body.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let claims = world
        .personas
        .keys()
        .verify(text(&answer.json(), "/access_token"), world.personas.clock().unix())
        .unwrap();
    assert_eq!(claims.get("amr").unwrap()[0]["method"], "otp");
    assert_refused(
        &world.post("/verify", body).await,
        403,
        "otp_expired",
        "Token has expired or is invalid",
    );
}

#[tokio::test]
async fn confirmation_link_with_pkce_returns_a_code() {
    let world = World::new().await;
    let mut body = ada();
    body["code_challenge"] = json!("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    body["code_challenge_method"] = json!("s256");
    assert_eq!(world.post("/signup", body).await.status, 200);
    let link = world.link_to("ada@example.test");
    assert!(link.contains("token=pkce_"), "{link}");
    let followed = world.get(&link).await;
    assert_eq!(followed.status, 303);
    let code = parameters(&followed, '?')["code"].clone();
    let exchange = |verifier: &str| json!({"auth_code": code, "code_verifier": verifier});
    let wrong = world.post("/token?grant_type=pkce", exchange("wrong")).await;
    assert_refused(
        &wrong,
        400,
        "bad_code_verifier",
        "code challenge does not match previously saved code verifier",
    );
    let right = exchange("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    assert_eq!(world.post("/token?grant_type=pkce", right.clone()).await.status, 200);
    let again = world.post("/token?grant_type=pkce", right).await;
    assert_refused(
        &again,
        404,
        "flow_state_not_found",
        "invalid flow state, no valid flow state found",
    );
}

#[tokio::test]
async fn pkce_code_expires_after_five_minutes() {
    let world = World::new().await;
    let mut body = ada();
    body["code_challenge"] = json!("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    body["code_challenge_method"] = json!("S256");
    world.post("/signup", body).await;
    world.advance(3600);
    let code =
        parameters(&world.get(&world.link_to("ada@example.test")).await, '?')["code"].clone();
    world.advance(301);
    let body =
        json!({"auth_code": code, "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"});
    let answer = world.post("/token?grant_type=pkce", body).await;
    assert_refused(
        &answer,
        422,
        "flow_state_expired",
        "invalid flow state, flow state has expired",
    );
}

#[tokio::test]
async fn a_taken_address_answers_a_made_up_user() {
    let world = World::new().await;
    world.member("ada").await;
    let mails = world.mailbox.list().len();
    let answer = world.post("/signup", ada()).await;
    assert_eq!(answer.status, 200);
    let user = answer.json();
    assert_eq!(user["identities"], json!([]));
    assert_eq!(user["role"], "");
    assert_eq!(user["email"], "ada@example.test");
    assert_eq!(user["user_metadata"], json!({"name": "Ada", "lang": "fr"}));
    assert_eq!(user["app_metadata"], json!({"provider": "email", "providers": ["email"]}));
    assert!(user.get("confirmation_sent_at").is_some());
    assert_eq!(world.mailbox.list().len(), mails);
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn a_taken_address_is_said_openly_without_confirmation() {
    let world = World::autoconfirming().await;
    world.member("ada").await;
    let answer = world.post("/signup", ada()).await;
    assert_refused(&answer, 422, "user_already_exists", "User already registered");
}

#[tokio::test]
async fn repeated_sign_up_resends_mail_for_unconfirmed_address() {
    let world = World::new().await;
    let first = world.post("/signup", ada()).await.json();
    let mut other = ada();
    other["password"] = json!("another password");
    other["data"] = json!({"name": "Mallory"});
    let soon = world.post("/signup", other.clone()).await;
    assert_refused(
        &soon,
        429,
        "over_email_send_rate_limit",
        "For security purposes, you can only request this after 60 seconds.",
    );
    world.advance(61);
    let second = world.post("/signup", other).await.json();
    assert_eq!(second["id"], first["id"]);
    assert_eq!(second["user_metadata"]["name"], "Ada");
    assert_eq!(world.mailbox.list().len(), 2);
    assert_eq!(world.get(&world.link_to("ada@example.test")).await.status, 303);
    // The confirmed mail belongs to the second sign-up, so the first password does not count.
    assert_eq!(world.sign_in_as("ada@example.test").await.status, 400);
}

#[tokio::test]
async fn taken_address_has_the_same_mail_rate_limit() {
    let world = World::new().await;
    world.member("ada").await;
    assert_eq!(world.post("/signup", ada()).await.status, 200);
    let text = "For security purposes, you can only request this after 60 seconds.";
    let resend =
        world.post("/resend", json!({"type": "signup", "email": "ada@example.test"})).await;
    for soon in [world.post("/signup", ada()).await, resend] {
        assert_refused(&soon, 429, "over_email_send_rate_limit", text);
    }
    world.advance(60);
    assert_eq!(world.post("/signup", ada()).await.status, 200);
}

#[tokio::test]
async fn user_metadata_has_a_size_limit() {
    let world = World::with(|config| {
        config.email.autoconfirm = true;
        config.anonymous_users_enabled = true;
    })
    .await;
    let refusal_of = |answer: &compat_testkit::TestResponse| {
        let text = "User metadata cannot be larger than 32768 bytes";
        assert_refused(answer, 400, "validation_failed", text);
    };
    let data = |bytes: usize| json!({"text": "x".repeat(bytes)});
    let mut body = ada();
    body["data"] = data(32_768);
    refusal_of(&world.post("/signup", body.clone()).await);
    refusal_of(&world.post("/signup", json!({"data": data(32_768)})).await);
    let otp = json!({"email": "ada@example.test", "data": data(32_768)});
    refusal_of(&world.post("/otp", otp).await);
    assert_eq!(world.count("select count(*) from auth.users").await, 0);
    body["data"] = data(30_000);
    let session = world.post("/signup", body).await.json();
    let token = session["access_token"].as_str().unwrap();
    // The limit applies to the merged metadata.
    refusal_of(&world.put_as(token, "/user", json!({"data": {"more": "x".repeat(3_000)}})).await);
    assert_eq!(world.put_as(token, "/user", json!({"data": {"text": null}})).await.status, 200);
}

#[tokio::test]
async fn the_checks_come_in_their_order() {
    let closed = World::with(|config| {
        config.disable_signup = true;
        config.email.enabled = false;
    })
    .await;
    let answer = closed.post("/signup", json!({"email": "bad", "password": ""})).await;
    // Disabled sign-ups are reported before an invalid address or a missing password.
    assert_refused(&answer, 422, "signup_disabled", "Signups not allowed for this instance");
    let world = World::with(|config| config.email.enabled = false).await;
    let no_password = world.post("/signup", json!({"email": "bad"})).await;
    assert_refused(&no_password, 400, "validation_failed", "Signup requires a valid password");
    let weak = world.post("/signup", json!({"email": "bad", "password": "12345"})).await;
    assert_eq!(weak.status, 422);
    assert_eq!(
        weak.json(),
        json!({
            "code": "weak_password",
            "message": "Password should be at least 6 characters.",
            "weak_password": {"reasons": ["length"]},
        })
    );
    assert_eq!(weak.header("x-sb-error-code"), "");
    let disabled = world.post("/signup", json!({"email": "bad", "password": PASSWORD})).await;
    assert_refused(&disabled, 400, "email_provider_disabled", "Email signups are disabled");
    let open = World::new().await;
    let format = open.post("/signup", json!({"email": "bad", "password": PASSWORD})).await;
    assert_refused(
        &format,
        400,
        "validation_failed",
        "Unable to validate email address: invalid format",
    );
    let both = json!({"email": "a@b.cd", "phone": "1234567", "password": PASSWORD});
    assert_refused(
        &open.post("/signup", both).await,
        400,
        "validation_failed",
        "Only an email address or phone number should be provided on signup.",
    );
    let half = json!({"email": "a@b.cd", "password": PASSWORD, "code_challenge": "x".repeat(43)});
    assert_refused(
        &open.post("/signup", half).await,
        400,
        "validation_failed",
        "PKCE flow requires code_challenge_method and code_challenge",
    );
}

#[tokio::test]
async fn user_insert_trigger_reads_the_metadata() {
    let world = World::autoconfirming().await;
    world
        .run(
            "create table public.profiles (id uuid primary key references auth.users on delete cascade, name text);
            create function public.welcome() returns trigger language plpgsql security definer set search_path = ''
            as $$ begin
                insert into public.profiles values (new.id, new.raw_user_meta_data ->> 'name');
                return new;
            end $$;
            create trigger welcome after insert on auth.users for each row execute function public.welcome();",
        )
        .await;
    assert_eq!(world.post("/signup", ada()).await.status, 200);
    assert_eq!(world.text("select name from public.profiles").await, "Ada");
}

#[tokio::test]
async fn a_failing_trigger_leaves_nothing_behind() {
    let world = World::new().await;
    world
        .run(
            "create function public.refuse() returns trigger language plpgsql
            as $$ begin raise exception 'not today'; end $$;
            create trigger refuse after insert on auth.users for each row execute function public.refuse();",
        )
        .await;
    let answer = world.post("/signup", ada()).await;
    assert_refused(&answer, 500, "unexpected_failure", "Database error saving new user");
    let left = "select (select count(*) from auth.users) + (select count(*) from auth.identities)
        + (select count(*) from auth.audit_log_entries) + (select count(*) from auth.one_time_tokens)";
    assert_eq!(world.count(left).await, 0);
    assert_eq!(world.mailbox.list(), []);
}

/// Signs up as a client of the first API version, which expects errors in the old format.
async fn signed_up_by_an_old_client(world: &World) -> compat_testkit::TestResponse {
    let request = http::Request::post("/signup").body(ada().to_string().into()).unwrap();
    compat_testkit::call(&world.router, request).await
}

#[tokio::test]
async fn trigger_errors_reach_old_clients_verbatim() {
    let world = World::new().await;
    world
        .run(
            "create function public.refuse() returns trigger language plpgsql
            as $$ begin raise exception 'not today'
                using errcode = 'PT409', detail = 'closed', hint = 'come tomorrow'; end $$;
            create trigger refuse after insert on auth.users for each row execute function public.refuse();",
        )
        .await;
    let answer = signed_up_by_an_old_client(&world).await;
    let email = json!({
        "code": "PT409", "message": "not today", "detail": "closed", "hint": "come tomorrow",
    });
    assert_eq!((answer.status.as_u16(), answer.json()), (409, email));
}

#[tokio::test]
async fn constraint_errors_do_not_reveal_row_values() {
    let world = World::new().await;
    world
        .run(
            "create table public.profiles (secret text default 'row value', name text not null);
            create function public.welcome() returns trigger language plpgsql security definer
            as $$ begin insert into public.profiles default values; return new; end $$;
            create trigger welcome after insert on auth.users for each row execute function public.welcome();",
        )
        .await;
    let answer = signed_up_by_an_old_client(&world).await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.json()["code"], "23502");
    assert!(answer.json().get("detail").is_none() && !answer.text().contains("row value"));
    let current = world.post("/signup", ada()).await;
    assert_refused(&current, 500, "unexpected_failure", "Database error saving new user");
}

#[tokio::test]
async fn concurrent_sign_ups_create_one_account() {
    let world = World::new().await;
    let (one, two) = tokio::join!(world.post("/signup", ada()), world.post("/signup", ada()));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 429]);
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn anonymous_sign_in_creates_session_when_enabled() {
    let closed = World::new().await;
    let answer = closed.post("/signup", json!({"data": {}})).await;
    assert_refused(&answer, 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
    let world = World::with(|config| config.anonymous_users_enabled = true).await;
    let session = world.post("/signup", json!({"data": {"theme": "dark"}})).await.json();
    let user = &session["user"];
    assert_eq!(user["is_anonymous"], true);
    assert_eq!(user["email"], "");
    assert_eq!(user["app_metadata"], json!({}));
    assert_eq!(user["user_metadata"], json!({"theme": "dark"}));
    assert_eq!(user["identities"], json!([]));
    assert_eq!(world.get_as(text(&session, "/access_token"), "/user").await.status, 200);
}
