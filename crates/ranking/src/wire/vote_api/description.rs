//! `GET /api/openapi.json`: the description of the vote API in OpenAPI 3.1, generated from the
//! handlers.

use std::sync::LazyLock;

use axum::response::Response;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::server::ServerBuilder;

use super::api_call::{ApiCall, DialectResponse};
use super::{
    french_lists, list_forge, native, parameters, serveur_prive, top_serveurs, webhook_schema,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Vote API",
        version = "1",
        description = "Asks who voted for a server. Open to every origin, no key but the server's \
            token; every answer says how many questions are left (RateLimit, X-RateLimit-*). The \
            paths of older sites are answered as those sites answer them.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "votes", description = "Whether somebody voted"),
        (name = "servers", description = "A server in figures"),
        (name = "serveur-prive.net", description = "The first API of serveur-prive.net"),
        (name = "top-serveurs.net", description = "top-serveurs.net and top-games.net"),
        (name = "ListForge", description = "minecraft-mp.com and its sisters, EasyVote"),
        (name = "other lists", description = "liste-serveurs.fr and others that Azuriom knows"),
        (name = "webhook", description = "What a server's own site is told of a vote"),
        (name = "description", description = "This document"),
    ),
    components(schemas(webhook_schema::VoteCreated)),
    paths(
        native::check,
        native::statistics,
        serveur_prive::vote,
        serveur_prive::vote_json,
        serveur_prive::figure,
        serveur_prive::figure_json,
        top_serveurs::check_ip,
        top_serveurs::check_player,
        top_serveurs::claim_username,
        top_serveurs::claim_steam,
        top_serveurs::last,
        top_serveurs::server,
        top_serveurs::players_ranking,
        top_serveurs::advices,
        list_forge::ask,
        list_forge::claim,
        french_lists::check_vote_word,
        french_lists::has_voted,
        french_lists::has_vote,
        french_lists::can_vote,
        show,
    ),
)]
struct ApiDescription;

/// The description without the site's address; it does not change while the program runs.
static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(build);

fn build() -> utoipa::openapi::OpenApi {
    let mut document = ApiDescription::openapi();
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The server's token, which then need not stand in the address"));
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("token", SecurityScheme::Http(bearer.build()));
    document.webhooks = Some(webhook_schema::webhooks());
    for item in document.paths.paths.values_mut() {
        [&mut item.get, &mut item.post].into_iter().flatten().for_each(parameters::describe);
    }
    // The same operation without `/api/v1`.
    let paths = &mut document.paths.paths;
    if let Some(mut short) = paths.get("/api/v1/servers/{server}/votes/{ip}").cloned() {
        if let Some(question) = &mut short.get {
            question.operation_id = Some("check_short".to_owned());
        }
        paths.insert("/servers/{server}/votes/{ip}".to_owned(), short);
    }
    // Claims are accepted by POST, too.
    for path in ["/v1/votes/claim-username", "/v1/votes/claim-steam"] {
        if let Some(item) = paths.get_mut(path) {
            item.post = item.get.clone().map(|mut post| {
                post.operation_id = post.operation_id.map(|id| format!("{id}_post"));
                post
            });
        }
    }
    document
}

/// This document
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    tag = "description",
    operation_id = "describe",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json")),
)]
pub(super) async fn show(call: ApiCall) -> Response {
    let mut document = DOCUMENT.clone();
    let site = call.state.environment().public_url.trim_end_matches('/').to_owned();
    document.servers = Some(vec![ServerBuilder::new().url(site).build()]);
    let response = DialectResponse::ok(&document).max_age(300);
    call.respond(Ok(response), native::render_refusal)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use utoipa::openapi::path::PathItem;

    use super::super::routes;
    use super::*;

    #[test]
    fn every_route_is_described_and_nothing_else_is() {
        let document = build();
        let documented: BTreeSet<&str> = document.paths.paths.keys().map(String::as_str).collect();
        let routed: BTreeSet<&str> = routes().iter().map(|(path, _)| *path).collect();
        assert_eq!(documented, routed);
        assert_eq!(routes().len(), routed.len());
    }

    #[test]
    fn operations_have_names_of_their_own() {
        let mut names = BTreeMap::new();
        for item in build().paths.paths.into_values() {
            let PathItem { get, post, .. } = item;
            for operation in [get, post].into_iter().flatten() {
                let name = operation.operation_id.expect("a name");
                *names.entry(name).or_insert(0) += 1;
            }
        }
        names.retain(|_, count| *count > 1);
        assert_eq!(names, BTreeMap::new());
    }
}
