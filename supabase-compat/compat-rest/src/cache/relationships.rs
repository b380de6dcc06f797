//! Relationships: foreign keys between tables, seen also through every view that shows their
//! columns.

use std::collections::HashMap;

use compat_rest_core::schema::{Junction, Key, Link, Name, QualifiedName, Relationship};

use super::keys::{ForeignKey, Keys};
use super::lineage::{ColumnId, Lineage};
use super::relations::Relations;

/// Most ways in which one view may show the columns of one key.
const MAX_WAYS: usize = 16;

type ByOrigin = HashMap<QualifiedName, Vec<Relationship>>;

/// A relation that shows all columns of one side of a key, with their names there.
#[derive(Clone)]
struct KeySide {
    relation: u32,
    columns: Vec<Name>,
}

/// All relationships between exposed relations.
pub(super) fn detected(relations: &Relations, keys: &Keys, lineage: &Lineage) -> ByOrigin {
    let view_columns = lineage.columns_by_origin();
    let mut to_one = Vec::new();
    for key in &keys.foreign {
        let sources = sides(relations, &view_columns, key.relation, &key.positions);
        let targets = sides(relations, &view_columns, key.target, &key.target_positions);
        let one_to_one = keys.is_one_to_one(key);
        for source in &sources {
            for target in &targets {
                to_one.extend(relationship(relations, key, source, target, one_to_one));
            }
        }
    }
    let through = junctions(&to_one, relations, keys, &view_columns);
    let mut by_origin = ByOrigin::new();
    for relationship in to_one.iter().map(|r| inverse(r, relations)).chain(through) {
        by_origin.entry(relationship.origin.clone()).or_default().push(relationship);
    }
    for (relationship, ..) in to_one {
        by_origin.entry(relationship.origin.clone()).or_default().push(relationship);
    }
    for relationships in by_origin.values_mut() {
        relationships.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    }
    by_origin
}

/// Adds computed relationships; they hide detected ones of the same name.
pub(super) fn add_computed(by_origin: &mut ByOrigin, computed: Vec<Relationship>) {
    for relationship in computed {
        by_origin.entry(relationship.origin.clone()).or_default().push(relationship);
    }
}

/// The order in which an ambiguous embed lists its choices.
fn sort_key(relationship: &Relationship) -> (u8, &str, &str, &[(Name, Name)]) {
    match &relationship.link {
        Link::OneToMany(key) => (0, &key.constraint, "", &key.columns),
        Link::ManyToOne(key) => (1, &key.constraint, "", &key.columns),
        Link::OneToOne(key) => (2, &key.constraint, "", &key.columns),
        Link::ManyToMany(junction) => {
            let constraint = &junction.source_constraint;
            (3, &junction.table.name, constraint, &junction.target)
        }
        Link::Computed { function, .. } => (4, &function.name, "", &[]),
    }
}

/// The table itself and every exposed view that shows all the columns.
fn sides(
    relations: &Relations,
    view_columns: &HashMap<ColumnId, Vec<ColumnId>>,
    table: u32,
    positions: &[i16],
) -> Vec<KeySide> {
    let mut sides = Vec::new();
    let own: Option<Vec<Name>> =
        positions.iter().map(|p| relations.column(table, *p).cloned()).collect();
    sides.extend(own.map(|columns| KeySide { relation: table, columns }));
    let mut by_view: HashMap<u32, Vec<Vec<Name>>> = HashMap::new();
    for (index, position) in positions.iter().enumerate() {
        for (view, view_position) in view_columns.get(&(table, *position)).into_iter().flatten() {
            let Some(name) = relations.column(*view, *view_position) else { continue };
            let columns = by_view.entry(*view).or_default();
            // A view that lacks a column keeps an empty list in its place: it is left out below.
            columns.resize(index + 1, Vec::new());
            if let Some(names) = columns.get_mut(index) {
                names.push(name.clone());
            }
        }
    }
    for (view, columns) in by_view {
        if columns.len() == positions.len() && columns.iter().all(|names| !names.is_empty()) {
            let ways = ways(&columns).into_iter();
            sides.extend(ways.map(|columns| KeySide { relation: view, columns }));
        }
    }
    sides.sort_by_key(|side| side.relation);
    sides
}

/// Every choice of one name per column.
fn ways(columns: &[Vec<Name>]) -> Vec<Vec<Name>> {
    let mut ways = vec![Vec::new()];
    for names in columns {
        let longer = ways.iter().flat_map(|way| {
            names.iter().map(move |name| way.iter().cloned().chain([name.clone()]).collect())
        });
        ways = longer.take(MAX_WAYS).collect();
    }
    ways
}

/// A to-one relationship with the object ids of its ends.
type ToOne = (Relationship, u32, u32);

fn relationship(
    relations: &Relations,
    key: &ForeignKey,
    source: &KeySide,
    target: &KeySide,
    one_to_one: bool,
) -> Option<ToOne> {
    let columns = source.columns.iter().cloned().zip(target.columns.iter().cloned()).collect();
    let key = Key { constraint: key.constraint.clone(), columns };
    let relationship = Relationship {
        origin: relations.name(source.relation)?.clone(),
        target: relations.name(target.relation)?.clone(),
        target_is_view: relations.is_view(target.relation),
        link: if one_to_one { Link::OneToOne(key) } else { Link::ManyToOne(key) },
    };
    Some((relationship, source.relation, target.relation))
}

/// The same key from its other end.
fn inverse((relationship, source, _): &ToOne, relations: &Relations) -> Relationship {
    let reverse = |key: &Key| Key {
        constraint: key.constraint.clone(),
        columns: key.columns.iter().map(|(own, there)| (there.clone(), own.clone())).collect(),
    };
    let link = match &relationship.link {
        Link::OneToOne(key) => Link::OneToOne(reverse(key)),
        Link::ManyToOne(key) | Link::OneToMany(key) => Link::OneToMany(reverse(key)),
        other => other.clone(),
    };
    Relationship {
        origin: relationship.target.clone(),
        target: relationship.origin.clone(),
        target_is_view: relations.is_view(*source),
        link,
    }
}

/// Many-to-many: two different keys of one relation whose columns belong to its primary key.
fn junctions(
    to_one: &[ToOne],
    relations: &Relations,
    keys: &Keys,
    view_columns: &HashMap<ColumnId, Vec<ColumnId>>,
) -> Vec<Relationship> {
    let mut by_junction: HashMap<u32, Vec<&ToOne>> = HashMap::new();
    for each in to_one {
        if matches!(each.0.link, Link::ManyToOne(_)) {
            by_junction.entry(each.1).or_default().push(each);
        }
    }
    let mut list = Vec::new();
    for (junction, members) in by_junction.into_iter().filter(|(_, members)| members.len() > 1) {
        let primary = primary_names(junction, relations, keys, view_columns);
        let eligible: Vec<_> = members
            .into_iter()
            .filter_map(|(relationship, _, target)| {
                let key = relationship.key()?;
                let inside = key.columns.iter().all(|(own, _)| primary.contains(own));
                inside.then_some((relationship, key, *target))
            })
            .collect();
        for (one, one_key, _) in &eligible {
            for (other, other_key, other_id) in &eligible {
                // The same key as seen through another view is not a second key.
                if one_key.constraint != other_key.constraint {
                    let view = relations.is_view(*other_id);
                    list.push(through(one, one_key, other, other_key, view));
                }
            }
        }
    }
    list
}

fn through(
    one: &Relationship,
    one_key: &Key,
    other: &Relationship,
    other_key: &Key,
    target_is_view: bool,
) -> Relationship {
    let there = |key: &Key| -> Vec<(Name, Name)> {
        key.columns.iter().map(|(junction, end)| (end.clone(), junction.clone())).collect()
    };
    Relationship {
        origin: one.target.clone(),
        target: other.target.clone(),
        target_is_view,
        link: Link::ManyToMany(Junction {
            table: one.origin.clone(),
            source_constraint: one_key.constraint.clone(),
            target_constraint: other_key.constraint.clone(),
            source: there(one_key),
            target: there(other_key),
        }),
    }
}

fn primary_names(
    junction: u32,
    relations: &Relations,
    keys: &Keys,
    view_columns: &HashMap<ColumnId, Vec<ColumnId>>,
) -> Vec<Name> {
    let own = keys.primary(junction);
    if !own.is_empty() || !relations.is_view(junction) {
        return own.iter().filter_map(|p| relations.column(junction, *p).cloned()).collect();
    }
    let mut names = Vec::new();
    for (table, positions) in keys.primaries() {
        let columns =
            positions.iter().flat_map(|p| view_columns.get(&(table, *p)).into_iter().flatten());
        for (view, position) in columns.filter(|(view, _)| *view == junction) {
            names.extend(relations.column(*view, *position).cloned());
        }
    }
    names
}
