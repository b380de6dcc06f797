//! Parse: turns what the client wrote into values. Knows no table; refuses with the PGRST1xx
//! family.

mod csv;
mod cursor;
pub mod field;
pub mod filter;
pub mod logic;
pub mod media;
pub mod nesting;
pub mod order;
pub mod payload;
pub mod prefer;
pub mod query;
pub mod range;
pub mod select;
#[cfg(test)]
mod tests;

pub use cursor::{MAX_DEPTH, MAX_EMBEDS, MAX_ITEMS, ParseFailure};
use media::MediaType;
use payload::{Payload, PayloadFault};
use percent_encoding::percent_decode_str;
use prefer::Preferences;
use query::{Query, QueryFault};
use range::{RangeFault, Slice};

use crate::schema::{Name, QualifiedName};

/// The parts of an HTTP request this stage reads, as texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct RawRequest<'a> {
    pub method: &'a str,
    /// Path below the mount, percent-encoded.
    pub path: &'a str,
    /// Query string without the question mark.
    pub query: &'a str,
    pub accept: Option<&'a str>,
    pub accept_profile: Option<&'a str>,
    pub content_profile: Option<&'a str>,
    pub content_type: Option<&'a str>,
    pub range: Option<&'a str>,
    /// All `Prefer` headers in order.
    pub prefer: &'a [&'a str],
    pub body: &'a [u8],
}

/// The settings this stage depends on.
#[derive(Clone, Debug)]
pub struct RequestRules {
    /// Exposed schemas, the default first.
    pub schemas: Vec<Name>,
    /// Whether `Prefer: tx` is honoured.
    pub transaction_override: bool,
    /// A function that answers the root.
    pub root_function: Option<QualifiedName>,
    /// Whether the root answers at all.
    pub root_enabled: bool,
}

/// How a write changes a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    Insert,
    /// PUT: insert or replace exactly the row the URL names.
    Put,
    Update,
    Delete,
}

/// The action that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Read { relation: QualifiedName, head: bool },
    Write { relation: QualifiedName, write: Write },
    Call { function: QualifiedName, by: CallMethod },
    Root { head: bool },
    RelationInfo(QualifiedName),
    FunctionInfo(QualifiedName),
    RootInfo,
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallMethod {
    Get,
    Head,
    Post,
}

impl CallMethod {
    /// True for calls that take arguments from the URL and may only read.
    pub fn is_safe(self) -> bool {
        self != Self::Post
    }
}

/// A parsed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiRequest {
    pub action: Action,
    pub schema: Name,
    /// True when the answer names its schema (several are exposed, or one was asked for).
    pub profile_negotiated: bool,
    pub query: Query,
    /// The slice of the top level, from the query and the `Range` header.
    pub slice: Slice,
    pub payload: Option<Payload>,
    pub preferences: Preferences,
    pub accept: Vec<MediaType>,
    pub content_type: MediaType,
}

/// Why a request cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// PGRST100
    Query(ParseFailure),
    /// PGRST101
    FunctionMethod(String),
    /// PGRST102
    Body(PayloadFault),
    /// PGRST103
    Range(RangeFault),
    /// PGRST106
    UnknownSchema { schema: String, exposed: Vec<Name> },
    /// PGRST114
    PutWithRange,
    /// PGRST117
    UnsupportedMethod(String),
    /// PGRST125
    UnknownPath,
    /// PGRST126
    RootDisabled,
}

impl From<QueryFault> for RequestError {
    fn from(fault: QueryFault) -> Self {
        match fault {
            QueryFault::Parse(failure) => Self::Query(failure),
            QueryFault::Range(fault) => Self::Range(fault),
        }
    }
}

impl ApiRequest {
    /// Reads a request whole.
    pub fn parse(incoming: &RawRequest<'_>, rules: &RequestRules) -> Result<Self, RequestError> {
        let head = Self::parse_head(incoming, rules)?;
        let payload = head.parse_body(incoming.body)?;
        Ok(Self { payload, ..head })
    }

    /// Parses everything but the body, which the result can parse later.
    pub fn parse_head(
        incoming: &RawRequest<'_>,
        rules: &RequestRules,
    ) -> Result<Self, RequestError> {
        let resource = resource(incoming.path, rules)?;
        let (schema, profile_negotiated) = schema(incoming, rules)?;
        let action = action(incoming, rules, resource, &schema)?;
        let safe_call = matches!(&action, Action::Call { by, .. } if by.is_safe());
        let query = Query::parse(incoming.query, safe_call)?;
        let slice = slice(incoming, &query)?;
        if matches!(action, Action::Write { write: Write::Put, .. }) && !slice.is_whole() {
            return Err(RequestError::PutWithRange);
        }
        Ok(Self {
            preferences: Preferences::parse(
                incoming.prefer.iter().copied(),
                rules.transaction_override,
            ),
            accept: media::accepted(incoming.accept),
            // As in PostgREST, a body without `Content-Type` is JSON.
            content_type: incoming.content_type.map_or(MediaType::Json, MediaType::parse),
            action,
            schema,
            profile_negotiated,
            query,
            slice,
            payload: None,
        })
    }

    /// Parses a body for this request; `None` if the request takes none.
    pub fn parse_body(&self, body: &[u8]) -> Result<Option<Payload>, RequestError> {
        let (is_call, columns) = match self.action {
            Action::Call { by: CallMethod::Post, .. } => (true, self.query.columns.as_deref()),
            Action::Write { write: Write::Insert | Write::Update, .. } => {
                (false, self.query.columns.as_deref())
            }
            Action::Write { write: Write::Put, .. } => (false, None),
            _ => return Ok(None),
        };
        payload::parse(body, &self.content_type, columns, is_call)
            .map(Some)
            .map_err(RequestError::Body)
    }
}

fn schema(incoming: &RawRequest<'_>, rules: &RequestRules) -> Result<(Name, bool), RequestError> {
    let profile = match incoming.method {
        "POST" | "PUT" | "PATCH" | "DELETE" => incoming.content_profile,
        _ => incoming.accept_profile,
    };
    let Some(profile) = profile else {
        let default = rules.schemas.first().cloned().unwrap_or_else(|| "public".into());
        return Ok((default, rules.schemas.len() > 1));
    };
    match rules.schemas.iter().find(|schema| ***schema == *profile) {
        Some(schema) => Ok((schema.clone(), true)),
        None => Err(RequestError::UnknownSchema {
            schema: profile.to_owned(),
            exposed: rules.schemas.clone(),
        }),
    }
}

enum Resource {
    Root,
    Relation(String),
    Function(String),
}

fn resource(path: &str, rules: &RequestRules) -> Result<Resource, RequestError> {
    let mut segments = Vec::new();
    for segment in path.strip_prefix('/').unwrap_or(path).split('/') {
        let decoded = percent_decode_str(segment).decode_utf8();
        segments.push(decoded.map_err(|_| RequestError::UnknownPath)?.into_owned());
    }
    let mut segments = segments.into_iter();
    match (segments.next(), segments.next(), segments.next()) {
        (Some(only), None, _) if only.is_empty() && !answers_root(rules) => {
            Err(RequestError::RootDisabled)
        }
        (Some(only), None, _) if only.is_empty() => Ok(Resource::Root),
        (Some(relation), None, _) => Ok(Resource::Relation(relation)),
        (Some(first), Some(function), None) if first == "rpc" => Ok(Resource::Function(function)),
        _ => Err(RequestError::UnknownPath),
    }
}

fn answers_root(rules: &RequestRules) -> bool {
    rules.root_enabled || rules.root_function.is_some()
}

fn action(
    incoming: &RawRequest<'_>,
    rules: &RequestRules,
    resource: Resource,
    schema: &Name,
) -> Result<Action, RequestError> {
    let in_schema = |name: String| QualifiedName::new(schema.clone(), name);
    let unsupported = || RequestError::UnsupportedMethod(incoming.method.to_owned());
    match resource {
        Resource::Root => match (&rules.root_function, incoming.method) {
            // `db-root-spec` names a function that answers the root in place of the OpenAPI
            // document.
            (Some(function), method) => function_action(function.clone(), method),
            (None, "GET") => Ok(Action::Root { head: false }),
            (None, "HEAD") => Ok(Action::Root { head: true }),
            (None, "OPTIONS") => Ok(Action::RootInfo),
            _ => Err(unsupported()),
        },
        Resource::Function(name) => function_action(in_schema(name), incoming.method),
        Resource::Relation(name) => {
            let relation = in_schema(name);
            match incoming.method {
                "GET" => Ok(Action::Read { relation, head: false }),
                "HEAD" => Ok(Action::Read { relation, head: true }),
                "POST" => Ok(Action::Write { relation, write: Write::Insert }),
                "PUT" => Ok(Action::Write { relation, write: Write::Put }),
                "PATCH" => Ok(Action::Write { relation, write: Write::Update }),
                "DELETE" => Ok(Action::Write { relation, write: Write::Delete }),
                "OPTIONS" => Ok(Action::RelationInfo(relation)),
                _ => Err(unsupported()),
            }
        }
    }
}

fn function_action(function: QualifiedName, method: &str) -> Result<Action, RequestError> {
    match method {
        "GET" => Ok(Action::Call { function, by: CallMethod::Get }),
        "HEAD" => Ok(Action::Call { function, by: CallMethod::Head }),
        "POST" => Ok(Action::Call { function, by: CallMethod::Post }),
        "OPTIONS" => Ok(Action::FunctionInfo(function)),
        other => Err(RequestError::FunctionMethod(other.to_owned())),
    }
}

fn slice(incoming: &RawRequest<'_>, query: &Query) -> Result<Slice, RequestError> {
    let header = match incoming.range.filter(|_| incoming.method == "GET") {
        Some(text) => range::header(text).map_err(RequestError::Range)?,
        None => None,
    };
    range::top_level(query.top, header).map_err(RequestError::Range)
}
