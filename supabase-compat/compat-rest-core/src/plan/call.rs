//! The plan of a procedure call: which overload, which arguments.

use std::collections::BTreeSet;

use serde_json::Value;

use super::PlanContext;
use super::error::PlanError;
use super::negotiate::{self, Output};
use super::node::Node;
use super::read;
use super::resolve::array_literal;
use super::spread;
use crate::request::media::MediaType;
use crate::request::payload::Payload;
use crate::request::prefer::Count;
use crate::request::{ApiRequest, CallMethod};
use crate::schema::{QualifiedName, Routine, RoutineParam, SchemaCache, Volatility};

/// Where arguments come from.
#[derive(Clone, Debug)]
pub enum Arguments {
    None,
    /// Keys of the JSON body.
    Body(Vec<RoutineParam>),
    /// Texts of the URL or of a form.
    Texts(Vec<(RoutineParam, String)>),
    /// The body itself is the one unnamed argument.
    Unnamed(RoutineParam),
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct CallPlan {
    pub routine: Routine,
    pub arguments: Arguments,
    /// The JSON body is an object (an array gives its first element).
    pub body_is_object: bool,
    pub by: CallMethod,
    pub read_only: bool,
    pub node: Node,
    pub output: Output,
    pub count: Option<Count>,
    pub max_affected: Option<i64>,
}

impl CallPlan {
    pub(super) fn new(
        planning: PlanContext<'_>,
        function: &QualifiedName,
        by: CallMethod,
    ) -> Result<Self, PlanError> {
        let PlanContext { request, cache, .. } = planning;
        let routine = choose(request, cache, function, by)?;
        let returned = routine.returned_relation().filter(|name| !name.is_system("record"));
        let relation = returned.unwrap_or(&routine.name).clone();
        let mut node = read::tree(planning, &relation)?;
        let output = planning.call_output(routine, &relation, &node, by)?;
        spread::spell(&mut node, &output.shape);
        negotiate::strictness(request)?;
        let max_affected = request.preferences.enforced_max_affected();
        if max_affected.is_some() && !routine.returns_set() {
            return Err(PlanError::MaxAffectedNeedsSet);
        }
        Ok(Self {
            arguments: arguments(request, routine, by),
            body_is_object: !matches!(
                request.payload,
                Some(Payload::Json { is_object: false, .. })
            ),
            // As in PostgREST, a stable or immutable function is called in a read-only transaction.
            read_only: by.is_safe() || routine.volatility != Volatility::Volatile,
            routine: routine.clone(),
            by,
            node,
            output,
            count: request.preferences.count,
            max_affected,
        })
    }
}

fn choose<'a>(
    request: &ApiRequest,
    cache: &'a SchemaCache,
    function: &QualifiedName,
    by: CallMethod,
) -> Result<&'a Routine, PlanError> {
    let keys: Vec<&str> = match (&request.payload, by.is_safe()) {
        (_, true) => request.query.arguments.iter().map(|(key, _)| key.as_str()).collect(),
        (Some(Payload::Json { keys, .. }), _) => keys.iter().map(String::as_str).collect(),
        (Some(Payload::Form(pairs)), _) => pairs.iter().map(|(key, _)| key.as_str()).collect(),
        (Some(Payload::Raw(_)) | None, _) => Vec::new(),
    };
    find(cache, function, keys.into_iter(), &request.content_type, !by.is_safe())
}

/// The overload whose parameter names fit; by POST also one with a single unnamed parameter.
pub(super) fn find<'a, 'k>(
    cache: &'a SchemaCache,
    function: &QualifiedName,
    keys: impl Iterator<Item = &'k str>,
    content_type: &MediaType,
    by_post: bool,
) -> Result<&'a Routine, PlanError> {
    let keys: BTreeSet<&str> = keys.collect();
    let overloads = cache.routines.get(function).map(Vec::as_slice).unwrap_or_default();
    let raw = by_post
        && matches!(content_type, MediaType::PlainText | MediaType::Xml | MediaType::OctetStream);
    let named: Vec<&Routine> = overloads.iter().filter(|r| fits(r, &keys, raw)).collect();
    let unnamed = || overloads.iter().filter(|r| by_post && takes_body(r, content_type));
    // As in PostgREST, a function with one unnamed parameter counts only where no names fit.
    match named.as_slice() {
        [only] => Ok(only),
        [] => match unnamed().collect::<Vec<_>>().as_slice() {
            [only] => Ok(only),
            [] => {
                let keys = keys.into_iter().map(str::to_owned).collect();
                Err(PlanError::no_function(function, keys, content_type, by_post, cache))
            }
            many => Err(ambiguous(many)),
        },
        many => Err(ambiguous(many)),
    }
}

fn ambiguous(overloads: &[&Routine]) -> PlanError {
    PlanError::AmbiguousFunction(overloads.iter().map(|r| (*r).clone()).collect())
}

fn fits(routine: &Routine, keys: &BTreeSet<&str>, raw: bool) -> bool {
    if routine.params.is_empty() {
        return keys.is_empty() && !raw;
    }
    // A parameter without a name goes by the empty one.
    let known = |key: &str| routine.params.iter().any(|p| &*p.name == key);
    let mut required = routine.params.iter().filter(|p| p.required);
    keys.iter().all(|key| known(key)) && required.all(|p| keys.contains(&*p.name))
}

fn takes_body(routine: &Routine, content_type: &MediaType) -> bool {
    let [only] = routine.params.as_slice() else { return false };
    let types: &[&str] = match content_type {
        MediaType::Json => &["json", "jsonb"],
        MediaType::PlainText => &["text"],
        MediaType::Xml => &["xml"],
        MediaType::OctetStream => &["bytea"],
        _ => &[],
    };
    only.name.is_empty() && types.iter().any(|name| only.data_type.is_system(name))
}

fn arguments(request: &ApiRequest, routine: &Routine, by: CallMethod) -> Arguments {
    if let [only] = routine.params.as_slice()
        && only.name.is_empty()
    {
        return unnamed_argument(request, only, by);
    }
    let pairs = match &request.payload {
        _ if by.is_safe() => &request.query.arguments,
        Some(Payload::Form(pairs)) => pairs,
        Some(Payload::Json { keys, .. }) => {
            let used = routine.params.iter().filter(|p| keys.contains(&*p.name)).cloned();
            let used: Vec<RoutineParam> = used.collect();
            return if used.is_empty() { Arguments::None } else { Arguments::Body(used) };
        }
        _ => return Arguments::None,
    };
    let texts: Vec<(RoutineParam, String)> = routine
        .params
        .iter()
        .filter_map(|param| text_argument(param, pairs).map(|text| (param.clone(), text)))
        .collect();
    if texts.is_empty() { Arguments::None } else { Arguments::Texts(texts) }
}

/// The one unnamed parameter is given what was sent as a whole: the body as it came, or the texts
/// of a URL or a form as an object.
fn unnamed_argument(request: &ApiRequest, param: &RoutineParam, by: CallMethod) -> Arguments {
    let pairs = match &request.payload {
        _ if by.is_safe() => &request.query.arguments,
        Some(Payload::Form(pairs)) => pairs,
        _ => return Arguments::Unnamed(param.clone()),
    };
    let object: serde_json::Map<String, Value> =
        pairs.iter().map(|(key, text)| (key.clone(), Value::from(text.as_str()))).collect();
    Arguments::Texts(vec![(param.clone(), Value::Object(object).to_string())])
}

/// The last value of a name counts; a variadic parameter takes all of them.
fn text_argument(param: &RoutineParam, pairs: &[(String, String)]) -> Option<String> {
    let mut values = pairs.iter().filter(|(key, _)| **key == *param.name).map(|(_, v)| v);
    if !param.variadic {
        return values.next_back().cloned();
    }
    let values: Vec<&String> = values.collect();
    (!values.is_empty()).then(|| array_literal(&values))
}
