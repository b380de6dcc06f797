//! The schema of a webhook's message about a vote, for the description: `queue_vote_deliveries`
//! builds the message, and `model::webhook_message` sends it. Tests compare real messages with this
//! schema.

use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    ContentBuilder, HttpMethod, PathItem, Paths, PathsBuilder, Ref, Required, ResponseBuilder, Type,
};
use utoipa::{ToSchema, openapi::schema::ObjectBuilder};

/// A vote that counts.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described here and made in the database")]
pub(super) struct VoteCreated {
    /// The delivery's, which stays the same however often it is sent: count each id once.
    #[schema(format = "uuid")]
    id: String,
    /// Always `vote.created`.
    #[schema(example = "vote.created")]
    event: String,
    vote: WebhookVote,
    server: WebhookServer,
    /// The vote under the site's signature (JWS, ES256), the voter's own: it can be checked by the
    /// keys at `/api/v1/receipts/jwks.json`, also by whoever does not know the webhook's secret.
    #[schema(required = false)]
    receipt: Option<String>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described here and made in the database")]
struct WebhookVote {
    #[schema(format = "uuid")]
    id: String,
    /// The name the player voted with.
    #[schema(example = "Steve")]
    nickname: String,
    /// When, as ISO 8601 has it.
    #[schema(example = "2026-11-23T12:00:00+00:00")]
    voted_at: String,
    /// The ticket the vote came with; only where there was one.
    ticket: Option<String>,
    /// What the owner's own site called the voter when it asked for the ticket.
    #[schema(example = "member-17")]
    reference: Option<String>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described here and made in the database")]
struct WebhookServer {
    #[schema(format = "uuid")]
    id: String,
    #[schema(example = "les-royaumes-d-ada")]
    slug: String,
    #[schema(example = "Les Royaumes d'Ada")]
    name: String,
    /// Votes ever, with this one.
    #[schema(example = 20_140)]
    total_votes: i32,
    /// Votes of the running month, with this one.
    #[schema(example = 1280)]
    monthly_votes: i32,
}

/// The request that a receiver must accept.
pub(super) fn webhooks() -> Paths {
    let header = |name: &str, description: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::True)
            .description(Some(description))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
            .build()
    };
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("VoteCreated"))).build();
    let vote_created = OperationBuilder::new()
        .operation_id(Some("vote_created"))
        .tag("webhook")
        .summary(Some("A vote was cast"))
        .description(Some(
            "Sent to the address a server's owner set up, signed as Standard Webhooks has it. What \
             is not answered with 2xx is sent again for a day, under the same id.",
        ))
        .parameter(header("webhook-id", "The delivery's id"))
        .parameter(header("webhook-timestamp", "When this attempt was made, in Unix seconds"))
        .parameter(header("webhook-signature", "v1 and HMAC-SHA256 of id, timestamp and body"))
        .parameter(header("webhook-event", "vote.created"))
        .request_body(Some(
            RequestBodyBuilder::new()
                .content("application/json", body)
                .required(Some(Required::True))
                .build(),
        ))
        .response("2XX", ResponseBuilder::new().description("It was taken").build())
        .response("410", ResponseBuilder::new().description("Never again: it is switched off"))
        .build();
    PathsBuilder::new().path("vote.created", PathItem::new(HttpMethod::Post, vote_created)).build()
}
