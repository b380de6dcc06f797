//! `POST functions/v1/vote`: `{serverId, nickname, captcha, ticket?}` in, `{success, data: {voteId,
//! votedAt, nextVoteAt, nextVoteSeconds, totalVotes, monthlyVotes, receipt}}` out, times in Unix
//! seconds, the receipt a JWS.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::account::account;
use crate::flow::cast_vote::{VoteRequest, VoteWithReceipt, cast_vote, seconds_until};
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
    nickname: String,
    captcha: String,
    ticket: Option<String>,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body: Body = posted::<_, Refusal>(&mut call, SHAPE).await?;
    let request = VoteRequest {
        server: body.server_id,
        nickname: &body.nickname,
        captcha: &body.captcha,
        ticket: body.ticket.as_deref(),
        account: account(&call)?,
        ip: call.client_ip,
    };
    let counted = cast_vote(&state, request).await?;
    Ok(compat_http::json(StatusCode::OK, &render(&state, &counted)))
}

const SHAPE: &str = "The body must be JSON with serverId (a UUID), nickname and captcha";

fn render(state: &State, VoteWithReceipt { vote, receipt }: &VoteWithReceipt) -> Value {
    let wait = seconds_until(vote.next_vote_at, state.environment().clock.now());
    json!({
        "success": true,
        "data": {
            "voteId": vote.id,
            "votedAt": vote.voted_at.timestamp(),
            "nextVoteAt": vote.next_vote_at.timestamp(),
            "nextVoteSeconds": wait.max(0),
            "totalVotes": vote.total_votes,
            "monthlyVotes": vote.monthly_votes,
            "receipt": receipt,
        },
    })
}
