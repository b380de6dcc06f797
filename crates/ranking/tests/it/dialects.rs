//! The dialects of the vote API: each at its own paths, with the exact bodies that plugins for
//! other sites expect.

use std::time::Duration;

use axum::body::Body;
use compat_testkit::TestResponse;
use futures_util::future::join_all;
use http::Request;
use ranking::RateLimitConfig;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{VoteAttempt, World, status_and_body};

/// A server that Steve voted for from 203.0.113.1, 200 seconds ago.
struct Stage {
    world: World,
    server: Uuid,
    token: String,
}

impl Stage {
    async fn new() -> Self {
        let world = World::with(|config| {
            let often = RateLimitConfig { burst: 100_000, refill: Duration::from_secs(1) };
            (config.question_rate, config.token_question_rate) = (often, often);
        })
        .await;
        let server = world.server("L'île d'Ada").await;
        let token = world.token(server).await;
        assert_eq!(world.vote(&VoteAttempt::guest(server, "Steve", 1)).await.status, 200);
        world.clock().advance(Duration::from_secs(200));
        Self { world, server, token }
    }

    /// Fills the server's token and id, and an unknown token, into a path.
    fn path(&self, path: &str) -> String {
        path.replace("{t}", &self.token)
            .replace("{id}", &self.server.to_string())
            .replace("{no}", &"0".repeat(64))
    }

    async fn ask(&self, path: &str) -> TestResponse {
        self.world.ask(&self.path(path)).await
    }

    async fn post(&self, path: &str, form: &str) -> TestResponse {
        let request = Request::post(self.path(path))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(self.path(form)));
        self.world.send(request.expect("a request")).await
    }

    /// Sends a request with a bearer token.
    async fn get_with_bearer(&self, path: &str, token: &str) -> TestResponse {
        let request = Request::get(self.path(path))
            .header("authorization", format!("Bearer {token}"))
            .body(Body::empty());
        self.world.send(request.expect("a request")).await
    }

    /// Checks the status and the text of the response to each path.
    async fn assert_texts(&self, table: &[(&str, u16, &str)]) {
        for (path, status, text) in table {
            let answer = self.ask(path).await;
            assert_eq!((answer.status.as_u16(), &*answer.text()), (*status, *text), "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), "*");
        }
    }

    /// Checks the status and the JSON of the response to each path.
    async fn assert_bodies(&self, table: &[(&str, u16, Value)]) {
        for (path, status, body) in table {
            let answer = self.ask(path).await;
            assert_eq!(status_and_body(&answer), (*status, body.clone()), "{path}");
            assert_eq!(answer.header("content-type"), "application/json");
        }
    }

    fn unix(&self) -> i64 {
        self.world.clock().unix()
    }
}

#[tokio::test]
async fn serveur_prive_answers_as_its_first_api_did() {
    let stage = Stage::new().await;
    let voted = stage.unix() - 200;
    stage
        .assert_texts(&[
            ("/api/vote/{t}/203.0.113.1", 200, "1"),
            ("/api/vote/{id}/203.0.113.1", 200, "1"),
            ("/api/vote/{t}/203.0.113.2", 200, ""),
            ("/api/vote/{no}/203.0.113.1", 404, ""),
            ("/api/vote/{t}/nowhere", 400, ""),
            ("/api/stats/{t}/position", 200, "1"),
            ("/api/stats/{t}/vote", 200, "1"),
            ("/api/stats/{t}/clic", 200, "0"),
            ("/api/stats/{id}/commentaire", 200, "0"),
            ("/api/stats/{id}/note", 200, "0.0"),
            ("/api/stats/{id}/secret", 400, ""),
            ("/api/stats/{no}/vote", 404, ""),
        ])
        .await;
    let full = json!({ "status": "1", "vote": voted, "nextvote": 7000, "pseudo": "Steve" });
    let bare = json!({ "status": "1", "vote": voted, "nextvote": 7000 });
    let no = json!({ "status": "0" });
    stage
        .assert_bodies(&[
            ("/api/vote/json/{t}/203.0.113.1", 200, full),
            ("/api/vote/json/{id}/203.0.113.1", 200, bare),
            ("/api/vote/json/{t}/203.0.113.2", 200, no.clone()),
            ("/api/vote/json/{no}/203.0.113.1", 404, no.clone()),
            ("/api/stats/json/{t}/vote", 200, json!({ "status": "1", "data": "1" })),
            ("/api/stats/json/{no}/position", 404, no),
        ])
        .await;
}

#[tokio::test]
async fn statistics_have_the_names_plugins_read() {
    let stage = Stage::new().await;
    let data = json!({
        "position": 1,
        "position_overall": 1,
        "votes_count": 1,
        "total_votes_count": 1,
        "clicks_count": 0,
        "comments_count": 0,
        "rating": null,
        "last_30_days": { "accepted": 1, "refused": 0, "voided": 0 },
    });
    let known = json!({ "success": true, "data": data });
    let no = |message: &str| json!({ "success": false, "message": message });
    stage
        .assert_bodies(&[
            ("/api/v1/servers/{t}/statistics", 200, known.clone()),
            ("/api/v1/servers/{id}/statistics", 200, known.clone()),
            ("/api/v1/servers/{no}/statistics", 404, no("Server not found")),
            ("/api/v1/servers/x/statistics", 400, no("Invalid server token")),
        ])
        .await;
    let first = stage.ask("/api/v1/servers/{t}/statistics").await;
    assert_eq!(first.header("cache-control"), "private, max-age=10");
    let again = Request::get(stage.path("/api/v1/servers/{t}/statistics"))
        .header("if-none-match", first.header("etag"))
        .body(Body::empty());
    let again = stage.world.send(again.expect("a request")).await;
    assert_eq!((again.status.as_u16(), &*again.text()), (304, ""));
    stage.world.sql("update public.servers set is_hidden = true").await;
    let hidden = stage.ask("/api/v1/servers/{t}/statistics").await.json();
    assert_eq!(hidden["data"]["position"], Value::Null, "its owner sees it, in no place");
}

#[tokio::test]
async fn top_serveurs_reports_missing_vote_as_404() {
    let stage = Stage::new().await;
    let accepted_answer = json!({
        "code": 200,
        "success": true,
        "duration": 117,
        "message": "Next vote possible in 117 minutes",
        "playername": "Steve",
    });
    let no =
        |code: u16, message: &str| json!({ "code": code, "success": false, "message": message });
    stage
        .assert_bodies(&[
            ("/v1/votes/check-ip?server_token={t}&ip=203.0.113.1", 200, accepted_answer.clone()),
            ("/v1/votes/check-ip?server_token={t}&ip=203.0.113.2", 404, no(404, "No vote found")),
            (
                "/v1/votes/check-ip?server_token={no}&ip=203.0.113.2",
                404,
                no(404, "Server not found"),
            ),
            ("/v1/votes/check-ip?server_token={t}", 400, no(400, "Missing ip")),
            ("/v1/votes/check-ip?ip=203.0.113.1", 400, no(400, "Missing server_token")),
            ("/v1/votes/check?server_token={t}&playername=sTEVE", 200, accepted_answer),
            ("/v1/votes/check?server_token={t}&playername=Alex", 404, no(404, "No vote found")),
            (
                "/v1/votes/check?server_token={t}&playername=%3C%3E",
                400,
                no(400, "Invalid player name"),
            ),
            (
                "/v1/votes/check?server_token={id}&playername=Steve",
                403,
                no(403, "This needs the token of the server"),
            ),
        ])
        .await;
    let last = stage.ask("/v1/votes/last?server_token={t}").await.json();
    assert_eq!(last["votes"][0]["playername"], "Steve");
    assert_eq!(last["votes"][0]["claimed"], 0);
    assert_eq!(last["votes"][0]["datetime"].as_str().expect("a text").len(), 19);
    let players = json!([{ "playername": "Steve", "votes": 1 }]);
    let no_players = json!({ "code": 200, "success": true, "players": [] });
    stage
        .assert_bodies(&[
            (
                "/v1/servers/{t}/players-ranking",
                200,
                json!({ "code": 200, "success": true, "players": players }),
            ),
            ("/v1/servers/{t}/players-ranking?type=lastMonth", 200, no_players),
            ("/v1/servers/{t}/players-ranking?type=ever", 400, no(400, "Unknown type")),
            (
                "/v1/servers/{id}/players-ranking",
                403,
                no(403, "This needs the token of the server"),
            ),
            (
                "/v1/servers/{id}/advices",
                200,
                json!({ "code": 200, "success": true, "advices": [] }),
            ),
        ])
        .await;
    let server = stage.ask("/v1/servers/{t}").await.json();
    assert_eq!((&server["code"], &server["server"]["votes"]), (&json!(200), &json!(1)));
    assert_eq!(server["server"]["name"], "L'île d'Ada");
}

#[tokio::test]
async fn a_ranking_counts_players_whatever_their_capitals() {
    let stage = Stage::new().await;
    for (name, last) in [("Alex", 7), ("STEVE", 8), ("Zoe", 9)] {
        stage.world.clock().advance(Duration::from_secs(7200));
        assert_eq!(
            stage.world.vote(&VoteAttempt::guest(stage.server, name, last)).await.status,
            200
        );
    }
    let ranking = stage.ask("/v1/servers/{t}/players-ranking?type=current").await.json();
    let votes: Vec<_> = ranking["players"]
        .as_array()
        .expect("players")
        .iter()
        .map(|player| (player["playername"].as_str().unwrap_or_default(), player["votes"].clone()))
        .map(|(name, votes)| (name.to_lowercase(), votes))
        .collect();
    let expected = [("steve", 2), ("alex", 1), ("zoe", 1)];
    assert_eq!(votes, expected.map(|(name, votes)| (name.to_owned(), json!(votes))));
    let voters = stage.ask("/api/?object=servers&element=voters&key={t}&limit=1").await.json();
    assert_eq!(voters["month"], "current");
    assert_eq!(voters["voters"][0]["votes"], "2");
    assert_eq!(voters["voters"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn list_forge_answers_with_a_digit() {
    let stage = Stage::new().await;
    let status = "/api/?object=votes&element=claim&key={t}&username=Steve";
    let claim = "/api/?action=post&object=votes&element=claim&key={t}&username=Steve";
    let no_key = "Error: server key not found";
    stage
        .assert_texts(&[
            (status, 200, "1"),
            ("/api/?object=votes&element=claim&key={t}&username=Alex", 200, "0"),
            ("/api/?object=votes&element=claim&key={no}&username=Steve", 200, no_key),
            ("/api/?object=votes&element=claim&key=x&username=Steve", 200, no_key),
            ("/api/?object=votes&element=claim&username=Steve", 200, "Error: missing key"),
            ("/api/?object=votes&element=claim&key={t}", 200, "Error: missing username"),
            ("/api/?object=dreams&key={t}", 200, "Error: unknown object or element"),
            (
                "/api/?object=votes&element=claim&key={id}&username=Steve",
                200,
                "Error: this needs the token of the server",
            ),
        ])
        .await;
    for expected in ["1", "0"] {
        assert_eq!(&*stage.post(claim, "").await.text(), expected);
    }
    stage.assert_texts(&[(status, 200, "2")]).await;
    // The same request with parameters in a form.
    stage.world.clock().advance(Duration::from_secs(7200));
    stage.assert_texts(&[(status, 200, "0")]).await;
    assert_eq!(stage.world.vote(&VoteAttempt::guest(stage.server, "Steve", 1)).await.status, 200);
    let form = "object=votes&element=claim&key={t}&username=steve";
    assert_eq!(&*stage.post("/api/", form).await.text(), "1");
    stage.assert_texts(&[(status, 200, "2")]).await;
    // The same with GET, for plugins that can send nothing else.
    stage.world.clock().advance(Duration::from_secs(7200));
    assert_eq!(stage.world.vote(&VoteAttempt::guest(stage.server, "Steve", 1)).await.status, 200);
    let claim_by_get = "/api/?action=claim&object=votes&element=claim&key={t}&steamid=Steve";
    stage
        .assert_texts(&[(claim_by_get, 200, "1"), (claim_by_get, 200, "0"), (status, 200, "2")])
        .await;
}

#[tokio::test]
async fn list_forge_returns_server_details_and_votes() {
    let stage = Stage::new().await;
    let detail = stage.ask("/api/?object=servers&element=detail&key={t}").await.json();
    assert_eq!((&detail["votes"], &detail["rank"]), (&json!(1), &json!(1)));
    assert_eq!(detail["is_online"], 0);
    let votes = stage.ask("/api/?object=servers&element=votes&key={t}&format=json").await.json();
    let vote = &votes["votes"][0];
    assert_eq!((&vote["nickname"], &vote["claimed"]), (&json!("Steve"), &json!("0")));
    assert_eq!(vote["timestamp"], stage.unix() - 200);
    let previous = "/api/?object=servers&element=voters&month=previous&key={t}";
    let voters = stage.ask(previous).await.json();
    assert_eq!((&voters["month"], &voters["voters"]), (&json!("previous"), &json!([])));
}

#[tokio::test]
async fn other_lists_have_a_word_each() {
    let stage = Stage::new().await;
    let failed = |word: &str, value: bool, message: &str| {
        let mut body = json!({ word: value });
        body["message"] = message.into();
        body
    };
    stage
        .assert_bodies(&[
            ("/api/checkVote/{t}/203.0.113.1", 200, json!({ "success": true })),
            ("/api/checkVote/{t}/203.0.113.2", 200, json!({ "success": false })),
            ("/api/checkVote/{no}/203.0.113.1", 404, failed("success", false, "Server not found")),
            ("/api/hasVoted/{t}/203.0.113.1", 200, json!({ "hasVoted": true })),
            ("/api/hasVoted/{t}/x", 400, failed("hasVoted", false, "Invalid IP address")),
            ("/api/hasVote/{t}/203.0.113.1/10", 200, json!({ "hasVote": true })),
            ("/api/hasVote/{t}/203.0.113.1/3", 200, json!({ "hasVote": false })),
            ("/api/hasVote/{t}/203.0.113.1/x", 400, failed("hasVote", false, "Unknown duration")),
            ("/api/v1/servers/{t}/vote/203.0.113.1", 200, json!({ "canVote": false })),
            ("/api/v1/servers/{id}/vote/203.0.113.2", 200, json!({ "canVote": true })),
            (
                "/api/v1/servers/{no}/vote/203.0.113.2",
                404,
                failed("canVote", true, "Server not found"),
            ),
        ])
        .await;
}

#[tokio::test]
async fn concurrent_claims_claim_a_vote_once() {
    let stage = Stage::new().await;
    let path = "/v1/votes/claim-username?server_token={t}&playername=Steve";
    let both = [path, "/v1/votes/claim-steam?server_token={t}&steam_id=steve"];
    let calls = (0..24).map(|call| stage.ask(both[call % 2]));
    let mut answers: Vec<_> = join_all(calls)
        .await
        .iter()
        .map(|answer| answer.json()["claimed"].as_u64().expect("a figure"))
        .collect();
    answers.sort_unstable();
    let mut expected = vec![2; 24];
    expected[0] = 1;
    assert_eq!(answers, expected);
    let claimed = |claimed: u8| json!({ "code": 200, "success": true, "claimed": claimed });
    let other_player = "/v1/votes/claim-username?server_token={t}&playername=Alex";
    stage.assert_bodies(&[(path, 200, claimed(2)), (other_player, 200, claimed(0))]).await;
    let votes = stage.ask("/v1/votes/last?server_token={t}").await.json();
    assert_eq!(votes["votes"][0]["claimed"], 1);
}

#[tokio::test]
async fn votes_are_claimable_for_one_day() {
    let stage = Stage::new().await;
    stage.world.clock().advance(Duration::from_secs(7200));
    assert_eq!(stage.world.vote(&VoteAttempt::guest(stage.server, "steve", 1)).await.status, 200);
    stage.world.clock().advance(Duration::from_secs(3 * 3600));
    let path = "/v1/votes/claim-username?server_token={t}&playername=Steve";
    for expected in [1, 1, 0] {
        let answer = stage.ask(path).await.json();
        assert_eq!(answer["claimed"], expected, "two votes, and it is time to vote again");
    }
    assert_eq!(stage.world.vote(&VoteAttempt::guest(stage.server, "Steve", 1)).await.status, 200);
    stage.world.clock().advance(Duration::from_secs(24 * 3600));
    assert_eq!(stage.ask(path).await.json()["claimed"], 0, "a day is over");
}

#[tokio::test]
async fn head_request_does_not_claim_the_vote() {
    let stage = Stage::new().await;
    let path = "/v1/votes/claim-username?server_token={t}&playername=Steve";
    let head = Request::head(stage.path(path)).body(Body::empty()).expect("a request");
    let answer = stage.world.send(head).await;
    assert_eq!((answer.status.as_u16(), &*answer.text()), (200, ""));
    assert_eq!(stage.ask(path).await.json()["claimed"], 1);
}

#[tokio::test]
async fn the_token_may_come_beside_the_address() {
    let stage = Stage::new().await;
    let path = "/api/v1/servers/{id}/votes/203.0.113.1";
    let answer = stage.get_with_bearer(path, &stage.token).await;
    assert_eq!(answer.json()["data"]["username"], "Steve");
    let claim = "/v1/votes/claim-username?playername=Steve";
    assert_eq!(stage.get_with_bearer(claim, &stage.token).await.json()["claimed"], 1);
    let status = "/api/?object=votes&element=claim&username=Steve";
    assert_eq!(&*stage.get_with_bearer(status, &stage.token).await.text(), "2");
    let other = stage.world.server("Avalon").await;
    let other_token = stage.world.token(other).await;
    let refused = |message: &str| json!({ "success": false, "message": message });
    let answer = stage.get_with_bearer(path, &other_token).await;
    assert_eq!(status_and_body(&answer), (401, refused("The token belongs to another server")));
    let answer = stage.get_with_bearer(path, "short").await;
    assert_eq!(status_and_body(&answer), (400, refused("Invalid server token")));
    let answer = stage.get_with_bearer(path, &"0".repeat(64)).await;
    assert_eq!(status_and_body(&answer), (404, refused("Server not found")));
}

#[tokio::test]
async fn every_answer_says_what_is_left() {
    let world = World::with(|config| {
        config.token_question_rate = RateLimitConfig { burst: 2, refill: Duration::from_secs(9) };
    })
    .await;
    let server = world.server("L'île d'Ada").await;
    let token = world.token(server).await;
    let path = format!("/api/?object=votes&element=claim&key={token}&username=Steve");
    let mut answers = Vec::new();
    for _ in 0..3 {
        let answer = world.ask(&path).await;
        assert_eq!(answer.header("ratelimit-policy"), "\"questions\";q=2");
        assert_eq!(answer.header("x-ratelimit-limit"), "2");
        assert!(answer.header("access-control-expose-headers").contains("X-RateLimit-Remaining"));
        answers.push((
            answer.status.as_u16(),
            answer.header("ratelimit").to_owned(),
            answer.text(),
        ));
    }
    let expected = [
        (200, "\"questions\";r=1;t=9", "0"),
        (200, "\"questions\";r=0;t=18", "0"),
        (429, "\"questions\";r=0;t=18", "Error: too many requests"),
    ];
    for (answers, (status, left, text)) in answers.into_iter().zip(expected) {
        assert_eq!((answers.0, &*answers.1, &*answers.2), (status, left, text));
    }
    assert_eq!(world.ask(&path).await.header("retry-after"), "9");
}

#[tokio::test]
async fn the_description_names_this_site() {
    let stage = Stage::new().await;
    let answer = stage.ask("/api/openapi.json").await;
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    let url = document["servers"][0]["url"].as_str().expect("an address");
    assert!(url.starts_with("http"), "{url}");
    assert!(document["paths"]["/v1/votes/claim-username"]["get"].is_object());
    assert!(!answer.header("etag").is_empty());
}

#[tokio::test]
async fn other_methods_return_405_with_allow_header() {
    let stage = Stage::new().await;
    for (path, allowed) in [
        ("/api/", "GET, HEAD, POST"),
        ("/v1/votes/claim-steam", "GET, HEAD, POST"),
        ("/v1/votes/last", "GET, HEAD"),
        ("/api/openapi.json", "GET, HEAD"),
    ] {
        let request = Request::delete(path).body(Body::empty()).expect("a request");
        let answer = stage.world.send(request).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, allowed), "{path}");
        assert_eq!(answer.json()["success"], false);
    }
}
