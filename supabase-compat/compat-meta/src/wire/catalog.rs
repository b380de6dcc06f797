//! Lists and single objects.

use axum::extract::{Path, Query, State as Extract};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::query::{json, parameter, rules};
use crate::flow::catalog::{self, Kind, ListRequest};
use crate::{MetaError, State};

type Parameters = Vec<(String, String)>;

/// `GET /<kind>`.
pub(crate) async fn list(
    kind: Kind,
    Extract(state): Extract<State>,
    Query(parameters): Query<Parameters>,
    headers: HeaderMap,
) -> Result<Response, MetaError> {
    let request = list_request(kind, &parameters)?;
    catalog::list(state.sessions(), kind, &request, &rules(&state, &headers)).await.map(json)
}

/// `GET /<kind>/<id>`.
pub(crate) async fn single(
    kind: Kind,
    Extract(state): Extract<State>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, MetaError> {
    check(kind, &id)?;
    let object = catalog::single(state.sessions(), kind, &id, &rules(&state, &headers)).await?;
    Ok(compat_http::json(StatusCode::OK, &object))
}

/// `GET /config/version`.
pub(crate) async fn version(
    Extract(state): Extract<State>,
    headers: HeaderMap,
) -> Result<Response, MetaError> {
    let version = catalog::version(state.sessions(), &rules(&state, &headers)).await?;
    Ok(compat_http::json(StatusCode::OK, &version))
}

/// Refuses an invalid number of an object. A column's number consists of its table's number, a
/// point and its position.
pub(super) fn check(kind: Kind, id: &str) -> Result<(), MetaError> {
    let is_number = |text: &str| {
        !text.is_empty() && text.len() <= 10 && text.bytes().all(|one| one.is_ascii_digit())
    };
    let is_valid = match kind {
        Kind::Extensions => true,
        Kind::Columns => id
            .split_once('.')
            .map_or(is_number(id), |(table, place)| is_number(table) && is_number(place)),
        _ => is_number(id),
    };
    if is_valid { Ok(()) } else { Err(MetaError::NotFound) }
}

fn list_request(kind: Kind, parameters: &Parameters) -> Result<ListRequest, MetaError> {
    let is_checked = kind.has_checked_parameters();
    let flag = |name: &str| match parameter(parameters, name) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) if is_checked => {
            Err(MetaError::Invalid(format!("querystring/{name} must be boolean")))
        }
        Some(_) => Ok(Some(false)),
    };
    let number = |name: &str| match parameter(parameters, name) {
        None | Some("") => Ok(None),
        Some(text) if text.parse::<i64>().is_err() => {
            Err(MetaError::Invalid(format!("querystring/{name} must be integer")))
        }
        Some("0") if is_checked => Ok(None),
        Some(text) => Ok(Some(text.to_owned())),
    };
    let schemas = |name: &str| match parameter(parameters, name) {
        None => Vec::new(),
        Some(text) => text.split(',').map(str::to_owned).collect(),
    };
    let system = match kind {
        Kind::Roles => "include_default_roles",
        _ => "include_system_schemas",
    };
    Ok(ListRequest {
        includes_system: flag(system)?.unwrap_or_default(),
        includes_arrays: flag("include_array_types")?.unwrap_or_default(),
        includes_columns: flag("include_columns")?,
        included_schemas: schemas("included_schemas"),
        excluded_schemas: schemas("excluded_schemas"),
        limit: number("limit")?,
        offset: number("offset")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: Kind, pairs: &[(&str, &str)]) -> Result<ListRequest, String> {
        let owned = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        list_request(kind, &owned.collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_of_lists_are_read_or_refused() {
        let parameters = [("included_schemas", "a,b"), ("limit", "0"), ("offset", "2")];
        let request = read(Kind::Tables, &parameters).expect("a request");
        assert_eq!((request.included_schemas, request.limit), (vec!["a".into(), "b".into()], None));
        let request = read(Kind::Types, &parameters).expect("a request");
        assert_eq!((request.limit, request.offset), (Some("0".into()), Some("2".into())));
        let refusal = read(Kind::Tables, &[("limit", "x")]).err();
        assert_eq!(refusal.as_deref(), Some("querystring/limit must be integer"));
        let refusal = read(Kind::Tables, &[("include_columns", "x")]).err();
        assert_eq!(refusal.as_deref(), Some("querystring/include_columns must be boolean"));
    }

    #[test]
    fn numbers_of_objects_are_digits() {
        for (kind, id, is_valid) in [
            (Kind::Tables, "123", true),
            (Kind::Tables, "12x", false),
            (Kind::Tables, "12345678901", false),
            (Kind::Columns, "1.2", true),
            (Kind::Columns, "1", true),
            (Kind::Columns, "1.2.3", false),
            (Kind::Columns, "1.", false),
            (Kind::Extensions, "pg's", true),
        ] {
            assert_eq!(check(kind, id).is_ok(), is_valid, "{id}");
        }
    }
}
