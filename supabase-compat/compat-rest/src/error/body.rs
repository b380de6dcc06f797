//! The texts for refusals of our own stages.

use compat_rest_core::plan::{MissingFunction, PlanError};
use compat_rest_core::request::RequestError;
use compat_rest_core::request::media::MediaType;
use compat_rest_core::request::nesting::MAX_BRACKETS;
use compat_rest_core::request::payload::PayloadFault;
use compat_rest_core::request::range::RangeFault;
use compat_rest_core::schema::{Key, Link, Relationship, Routine};
use http::StatusCode;
use serde_json::{Value, json};

use super::{Error, ErrorBody};

fn words(status: u16, code: &str, message: impl Into<String>) -> ErrorBody {
    ErrorBody {
        status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        code: code.to_owned(),
        message: message.into(),
        details: Value::Null,
        hint: Value::Null,
    }
}

impl ErrorBody {
    fn details(mut self, details: impl Into<Value>) -> Self {
        self.details = details.into();
        self
    }

    fn hint(mut self, hint: impl Into<Value>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// Refusals that belong to no stage of the core.
pub(super) fn own(error: &Error) -> ErrorBody {
    match error {
        Error::AnonymousDisabled => words(401, "PGRST302", "Anonymous access is disabled"),
        Error::SchemaNotLoaded => {
            words(503, "PGRST002", "Could not query the database for the schema cache. Retrying.")
        }
        Error::OutOfRange { offset, total } => range().details(format!(
            "An offset of {offset} was requested, but there are only {total} rows."
        )),
        Error::BadResponseHeaders => words(
            500,
            "PGRST111",
            "response.headers guc must be a JSON array composed of objects with a single key and \
             a string value",
        ),
        Error::BadResponseStatus => {
            words(500, "PGRST112", "response.status guc must be a valid status code")
        }
        Error::PutKeyDiffers => {
            words(400, "PGRST115", "Payload values do not match URL in primary key column(s)")
        }
        Error::NotSingular { rows } => {
            words(406, "PGRST116", "Cannot coerce the result to a single JSON object")
                .details(format!("The result contains {rows} rows"))
        }
        Error::TooManyAffected { rows } => {
            words(400, "PGRST124", "Query result exceeds max-affected preference constraint")
                .details(format!("The query affects {rows} rows"))
        }
        // PostgreSQL's message for an invalid back reference.
        Error::BackReference => {
            words(400, "2201B", "invalid regular expression: invalid backreference number")
                .hint("Without a user's token, match and imatch take no back references.")
        }
        Error::BodyTooLarge => words(413, "PGRST102", "The request body is too large"),
        Error::Request(_) | Error::Plan(_) | Error::Token(_) | Error::Database(_) => {
            words(500, "PGRSTX00", "Internal error")
        }
    }
}

fn range() -> ErrorBody {
    words(416, "PGRST103", "Requested range not satisfiable")
}

/// Refusals of the parse stage.
pub(super) fn request(error: &RequestError) -> ErrorBody {
    match error {
        RequestError::Query(failure) => {
            words(400, "PGRST100", &*failure.message).details(&*failure.details)
        }
        RequestError::FunctionMethod(method) => {
            words(405, "PGRST101", format!("Cannot use the {method} method on RPC"))
        }
        RequestError::Body(fault) => words(400, "PGRST102", body(fault)),
        RequestError::Range(RangeFault::NegativeLimit) => {
            range().details("Limit should be greater than or equal to zero.")
        }
        RequestError::Range(RangeFault::LowerAboveUpper) => range().details(
            "The lower boundary must be lower than or equal to the upper boundary in the Range \
             header.",
        ),
        RequestError::UnknownSchema { schema, exposed } => {
            let exposed: Vec<&str> = exposed.iter().map(|name| &**name).collect();
            words(406, "PGRST106", format!("Invalid schema: {schema}"))
                .hint(format!("Only the following schemas are exposed: {}", exposed.join(", ")))
        }
        RequestError::PutWithRange => {
            words(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
        }
        RequestError::UnsupportedMethod(method) => {
            words(405, "PGRST117", format!("Unsupported HTTP method: {method}"))
        }
        RequestError::UnknownPath => {
            words(404, "PGRST125", "Invalid path specified in request URL")
        }
        RequestError::RootDisabled => words(404, "PGRST126", "Root endpoint metadata is disabled"),
    }
}

fn body(fault: &PayloadFault) -> String {
    match fault {
        PayloadFault::InvalidJson => "Empty or invalid json".to_owned(),
        PayloadFault::TooDeep => {
            format!("The body is nested deeper than {MAX_BRACKETS} levels")
        }
        PayloadFault::KeysDiffer => "All object keys must match".to_owned(),
        PayloadFault::UnevenLines => "All lines must have same number of fields".to_owned(),
        PayloadFault::NotText => "The body is not valid UTF-8".to_owned(),
        PayloadFault::ContentType(name) => format!("Content-Type not acceptable: {name}"),
    }
}

/// Refusals of the plan stage.
pub(super) fn plan(error: &PlanError) -> ErrorBody {
    match error {
        PlanError::PutFilters => words(
            405,
            "PGRST105",
            "Filters must include all and only primary key columns with 'eq' operators",
        ),
        PlanError::NotAcceptable(media) => {
            let names: Vec<String> = media.iter().map(MediaType::essence).collect();
            let message = format!("None of these media types are available: {}", names.join(", "));
            words(406, "PGRST107", message)
        }
        PlanError::NotEmbedded { name, alias } => not_embedded(name, alias.as_deref()),
        PlanError::RelatedOrderNotToOne { origin, target } => {
            words(400, "PGRST118", format!("A related order on '{target}' is not possible"))
                .details(format!(
                    "'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship"
                ))
        }
        PlanError::EmbedOperator { name } => {
            words(400, "PGRST120", format!("Bad operator on the '{name}' embedded resource"))
                .details("Only is null or not is null filters are allowed on embedded resources")
        }
        PlanError::EmbedsTooDeep { most } => words(400, "PGRST100", "Embeds are nested too deep")
            .details(format!("This server takes embeds up to {most} deep")),
        PlanError::InvalidPreferences(invalid) => {
            words(400, "PGRST122", "Invalid preferences given with handling=strict")
                .details(format!("Invalid preferences: {}", invalid.join(", ")))
        }
        PlanError::AggregatesDisabled => {
            words(400, "PGRST123", "Use of aggregate functions is not allowed")
        }
        PlanError::Unsupported(feature) => {
            words(400, "PGRST127", "Feature not implemented").details(*feature)
        }
        PlanError::MaxAffectedNeedsSet => words(
            400,
            "PGRST128",
            "Function must return SETOF or TABLE when max-affected preference is used with \
             handling=strict",
        ),
        PlanError::NoRelationship { origin, target, hint, schema, suggestion } => {
            no_relationship(origin, target, hint.as_deref(), schema).hint(suggestion.clone())
        }
        PlanError::AmbiguousRelationship { origin, target, candidates } => {
            ambiguous_relationship(origin, target, candidates)
        }
        PlanError::NoFunction(missing) => no_function(missing),
        PlanError::AmbiguousFunction(candidates) => ambiguous_function(candidates),
        PlanError::UnknownColumn { relation, column } => words(
            400,
            "PGRST204",
            format!("Could not find the '{column}' column of '{relation}' in the schema cache"),
        ),
        PlanError::UnknownRelation { relation, suggestion } => {
            let hint = suggestion
                .as_ref()
                .map(|name| format!("Perhaps you meant the table '{}.{name}'", relation.schema));
            let message = format!("Could not find the table '{relation}' in the schema cache");
            words(404, "PGRST205", message).hint(hint)
        }
    }
}

fn not_embedded(name: &str, alias: Option<&str>) -> ErrorBody {
    let message = format!("'{name}' is not an embedded resource in this request");
    let words = words(400, "PGRST108", message);
    match alias {
        Some(alias) => words
            .details("Target names are not allowed in filters if they have an alias")
            .hint(format!("Change '{name}' to '{alias}' in filters, orders or limits.")),
        None => {
            words.hint(format!("Verify that '{name}' is included in the 'select' query parameter."))
        }
    }
}

fn no_relationship(origin: &str, target: &str, hint: Option<&str>, schema: &str) -> ErrorBody {
    let hinted = hint.map(|hint| format!("' using the hint '{hint}")).unwrap_or_default();
    let message = format!(
        "Could not find a relationship between '{origin}' and '{target}' in the schema cache"
    );
    words(400, "PGRST200", message).details(format!(
        "Searched for a foreign key relationship between '{origin}' and '{target}{hinted}' in the \
         schema '{schema}', but no matches were found."
    ))
}

fn ambiguous_function(candidates: &[Routine]) -> ErrorBody {
    let list: Vec<String> = candidates.iter().map(signature).collect();
    let message =
        format!("Could not choose the best candidate function between: {}", list.join(", "));
    words(300, "PGRST203", message).hint(
        "Try renaming the parameters or the function itself in the database so function \
         overloading can be resolved",
    )
}

fn signature(routine: &Routine) -> String {
    let params: Vec<String> =
        routine.params.iter().map(|p| format!("{} => {}", p.name, p.display_type)).collect();
    format!("{}({})", routine.name, params.join(", "))
}

fn no_function(missing: &MissingFunction) -> ErrorBody {
    let name = &missing.function;
    let list = missing.arguments.join(", ");
    let raw = missing.by_post
        && matches!(
            missing.content_type,
            MediaType::PlainText | MediaType::Xml | MediaType::OctetStream
        );
    let called = match (raw, missing.arguments.is_empty()) {
        (true, _) => format!("{name}"),
        (false, true) => format!("{name} without parameters"),
        (false, false) => format!("{name}({list})"),
    };
    let plural = if missing.arguments.len() > 1 { "s" } else { "" };
    let searched = match (missing.by_post, &missing.content_type) {
        (true, MediaType::PlainText) => format!("{name} with a single unnamed text parameter"),
        (true, MediaType::Xml) => format!("{name} with a single unnamed xml parameter"),
        (true, MediaType::OctetStream) => format!("{name} with a single unnamed bytea parameter"),
        (by_post, media) => {
            let with = if missing.arguments.is_empty() {
                format!("{name} without parameters")
            } else {
                format!("{name} with parameter{plural} {list}")
            };
            if by_post && *media == MediaType::Json {
                format!("{with} or with a single unnamed json/jsonb parameter")
            } else {
                with
            }
        }
    };
    let hint = missing
        .suggestion
        .as_ref()
        .filter(|_| !raw)
        .map(|near| format!("Perhaps you meant to call the function {}.{near}", name.schema));
    words(404, "PGRST202", format!("Could not find the function {called} in the schema cache"))
        .details(format!(
            "Searched for the function {searched}, but no matches were found in the schema cache."
        ))
        .hint(hint)
}

fn ambiguous_relationship(origin: &str, target: &str, candidates: &[Relationship]) -> ErrorBody {
    let details: Vec<Value> = candidates.iter().map(describe).collect();
    let choices: Vec<String> = candidates.iter().map(choice).collect();
    words(
        300,
        "PGRST201",
        format!(
            "Could not embed because more than one relationship was found for '{origin}' and \
             '{target}'"
        ),
    )
    .details(details)
    .hint(format!(
        "Try changing '{target}' to one of the following: {}. Find the desired relationship in \
         the 'details' key.",
        choices.join(", ")
    ))
}

fn choice(relationship: &Relationship) -> String {
    let hint = match &relationship.link {
        Link::ManyToOne(key) | Link::OneToMany(key) | Link::OneToOne(key) => &key.constraint,
        Link::ManyToMany(junction) => &junction.table.name,
        Link::Computed { function, .. } => &function.name,
    };
    format!("'{}!{hint}'", relationship.target.name)
}

fn describe(relationship: &Relationship) -> Value {
    let (origin, target) = (&relationship.origin.name, &relationship.target.name);
    let columns = |names: Vec<&str>| format!("({})", names.join(", "));
    let by_key = |key: &Key| {
        let own = columns(key.columns.iter().map(|(own, _)| &**own).collect());
        let there = columns(key.columns.iter().map(|(_, there)| &**there).collect());
        format!("{} using {origin}{own} and {target}{there}", key.constraint)
    };
    let (cardinality, link) = match &relationship.link {
        Link::ManyToOne(key) => ("many-to-one", by_key(key)),
        Link::OneToMany(key) => ("one-to-many", by_key(key)),
        Link::OneToOne(key) => ("one-to-one", by_key(key)),
        Link::ManyToMany(junction) => {
            let source = columns(junction.source.iter().map(|(_, there)| &**there).collect());
            let end = columns(junction.target.iter().map(|(_, there)| &**there).collect());
            let link = format!(
                "{} using {}{source} and {}{end}",
                junction.table.name, junction.source_constraint, junction.target_constraint
            );
            ("many-to-many", link)
        }
        Link::Computed { function, .. } => ("computed", function.to_string()),
    };
    json!({
        "cardinality": cardinality,
        "embedding": format!("{origin} with {target}"),
        "relationship": link,
    })
}
