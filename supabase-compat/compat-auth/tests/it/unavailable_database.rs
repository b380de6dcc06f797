//! Without its database the service answers 503, or `temporarily_unavailable` in a redirect.

use serde_json::json;

use crate::world::{PASSWORD, World, text};

#[tokio::test]
async fn unavailable_database_returns_status_503() {
    let world = World::with(|config| {
        config.anonymous_users_enabled = true;
        config.limits.enabled = true;
    })
    .await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token").to_owned();
    let email = "ada@example.test";
    world.db.pools().owner.close().await;
    for (path, body) in [
        ("/signup", json!({"email": "bob@example.test", "password": PASSWORD})),
        ("/signup", json!({})),
        ("/token?grant_type=password", json!({"email": email, "password": PASSWORD})),
        ("/token?grant_type=refresh_token", json!({"refresh_token": session["refresh_token"]})),
        ("/token?grant_type=pkce", json!({"auth_code": "x", "code_verifier": "y"})),
        ("/recover", json!({"email": email})),
        ("/otp", json!({"email": email})),
        ("/resend", json!({"type": "signup", "email": email})),
        ("/verify", json!({"type": "email", "email": email, "token": "123456"})),
        ("/logout", json!({})),
    ] {
        let answer = world.post_as(&token, path, body).await;
        assert_eq!(answer.status, 503, "{path}: {}", answer.text());
        assert_eq!(answer.json()["code"], "unexpected_failure");
    }
    assert_eq!(world.get_as(&token, "/user").await.status, 503);
    let world = World::new().await;
    world.db.pools().owner.close().await;
    let followed = world.get("/verify?type=recovery&token=x").await;
    assert!(followed.header("location").contains("error=temporarily_unavailable"));
}

#[tokio::test]
async fn connection_lost_during_statement_returns_status_503() {
    let world = World::new().await;
    world
        .run(
            "create function public.leave() returns trigger language plpgsql as $$
                begin
                    perform pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid());
                    return new;
                end
            $$;
            create trigger leave before insert on auth.users
            for each row execute function public.leave()",
        )
        .await;
    let body = json!({"email": "ada@example.test", "password": PASSWORD});
    assert_eq!(world.post("/signup", body).await.status, 503);
}
