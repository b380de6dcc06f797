//! Permissions for each persona and operation, under policies as a project would write them.

use http::Method;
use serde_json::json;

use crate::world::{World, and, refusal, words};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    Denied,
    Missing,
    /// The response reports success, but nothing was done.
    Nothing,
}

#[tokio::test]
async fn everyone_gets_what_row_security_gives_them() {
    use Outcome::{Denied, Done, Missing, Nothing};
    for (persona, outcomes) in [
        //          upload  read     info     list     sign     over    move     copy     remove
        ("ada", [Done, Done, Done, Done, Done, Done, Done, Done, Done]),
        ("service", [Done, Done, Done, Done, Done, Done, Done, Done, Done]),
        ("bob", [Denied, Missing, Missing, Nothing, Missing, Denied, Missing, Missing, Nothing]),
        ("anon", [Denied, Missing, Missing, Nothing, Missing, Denied, Missing, Missing, Nothing]),
    ] {
        let world = World::furnished().await;
        let put = world.put("shut/ada/a.txt", world.personas.as_user("ada"), "one").await;
        assert_eq!(put.status, 200);
        let mut found = Vec::new();
        for verb in VERBS {
            found.push(try_to(&world, persona, verb).await);
        }
        assert_eq!(found, outcomes, "{persona}");
        if persona != "ada" && persona != "service" {
            assert_eq!(
                world.text("select string_agg(name, ' ') from storage.objects").await,
                "ada/a.txt"
            );
            assert_eq!(world.files(), 1, "nothing was done by {persona}");
        }
    }
}

const VERBS: [&str; 9] =
    ["upload", "read", "info", "list", "sign", "over", "move", "copy", "remove"];

async fn try_to(world: &World, persona: &str, verb: &str) -> Outcome {
    let headers = match persona {
        "anon" => world.personas.as_anon(),
        "service" => world.personas.as_service(),
        name => world.personas.as_user(name),
    };
    let moving = json!({
        "bucketId": "shut", "sourceKey": "ada/a.txt", "destinationKey": format!("ada/{verb}.txt"),
    });
    let answer = match verb {
        "upload" => world.put("shut/ada/new.txt", headers, "new").await,
        "over" => world.put("shut/ada/a.txt", and(headers, &[("x-upsert", "true")]), "new").await,
        "read" => world.get("/object/authenticated/shut/ada/a.txt", headers).await,
        "info" => world.get("/object/info/shut/ada/a.txt", headers).await,
        "list" => {
            world.send(Method::POST, "/object/list/shut", headers, json!({"prefix": "ada"})).await
        }
        "sign" => {
            let body = json!({"expiresIn": 60});
            world.send(Method::POST, "/object/sign/shut/ada/a.txt", headers, body).await
        }
        "copy" => world.send(Method::POST, "/object/copy", headers, moving).await,
        "move" => {
            let moved = world.send(Method::POST, "/object/move", headers.clone(), moving).await;
            if moved.status == 200 {
                let back = json!({
                    "bucketId": "shut", "sourceKey": "ada/move.txt", "destinationKey": "ada/a.txt",
                });
                let back = world.send(Method::POST, "/object/move", headers, back).await;
                assert_eq!(back.json(), json!({"message": "Successfully moved"}));
            }
            moved
        }
        _ => {
            let body = json!({"prefixes": ["ada/a.txt", "ada/none.txt"]});
            world.send(Method::DELETE, "/object/shut", headers, body).await
        }
    };
    if answer.status == 200 {
        let nothing = answer.text() == "[]";
        return if nothing { Outcome::Nothing } else { Outcome::Done };
    }
    match refusal(&answer) {
        outcome if outcome == words("404", "not_found", "Object not found") => Outcome::Missing,
        outcome => {
            let text = "new row violates row-level security policy";
            assert_eq!(outcome, words("403", "Unauthorized", text), "{persona} {verb}");
            Outcome::Denied
        }
    }
}

#[tokio::test]
async fn replacing_an_object_takes_three_rights() {
    for missing in ["insert", "select", "update"] {
        let world = World::new().await;
        world
            .sql(
                "create policy seen on storage.buckets for select to authenticated using (true);
                insert into storage.buckets (id, name) values ('b', 'b')",
            )
            .await;
        for verb in ["insert", "select", "update"].into_iter().filter(|verb| *verb != missing) {
            let clause = if verb == "insert" { "with check" } else { "using" };
            let policy = format!(
                "create policy {verb}_it on storage.objects for {verb} to authenticated {clause} (true)"
            );
            world.sql(&policy).await;
        }
        world.sql("insert into storage.objects (bucket_id, name) values ('b', 'a.txt')").await;
        let ada = and(world.personas.as_user("ada"), &[("x-upsert", "true")]);
        let response = world.put("b/a.txt", ada, "over").await;
        let text = "new row violates row-level security policy";
        assert_eq!(refusal(&response), words("403", "Unauthorized", text), "without {missing}");
        assert_eq!(world.files(), 0);
    }
}

#[tokio::test]
async fn policies_and_triggers_can_read_the_request() {
    let world = World::furnished().await;
    world
        .sql(
            "create table public.seen (operation text, sub text, method text, path text, agent text);
            grant insert on public.seen to authenticated, service_role;
            create function public.see() returns trigger language plpgsql as $$
            begin
                insert into public.seen values (
                    storage.operation(), current_setting('request.jwt.claim.sub', true),
                    current_setting('request.method'), current_setting('request.path'),
                    current_setting('request.headers')::json ->> 'user-agent');
                return new;
            end $$;
            create trigger see before insert on storage.objects for each row
            when (current_user = 'service_role') execute function public.see();
            create policy only_up on storage.objects as restrictive for insert to authenticated
            with check (
                storage.allow_only_operation('object.upload')
                and current_setting('request.jwt.claims')::json ->> 'sub'
                    = current_setting('request.jwt.claim.sub')
                and length(current_setting('request.jwt')) > 20
                and metadata ->> 'mimetype' = 'text/plain'
            )",
        )
        .await;
    let ada = and(world.personas.as_user("ada"), &[("user-agent", "test/1")]);
    let put = world.put("shut/ada/a.txt", ada.clone(), "one").await;
    assert_eq!(put.status, 200, "{}", put.text());
    let response = world
        .text("select operation || ' ' || method || ' ' || path || ' ' || agent from public.seen");
    assert_eq!(response.await, "storage.object.upload POST /object/shut/ada/a.txt test/1");
    let owner = world.text("select owner_id || ' ' || owner from storage.objects").await;
    let id = world.personas.user_id("ada");
    assert_eq!(owner, format!("{id} {id}"));
    let other = world.ask(Method::PUT, "/object/shut/ada/b.txt", ada, "one").await;
    assert_eq!(refusal(&other).1, "403", "another operation");
}

#[tokio::test]
async fn invalid_tokens_get_the_originals_errors() {
    let world = World::furnished().await;
    let stale = world.personas.as_user("ada");
    world.personas.advance(std::time::Duration::from_secs(7200));
    let foreign = compat_testkit::Personas::new().as_user("ada");
    for (headers, text) in [
        (stale, "\"exp\" claim timestamp check failed"),
        (foreign, "signature verification failed"),
        (world.personas.as_bearer("garbled"), "Invalid Compact JWS"),
        (Vec::new(), "Invalid Compact JWS"),
    ] {
        let response = world.get("/bucket", headers).await;
        assert_eq!(refusal(&response), words("403", "Unauthorized", text));
    }
    let without_token = world.get("/object/shut/ada/a.txt", Vec::new()).await;
    assert_eq!(refusal(&without_token), words("404", "not_found", "Object not found"));
}

#[tokio::test]
async fn emptying_a_bucket_removes_permitted_objects() {
    let world = World::furnished().await;
    for name in ["ada", "bob"] {
        let headers = world.personas.as_user(name);
        assert_eq!(world.put(&format!("shut/{name}/a.txt"), headers, "x").await.status, 200);
    }
    let ada = world.personas.as_user("ada");
    let emptied = world.ask(Method::POST, "/bucket/shut/empty", ada.clone(), "").await;
    let text = "Empty bucket has been queued. Completion may take up to an hour.";
    assert_eq!(emptied.json(), json!({"message": text}));
    assert_eq!(world.text("select string_agg(name, ' ') from storage.objects").await, "bob/a.txt");
    assert_eq!(world.files(), 1);
    let service = || world.personas.as_service();
    let full = world.ask(Method::DELETE, "/bucket/shut", service(), "").await;
    let text = "The bucket you tried to delete is not empty";
    assert_eq!(refusal(&full), words("409", "ResourceNotEmpty", text));
    let emptied = world.ask(Method::POST, "/bucket/shut/empty", service(), "").await;
    assert_eq!(emptied.status, 200);
    let deleted = world.ask(Method::DELETE, "/bucket/shut", service(), "").await;
    assert_eq!(deleted.json(), json!({"message": "Successfully deleted"}));
    assert_eq!(world.files(), 0);
}
