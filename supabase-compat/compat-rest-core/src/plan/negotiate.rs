//! Which media type the answer has, and how its body is made.

use super::PlanContext;
use super::error::PlanError;
use super::node::{Node, Value};
use crate::request::media::{MediaType, PlanMedia};
use crate::request::prefer::Return;
use crate::request::{ApiRequest, CallMethod};
use crate::schema::{HandlerTarget, QualifiedName, ReturnShape, Routine, SchemaCache};

/// How rows become a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyShape {
    /// No body is made.
    Nothing,
    /// No body is made, but every row is computed, so that a procedure has all its effects before
    /// the response.
    Discarded,
    /// A JSON array of all rows.
    Array {
        strip_nulls: bool,
    },
    /// The one row as a JSON object.
    Object {
        strip_nulls: bool,
    },
    Csv,
    GeoJson,
    /// An aggregate makes the body; rows are passed as the named type, or unchanged.
    Aggregate {
        function: QualifiedName,
        row: Option<QualifiedName>,
    },
    /// The function's single value is the body.
    Verbatim,
}

/// The answer's media type and the making of its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub media: MediaType,
    pub shape: BodyShape,
    /// True when rows carry one unnamed value instead of columns.
    pub scalar: bool,
    /// Exactly one row is demanded.
    pub singular: bool,
    /// The query plan is asked for instead of the rows.
    pub explain: Option<PlanMedia>,
}

/// What kind of rows there are.
#[derive(Clone, Copy)]
struct Rows<'a> {
    subject: &'a QualifiedName,
    default_select: bool,
    routine: Option<&'a Routine>,
}

impl<'a> Rows<'a> {
    fn of(subject: &'a QualifiedName, node: &Node, routine: Option<&'a Routine>) -> Self {
        Self { subject, default_select: has_default_select(node), routine }
    }
}

/// The root answers OpenAPI only.
pub(super) fn root(accept: &[MediaType]) -> Result<(), PlanError> {
    let served =
        |media: &MediaType| matches!(media, MediaType::OpenApi | MediaType::Json | MediaType::Any);
    if accept.iter().any(served) { Ok(()) } else { Err(PlanError::NotAcceptable(accept.to_vec())) }
}

/// Strict handling refuses what was not understood.
pub(super) fn strictness(request: &ApiRequest) -> Result<(), PlanError> {
    let preferences = &request.preferences;
    if preferences.strict() && !preferences.invalid.is_empty() {
        return Err(PlanError::InvalidPreferences(preferences.invalid.clone()));
    }
    Ok(())
}

impl PlanContext<'_> {
    /// How a read is answered.
    pub(super) fn read_output(
        self,
        relation: &QualifiedName,
        node: &Node,
        head: bool,
    ) -> Result<Output, PlanError> {
        let mut output = self.choose(Rows::of(relation, node, None))?;
        if head && output.explain.is_none() {
            output.shape = BodyShape::Nothing;
        }
        Ok(output)
    }

    /// How a write is answered.
    pub(super) fn write_output(
        self,
        relation: &QualifiedName,
        node: &Node,
    ) -> Result<Output, PlanError> {
        let mut output = self.choose(Rows::of(relation, node, None))?;
        if self.request.preferences.returned != Some(Return::Representation) {
            output.shape = BodyShape::Nothing;
        }
        Ok(output)
    }

    /// How a call is answered.
    pub(super) fn call_output(
        self,
        routine: &Routine,
        relation: &QualifiedName,
        node: &Node,
        by: CallMethod,
    ) -> Result<Output, PlanError> {
        let mut output = self.choose(Rows::of(relation, node, Some(routine)))?;
        let void = routine.returns == ReturnShape::Void;
        if output.explain.is_none() && (void || by == CallMethod::Head) {
            output.shape = BodyShape::Discarded;
        }
        Ok(output)
    }

    /// The first of the accepted media types that can be made of the rows.
    fn choose(self, rows: Rows<'_>) -> Result<Output, PlanError> {
        let accept = &self.request.accept;
        let output = accept.iter().find_map(|media| self.output(media, rows));
        output.ok_or_else(|| PlanError::NotAcceptable(accept.clone()))
    }

    fn output(self, media: &MediaType, rows: Rows<'_>) -> Option<Output> {
        let scalar = rows.routine.is_some_and(Routine::returns_scalars);
        let output_of = |media: MediaType, shape| {
            let singular = matches!(media, MediaType::SingularJson { .. });
            Output { media, shape, scalar, singular, explain: None }
        };
        match media {
            MediaType::Plan(plan) if self.rules.plan_enabled => {
                let subject = self.output(&plan.subject, rows)?;
                let (media, explain) = (media.clone(), Some((**plan).clone()));
                Some(Output { media, explain, singular: false, ..subject })
            }
            MediaType::Plan(_) => None,
            MediaType::SingularJson { strip_nulls } => {
                Some(output_of(media.clone(), BodyShape::Object { strip_nulls: *strip_nulls }))
            }
            MediaType::StrippedArrayJson => Some(output_of(media.clone(), json_shape(rows, true))),
            other => {
                let handled = handled(other, self.cache, rows);
                let (media, shape) = handled.or_else(|| built_in(other, rows))?;
                Some(output_of(media, shape))
            }
        }
    }
}

/// A handler of the database: for these rows when the select is the default one, or for any rows.
fn handled(
    media: &MediaType,
    cache: &SchemaCache,
    rows: Rows<'_>,
) -> Option<(MediaType, BodyShape)> {
    if cache.media_handlers.is_empty() {
        return None;
    }
    let essence = media.essence();
    let own = |name: &str| {
        let target = HandlerTarget::Relation(rows.subject.clone());
        let by_row =
            cache.media_handlers.iter().find(|h| h.target == target && h.media_type == name);
        let by_function = rows.routine.and_then(|routine| {
            let target = HandlerTarget::Relation(routine.name.clone());
            cache
                .media_handlers
                .iter()
                .find(|h| h.aggregate.is_none() && h.target == target && h.media_type == name)
        });
        by_function.or(by_row).filter(|_| rows.default_select)
    };
    let any = || {
        cache
            .media_handlers
            .iter()
            .find(|h| h.target == HandlerTarget::AnyElement && h.media_type == essence)
    };
    let handler = own("*/*").or_else(|| own(&essence)).or_else(any)?;
    // A handler for `*/*` can set the content type of its result in `response.headers` only.
    let answered = match handler.media_type.as_str() {
        "*/*" => MediaType::OctetStream,
        name => MediaType::parse(name),
    };
    let shape = match &handler.aggregate {
        None => BodyShape::Verbatim,
        Some(function) => BodyShape::Aggregate {
            function: function.clone(),
            row: match &handler.target {
                HandlerTarget::Relation(relation) => Some(relation.clone()),
                HandlerTarget::AnyElement => None,
            },
        },
    };
    Some((answered, shape))
}

fn built_in(media: &MediaType, rows: Rows<'_>) -> Option<(MediaType, BodyShape)> {
    match media {
        MediaType::Any | MediaType::Json => Some((MediaType::Json, json_shape(rows, false))),
        MediaType::Csv => Some((MediaType::Csv, BodyShape::Csv)),
        MediaType::GeoJson => Some((MediaType::GeoJson, BodyShape::GeoJson)),
        MediaType::PlainText => verbatim(media, rows, &["text", "varchar", "name", "bpchar"]),
        MediaType::Xml => verbatim(media, rows, &["xml"]),
        MediaType::OctetStream => verbatim(media, rows, &["bytea"]),
        _ => None,
    }
}

/// A function that returns one value of a fitting type may answer it as it is.
fn verbatim(media: &MediaType, rows: Rows<'_>, types: &[&str]) -> Option<(MediaType, BodyShape)> {
    match rows.routine.map(|routine| &routine.returns) {
        Some(ReturnShape::Scalar(returned))
            if types.iter().any(|name| returned.is_system(name)) =>
        {
            Some((media.clone(), BodyShape::Verbatim))
        }
        _ => None,
    }
}

fn json_shape(rows: Rows<'_>, strip_nulls: bool) -> BodyShape {
    match rows.routine.map(|routine| &routine.returns) {
        Some(ReturnShape::Scalar(_) | ReturnShape::Composite(_)) => {
            BodyShape::Object { strip_nulls }
        }
        _ => BodyShape::Array { strip_nulls },
    }
}

fn has_default_select(node: &Node) -> bool {
    let star = |value: &Value| *value == Value::Star;
    matches!(node.columns.as_slice(), [only] if star(&only.value) && only.aggregate.is_none())
        && node.embeds.is_empty()
}
