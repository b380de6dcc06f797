use compat_testkit::TestResponse;
use http::Method;
use serde_json::{Value, json};

use crate::world::{PASSWORD, World, assert_refused, parameters, text};

async fn ask(world: &World, method: Method, path: &str, body: Option<Value>) -> TestResponse {
    world.send(method, path, world.personas.as_service(), body).await
}

async fn create(world: &World, body: Value) -> TestResponse {
    ask(world, Method::POST, "/admin/users", Some(body)).await
}

#[tokio::test]
async fn only_administrators_come_in() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let answer = world.get_as(text(&session, "/access_token"), "/admin/users").await;
    assert_refused(&answer, 403, "not_admin", "User not allowed");
    let answer = world.get("/admin/users").await;
    assert_refused(&answer, 403, "not_admin", "User not allowed");
    let secret = vec![("apikey", world.personas.api_keys().secret.clone())];
    assert_eq!(world.send(Method::GET, "/admin/users", secret, None).await.status, 200);
    let none = world.send(Method::GET, "/admin/users", vec![], None).await;
    assert_refused(&none, 401, "no_authorization", "This endpoint requires a valid Bearer token");
}

#[tokio::test]
async fn admin_creates_account_with_all_given_fields() {
    let world = World::with(|config| config.disable_signup = true).await;
    let id = "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
    let answer = create(
        &world,
        json!({
            "id": id, "email": "Ada@Example.test", "password": PASSWORD, "email_confirm": true,
            "user_metadata": {"name": "Ada"}, "app_metadata": {"plan": "gold"}, "role": "editor",
            "ban_duration": "none",
        }),
    )
    .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let user = answer.json();
    assert_eq!((&user["id"], &user["role"]), (&json!(id), &json!("editor")));
    assert_eq!(user["email"], "ada@example.test");
    assert_eq!(
        user["app_metadata"],
        json!({"provider": "email", "providers": ["email"], "plan": "gold"})
    );
    assert_eq!(user["user_metadata"], json!({"name": "Ada", "email_verified": true}));
    assert_eq!(user["identities"][0]["provider"], "email");
    assert_eq!(world.mailbox.list(), []);
    assert_eq!(world.sign_in("ada").await.status, 200);
    let again = create(&world, json!({"email": "ada@example.test"})).await;
    let message = "A user with this email address has already been registered";
    assert_refused(&again, 422, "email_exists", message);
}

#[tokio::test]
async fn accounts_may_have_numbers_and_foreign_hashes() {
    let world = World::new().await;
    let hash = "$2a$04$abcdefghijklmnopqrstuuWKiYuoGGoMNIFNvJnmJN7vGHCCJE3oK";
    let body = json!({"phone": "+33 6 12 34 56 78", "phone_confirm": true, "password_hash": hash});
    let user = create(&world, body).await.json();
    assert_eq!(user["phone"], "33612345678");
    assert_eq!(user["email"], "");
    assert_eq!(world.text("select encrypted_password from auth.users").await, hash);
    let answer = create(&world, json!({"phone": "33612345678"})).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (422, json!("phone_exists"))
    );
    let answer = create(&world, json!({})).await;
    let message = "Cannot create a user without either an email or phone";
    assert_refused(&answer, 400, "validation_failed", message);
    let answer = create(&world, json!({"email": "a@b.cd", "password_hash": "md5:x"})).await;
    assert_refused(&answer, 400, "validation_failed", "invalid password hash");
    let answer = create(&world, json!({"email": "a@b.cd", "ban_duration": "soon"})).await;
    assert_refused(&answer, 400, "validation_failed", "invalid format for ban duration: soon");
}

#[tokio::test]
async fn lists_are_paged_filtered_and_sorted() {
    let world = World::new().await;
    for name in ["ada", "bob", "cleo"] {
        world.advance(1);
        create(&world, json!({"email": format!("{name}@example.test")})).await;
    }
    let answer = ask(&world, Method::GET, "/admin/users?page=1&per_page=2", None).await;
    assert_eq!(answer.header("x-total-count"), "3");
    assert_eq!(
        answer.header("link"),
        "</admin/users?page=2&per_page=2>; rel=\"next\", </admin/users?page=2&per_page=2>; rel=\"last\""
    );
    let emails = |answer: &TestResponse| -> Vec<String> {
        let users = answer.json()["users"].as_array().unwrap().clone();
        users.iter().map(|user| text(user, "/email").to_owned()).collect()
    };
    assert_eq!(emails(&answer), ["cleo@example.test", "bob@example.test"]);
    assert_eq!(answer.json()["aud"], "authenticated");
    assert_eq!(answer.json()["users"][0]["identities"], Value::Null);
    let answer = ask(&world, Method::GET, "/admin/users?page=2&per_page=2", None).await;
    assert_eq!(answer.header("link"), "</admin/users?page=2&per_page=2>; rel=\"last\"");
    let answer =
        ask(&world, Method::GET, "/admin/users?page=&per_page=&sort=created_at%20asc", None).await;
    assert_eq!(emails(&answer)[0], "ada@example.test");
    let answer = ask(&world, Method::GET, "/admin/users?filter=bob", None).await;
    assert_eq!(emails(&answer), ["bob@example.test"]);
    let answer = ask(&world, Method::GET, "/admin/users?page=x", None).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (400, json!("validation_failed"))
    );
}

#[tokio::test]
async fn changes_take_effect_at_once() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let path = format!("/admin/users/{}", text(&session, "/user/id"));
    let put = |body| ask(&world, Method::PUT, &path, Some(body));
    let user =
        put(json!({"user_metadata": {"a": 1, "phone_verified": null}, "app_metadata": {"b": 2}}))
            .await
            .json();
    assert_eq!(user["user_metadata"]["a"], 1);
    assert!(user["user_metadata"].get("phone_verified").is_none());
    assert_eq!(user["app_metadata"]["b"], 2);
    let user = put(json!({"email": "new@example.test", "role": "editor"})).await.json();
    assert_eq!((&user["email"], &user["role"]), (&json!("new@example.test"), &json!("editor")));
    assert_eq!(user["identities"][0]["email"], "new@example.test");
    assert_eq!(world.get_as(text(&session, "/access_token"), "/user").await.status, 200);
    put(json!({"password": "a new password"})).await;
    let signed_out = world.get_as(text(&session, "/access_token"), "/user").await;
    assert_eq!(signed_out.json()["code"], "session_not_found");
    let user = put(json!({"ban_duration": "24h"})).await.json();
    assert!(user.get("banned_until").is_some());
    let body = json!({"email": "new@example.test", "password": "a new password"});
    let banned = world.post("/token?grant_type=password", body.clone()).await;
    assert_refused(&banned, 400, "user_banned", "User is banned");
    assert!(put(json!({"ban_duration": "none"})).await.json().get("banned_until").is_none());
    assert_eq!(world.post("/token?grant_type=password", body).await.status, 200);
    world.member("bob").await;
    let answer = put(json!({"email": "bob@example.test", "user_metadata": {"c": 3}})).await;
    assert_refused(&answer, 500, "unexpected_failure", "Error updating user");
    assert_eq!(
        world.count("select count(*) from auth.users where raw_user_meta_data ? 'c'").await,
        0
    );
}

#[tokio::test]
async fn accounts_are_found_by_their_id() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let path = format!("/admin/users/{}", text(&session, "/user/id"));
    assert_eq!(ask(&world, Method::GET, &path, None).await.json()["email"], "ada@example.test");
    let unknown = "/admin/users/00000000-0000-4000-8000-000000000000";
    for method in [Method::GET, Method::DELETE] {
        let answer = ask(&world, method, unknown, None).await;
        assert_refused(&answer, 404, "user_not_found", "User not found");
    }
    let answer = ask(&world, Method::GET, "/admin/users/x", None).await;
    assert_refused(&answer, 404, "validation_failed", "user_id must be an UUID");
}

#[tokio::test]
async fn user_deletion_removes_or_anonymises_the_account() {
    let world = World::new().await;
    let ada = world.member("ada").await;
    let path = format!("/admin/users/{}", text(&ada, "/user/id"));
    assert_eq!(ask(&world, Method::DELETE, &path, None).await.text(), "{}");
    assert_eq!(world.count("select count(*) from auth.users").await, 0);
    let bob = world.member("bob").await;
    world
        .run(
            "insert into auth.webauthn_credentials (user_id, credential_id, public_key)
            select id, '\\x01', '\\x02' from auth.users",
        )
        .await;
    let path = format!("/admin/users/{}", text(&bob, "/user/id"));
    let body = Some(json!({"should_soft_delete": true}));
    assert_eq!(ask(&world, Method::DELETE, &path, body).await.text(), "{}");
    assert_eq!(world.count("select count(*) from auth.webauthn_credentials").await, 0);
    let row = world
        .text("select concat_ws(' ', email, raw_user_meta_data, deleted_at is not null) from auth.users")
        .await;
    assert!(!row.contains("bob") && row.ends_with(" {} t"), "{row}");
    assert_eq!(world.sign_in("bob").await.status, 400);
    assert_eq!(world.get_as(text(&bob, "/access_token"), "/user").await.status, 403);
    assert_eq!(world.member("bob").await["user"]["email"], "bob@example.test");
}

#[tokio::test]
async fn invitation_creates_account_confirmed_by_link() {
    let world = World::new().await;
    let body = json!({"email": "ada@example.test", "data": {"team": "x"}});
    let answer = ask(&world, Method::POST, "/invite", Some(body.clone())).await;
    let user = answer.json();
    assert!(user.get("invited_at").is_some() && user.get("confirmation_sent_at").is_some());
    assert_eq!(user["user_metadata"]["team"], "x");
    assert_eq!(world.mailbox.latest("ada@example.test").unwrap().kind, "invite");
    let followed = world.get(&world.link_to("ada@example.test")).await;
    assert_eq!(parameters(&followed, '#')["type"], "invite");
    let answer = ask(&world, Method::POST, "/invite", Some(body)).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (422, json!("email_exists"))
    );
}

#[tokio::test]
async fn generated_links_work_and_mail_nothing() {
    let world = World::new().await;
    world.member("ada").await;
    for (kind, email, verified_as) in [
        ("magiclink", "ada@example.test", "magiclink"),
        ("recovery", "ada@example.test", "recovery"),
        ("magiclink", "new@example.test", "signup"),
        ("signup", "other@example.test", "signup"),
        ("invite", "guest@example.test", "invite"),
    ] {
        let body = json!({
            "type": kind, "email": email, "password": PASSWORD, "data": {"team": "x"},
            "redirect_to": "https://app.example/in",
        });
        let answer = ask(&world, Method::POST, "/admin/generate_link", Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let generated = answer.json();
        assert_eq!(generated["email"], email);
        if email != "ada@example.test" {
            assert_eq!(generated["user_metadata"], json!({"team": "x"}));
            let known = generated["identities"][0]["identity_data"].as_object().unwrap();
            assert!(!known.contains_key("team") && known["email"] == email);
        }
        assert_eq!(generated["verification_type"], verified_as);
        assert_eq!(generated["redirect_to"], "https://app.example/in");
        assert_eq!(generated["email_otp"].as_str().unwrap().len(), 6);
        let link = text(&generated, "/action_link")
            .strip_prefix("http://localhost:54321/auth/v1")
            .unwrap();
        assert!(link.contains(text(&generated, "/hashed_token")));
        let followed = world.get(link).await;
        assert!(
            followed.header("location").starts_with("https://app.example/in#access_token="),
            "{kind}"
        );
    }
    assert_eq!(world.mailbox.list(), []);
}

#[tokio::test]
async fn a_generated_change_of_address_takes_both_links() {
    let world = World::new().await;
    world.member("ada").await;
    let link = |kind: &'static str| {
        let body =
            json!({"type": kind, "email": "ada@example.test", "new_email": "new@example.test"});
        ask(&world, Method::POST, "/admin/generate_link", Some(body))
    };
    let follow = |generated: Value| {
        let link = text(&generated, "/action_link")
            .trim_start_matches("http://localhost:54321/auth/v1")
            .to_owned();
        let world = &world;
        async move { world.get(&link).await }
    };
    let (current, new) =
        (link("email_change_current").await.json(), link("email_change_new").await.json());
    assert!(follow(current).await.header("location").contains("#message="));
    assert!(follow(new).await.header("location").contains("#access_token="));
    assert_eq!(world.text("select email from auth.users").await, "new@example.test");
}

#[tokio::test]
async fn invalid_generate_link_requests_are_refused() {
    let world = World::new().await;
    world.member("ada").await;
    for (kind, email, status, code) in [
        ("recovery", "nobody@example.test", 404, "user_not_found"),
        ("email_change_new", "nobody@example.test", 404, "user_not_found"),
        ("signup", "ada@example.test", 422, "email_exists"),
        ("invite", "ada@example.test", 422, "email_exists"),
        ("email_change_new", "ada@example.test", 400, "validation_failed"),
        ("smoke", "ada@example.test", 400, "validation_failed"),
        ("magiclink", "", 400, "validation_failed"),
    ] {
        let body = json!({"type": kind, "email": email, "password": PASSWORD});
        let answer = ask(&world, Method::POST, "/admin/generate_link", Some(body)).await;
        let refusal = (answer.status.as_u16(), answer.json()["code"].clone());
        assert_eq!(refusal, (status, json!(code)), "{kind}");
    }
}

#[tokio::test]
async fn the_record_can_be_read() {
    let world = World::new().await;
    world.member("ada").await;
    let answer = ask(&world, Method::GET, "/admin/audit?query=action:login", None).await;
    let entries = answer.json();
    assert_eq!(entries.as_array().unwrap().len(), 1);
    assert_eq!(entries[0]["payload"]["action"], "login");
    assert_eq!(entries[0]["ip_address"], "127.0.0.1");
    assert_eq!(answer.header("x-total-count"), "1");
    let all = ask(&world, Method::GET, "/admin/audit", None).await;
    assert!(all.json().as_array().unwrap().len() > 1);
}
