//! Which relationship an embed means.

use super::error::PlanError;
use crate::request::select::SelectEmbed;
use crate::schema::{Link, Name, QualifiedName, Relationship, SchemaCache};

/// Finds the one relationship from `origin` that the embed names.
pub fn find<'a>(
    cache: &'a SchemaCache,
    schema: &Name,
    origin: &str,
    embed: &SelectEmbed,
) -> Result<&'a Relationship, PlanError> {
    let known = cache.relationships.get(&QualifiedName::new(schema.clone(), origin));
    let candidates: Vec<&Relationship> = known
        .into_iter()
        .flatten()
        .filter(|r| r.target.schema == *schema || matches!(r.link, Link::Computed { .. }))
        .filter(|r| matches(r, &embed.target, embed.hint.as_deref()))
        .collect();
    let computed = candidates.iter().copied().find(|r| matches!(r.link, Link::Computed { .. }));
    // A computed relationship hides detected ones of the same name, so it is never ambiguous.
    match (computed, candidates.as_slice()) {
        (Some(only), _) => Ok(only),
        (None, [only]) => Ok(only),
        (None, []) => Err(PlanError::no_relationship(
            schema,
            origin,
            &embed.target,
            embed.hint.as_deref(),
            cache,
        )),
        (None, many) => Err(PlanError::AmbiguousRelationship {
            origin: origin.to_owned(),
            target: embed.target.clone(),
            candidates: many.iter().map(|r| (*r).clone()).collect(),
        }),
    }
}

fn matches(relationship: &Relationship, target: &str, hint: Option<&str>) -> bool {
    if let Link::Computed { function, .. } = &relationship.link {
        return &*function.name == target;
    }
    if relationship.is_self() {
        return matches_self(relationship, target, hint);
    }
    let by_name = &*relationship.target.name == target;
    match hint {
        Some(hint) => by_name && matches_hint(relationship, hint),
        None => {
            let by_key = !relationship.target_is_view
                && (names_constraint(relationship, target)
                    || names_own_column(relationship, target));
            by_name || by_key
        }
    }
}

/// A table that refers to itself: the table's name means its children, a column means the parent. A
/// hint can only be the column, and only means children.
fn matches_self(relationship: &Relationship, target: &str, hint: Option<&str>) -> bool {
    let by_name = &*relationship.target.name == target;
    let children = by_name && matches!(relationship.link, Link::OneToMany(_));
    let parent = matches!(relationship.link, Link::ManyToOne(_));
    match hint {
        None => children || (parent && names_own_column(relationship, target)),
        Some(hint) => children && names_target_column(relationship, hint),
    }
}

fn matches_hint(relationship: &Relationship, hint: &str) -> bool {
    names_constraint(relationship, hint)
        || names_own_column(relationship, hint)
        || names_target_column(relationship, hint)
        || matches_junction(relationship, hint)
}

fn names_constraint(relationship: &Relationship, name: &str) -> bool {
    relationship.key().is_some_and(|key| &*key.constraint == name)
}

fn names_own_column(relationship: &Relationship, name: &str) -> bool {
    let columns = relationship.key().map(|key| key.columns.as_slice());
    matches!(columns, Some([(own, _)]) if &**own == name)
}

fn names_target_column(relationship: &Relationship, name: &str) -> bool {
    let columns = relationship.key().map(|key| key.columns.as_slice());
    matches!(columns, Some([(_, target)]) if &**target == name)
}

fn matches_junction(relationship: &Relationship, name: &str) -> bool {
    matches!(&relationship.link, Link::ManyToMany(junction) if &*junction.table.name == name)
}
