//! Why a request cannot be planned: one variant per cause, with the values that explain it.

use crate::request::media::MediaType;
use crate::schema::{FuzzySet, Name, QualifiedName, Relationship, Routine, SchemaCache};

/// Least likeness for a hint that reveals a relation's or function's name.
const NAME_LIKENESS: f64 = 0.75;
/// Least likeness for a hint among names the caller may know anyway.
const LOOSE_LIKENESS: f64 = 0.33;

/// A refusal of the plan stage.
#[derive(Clone, Debug)]
pub enum PlanError {
    /// PGRST100, which PostgREST has for what cannot be read; it bounds no depth itself.
    EmbedsTooDeep { most: usize },
    /// PGRST105: PUT must name exactly the primary key with `eq`.
    PutFilters,
    /// PGRST107
    NotAcceptable(Vec<MediaType>),
    /// PGRST108, with the alias to use instead where there is one.
    NotEmbedded { name: String, alias: Option<String> },
    /// PGRST118
    RelatedOrderNotToOne { origin: String, target: String },
    /// PGRST120
    EmbedOperator { name: String },
    /// PGRST122
    InvalidPreferences(Vec<String>),
    /// PGRST123
    AggregatesDisabled,
    /// PGRST127
    Unsupported(&'static str),
    /// PGRST128
    MaxAffectedNeedsSet,
    /// PGRST200
    NoRelationship {
        origin: String,
        target: String,
        hint: Option<String>,
        schema: Name,
        suggestion: Option<String>,
    },
    /// PGRST201
    AmbiguousRelationship { origin: String, target: String, candidates: Vec<Relationship> },
    /// PGRST202
    NoFunction(Box<MissingFunction>),
    /// PGRST203
    AmbiguousFunction(Vec<Routine>),
    /// PGRST204
    UnknownColumn { relation: Name, column: String },
    /// PGRST205
    UnknownRelation { relation: QualifiedName, suggestion: Option<String> },
}

/// A call that matched no function.
#[derive(Clone, Debug)]
pub struct MissingFunction {
    pub function: QualifiedName,
    /// Argument names, sorted.
    pub arguments: Vec<String>,
    pub content_type: MediaType,
    pub by_post: bool,
    /// The nearest function, or the nearest argument list of the same function.
    pub suggestion: Option<String>,
}

impl PlanError {
    /// PGRST205 with the nearest relation of the schema as a hint.
    pub(super) fn unknown_relation(relation: &QualifiedName, cache: &SchemaCache) -> Self {
        let suggestion = FuzzySet::new(cache.relation_names(&relation.schema))
            .best(&relation.name, NAME_LIKENESS)
            .map(|(name, _)| name.to_owned());
        Self::UnknownRelation { relation: relation.clone(), suggestion }
    }

    /// PGRST200; the hint names a parent or a child that exists.
    pub(super) fn no_relationship(
        schema: &Name,
        origin: &str,
        target: &str,
        hint: Option<&str>,
        cache: &SchemaCache,
    ) -> Self {
        let near = |relationships: &'_ [Relationship]| -> Vec<Name> {
            let inside = |r: &&Relationship| r.target.schema == *schema || r.is_computed();
            relationships.iter().filter(inside).map(|r| r.target.name.clone()).collect()
        };
        let known = cache.relationships.get(&QualifiedName::new(schema.clone(), origin));
        let children = known.map(|relationships| near(relationships)).unwrap_or_default();
        let suggestion = if children.is_empty() {
            let origins = cache.relationships.iter().filter(|(_, all)| !near(all).is_empty());
            FuzzySet::new(origins.map(|(name, _)| &*name.name))
                .best(origin, LOOSE_LIKENESS)
                .map(|(name, _)| format!("Perhaps you meant '{name}' instead of '{origin}'."))
        } else {
            FuzzySet::new(children.iter().map(|name| &**name))
                .best(target, LOOSE_LIKENESS)
                // A child of that very name is what was asked for, so it is no suggestion.
                .filter(|(_, score)| *score < 1.0)
                .map(|(name, _)| format!("Perhaps you meant '{name}' instead of '{target}'."))
        };
        Self::NoRelationship {
            origin: origin.to_owned(),
            target: target.to_owned(),
            hint: hint.map(str::to_owned),
            schema: schema.clone(),
            suggestion,
        }
    }

    /// PGRST202; the hint names a near function, or near arguments of this one.
    pub(super) fn no_function(
        function: &QualifiedName,
        arguments: Vec<String>,
        content_type: &MediaType,
        by_post: bool,
        cache: &SchemaCache,
    ) -> Self {
        let overloads = cache.routines.get(function).into_iter().flatten();
        let listed: Vec<&Routine> = overloads.filter(|routine| routine.is_listed()).collect();
        let suggestion = if listed.is_empty() {
            FuzzySet::new(cache.routine_names(&function.schema))
                .best(&function.name, NAME_LIKENESS)
                .map(|(name, _)| name.to_owned())
        } else {
            near_arguments(&listed, &arguments).map(|list| format!("{}{list}", function.name))
        };
        Self::NoFunction(Box::new(MissingFunction {
            function: function.clone(),
            arguments,
            content_type: content_type.clone(),
            by_post,
            suggestion,
        }))
    }
}

fn near_arguments(overloads: &[&Routine], arguments: &[String]) -> Option<String> {
    let list = |mut names: Vec<&str>| {
        names.sort_unstable();
        format!("({})", names.join(", "))
    };
    let known: Vec<String> =
        overloads.iter().map(|r| list(r.params.iter().map(|p| &*p.name).collect())).collect();
    let argument_list = list(arguments.iter().map(String::as_str).collect());
    FuzzySet::new(known.iter().map(String::as_str))
        .best(&argument_list, LOOSE_LIKENESS)
        .map(|(list, _)| list.to_owned())
}
