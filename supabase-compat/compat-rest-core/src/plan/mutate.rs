//! The plan of a write.

use std::collections::BTreeSet;

use super::PlanContext;
use super::condition::{Condition, Operand, Test, TestValue};
use super::error::PlanError;
use super::negotiate::{self, Output};
use super::node::{JoinPath, Node, SortKey, Value};
use super::read;
use super::resolve::Scope;
use super::spread;
use crate::request::filter::{Comparison, Filter, Operation};
use crate::request::payload::Payload;
use crate::request::prefer::{MissingColumns, Resolution, Return};
use crate::request::{ApiRequest, Write};
use crate::schema::{Name, QualifiedName, SchemaCache, Table};
use crate::sql::CatalogueExpression;

/// A column filled from the body.
#[derive(Clone, Debug)]
pub struct BodyColumn {
    pub name: Name,
    /// The type the JSON value is read as.
    pub data_type: QualifiedName,
    /// Function that turns the JSON value into the column's domain.
    pub parser: Option<QualifiedName>,
    /// What a missing key stands for, when defaults were asked for.
    pub default: Option<CatalogueExpression>,
}

/// What happens to rows that exist already.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub resolution: Resolution,
    pub columns: Vec<Name>,
}

/// Which statement writes.
#[derive(Clone, Debug)]
pub enum WriteKind {
    Insert {
        conflict: Option<Conflict>,
    },
    /// Insert or replace the one row whose key the URL names.
    Put {
        key: Vec<(Name, TestValue)>,
    },
    Update {
        conditions: Vec<Condition>,
    },
    Delete {
        conditions: Vec<Condition>,
    },
}

/// A write to a relation.
#[derive(Clone, Debug)]
pub struct WritePlan {
    pub relation: QualifiedName,
    pub write: Write,
    pub kind: WriteKind,
    pub columns: Vec<BodyColumn>,
    /// The body is one object, not an array of them.
    pub body_is_object: bool,
    pub apply_defaults: bool,
    /// Columns the answer needs back; empty when it needs none.
    pub returning: Vec<String>,
    /// Key columns the `Location` header is made of.
    pub location: Vec<Name>,
    /// New rows are counted apart from replaced ones.
    pub detect_inserted: bool,
    /// True when a resolution was asked for and applies.
    pub resolution_applies: bool,
    pub node: Node,
    pub output: Output,
    pub max_affected: Option<i64>,
}

impl WritePlan {
    pub(super) fn new(
        planning: PlanContext<'_>,
        relation: &QualifiedName,
        write: Write,
    ) -> Result<Self, PlanError> {
        let PlanContext { request, cache, .. } = planning;
        let table = cache
            .tables
            .get(relation)
            .ok_or_else(|| PlanError::unknown_relation(relation, cache))?;
        let mut node = read::tree(planning, relation)?;
        let preferences = &request.preferences;
        let defaults = preferences.missing == Some(MissingColumns::Default);
        let (columns, body_is_object) = body_columns(request, cache, table, write)?;
        let kind = kind(request, cache, table, write)?;
        negotiate::strictness(request)?;
        let output = planning.write_output(relation, &node)?;
        spread::spell(&mut node, &output.shape);
        let location = location(request, table, write);
        let returning = returning(&node, table, preferences.returned, &location);
        let merges = matches!(&kind, WriteKind::Insert { conflict: Some(c) }
            if c.resolution == Resolution::MergeDuplicates);
        let has_target = !table.primary_key.is_empty() || request.query.on_conflict.is_some();
        // PostgREST bounds the rows of PATCH and DELETE only, not those of POST and PUT.
        let bounded = matches!(write, Write::Update | Write::Delete);
        Ok(Self {
            relation: relation.clone(),
            write,
            columns,
            body_is_object,
            apply_defaults: defaults && matches!(write, Write::Insert | Write::Update | Write::Put),
            returning,
            location,
            detect_inserted: write == Write::Put || merges,
            resolution_applies: write == Write::Insert && has_target,
            max_affected: preferences.enforced_max_affected().filter(|_| bounded),
            kind,
            node,
            output,
        })
    }
}

fn body_columns(
    request: &ApiRequest,
    cache: &SchemaCache,
    table: &Table,
    write: Write,
) -> Result<(Vec<BodyColumn>, bool), PlanError> {
    let (keys, is_object) = match &request.payload {
        Some(Payload::Json { keys, is_object, .. }) if write != Write::Delete => (keys, *is_object),
        _ => return Ok((Vec::new(), true)),
    };
    let columns =
        keys.iter().map(|key| body_column(cache, table, key)).collect::<Result<_, _>>()?;
    Ok((columns, is_object))
}

fn body_column(cache: &SchemaCache, table: &Table, key: &str) -> Result<BodyColumn, PlanError> {
    let column = table.column(key).ok_or_else(|| PlanError::UnknownColumn {
        relation: table.name.name.clone(),
        column: key.to_owned(),
    })?;
    let json = QualifiedName::system("json");
    let parser = cache.representation(&json, &column.data_type).cloned();
    Ok(BodyColumn {
        name: column.name.clone(),
        data_type: if parser.is_some() { json } else { column.data_type.clone() },
        parser,
        default: column.default.clone(),
    })
}

fn kind(
    request: &ApiRequest,
    cache: &SchemaCache,
    table: &Table,
    write: Write,
) -> Result<WriteKind, PlanError> {
    match write {
        Write::Insert => Ok(WriteKind::Insert { conflict: conflict(request, table) }),
        Write::Put => put_key(request, cache, table).map(|key| WriteKind::Put { key }),
        Write::Update => Ok(WriteKind::Update { conditions: conditions(request, cache, table)? }),
        Write::Delete => Ok(WriteKind::Delete { conditions: conditions(request, cache, table)? }),
    }
}

fn conflict(request: &ApiRequest, table: &Table) -> Option<Conflict> {
    let resolution = request.preferences.resolution?;
    let columns: Vec<Name> = match &request.query.on_conflict {
        Some(columns) => columns.iter().map(|name| Name::from(name.as_str())).collect(),
        None => table.primary_key.clone(),
    };
    (!columns.is_empty()).then_some(Conflict { resolution, columns })
}

/// PUT: filters are exactly the key columns with `eq`.
fn put_key(
    request: &ApiRequest,
    cache: &SchemaCache,
    table: &Table,
) -> Result<Vec<(Name, TestValue)>, PlanError> {
    let filters: Vec<&Filter> = request.query.root_filters().collect();
    let scope = Scope { cache, table: Some(table) };
    let equals =
        |name: &Name| {
            let mut named =
                filters.iter().filter(|f| f.field.path.is_empty() && *f.field.name == **name);
            let (only, None) = (named.next()?, named.next()) else { return None };
            let plain = matches!(
                only.operation,
                Operation::Compare { comparison: Comparison::Equal, quantifier: None, .. }
            );
            match scope.filter(only, &|_| None) {
                Ok(Condition::Test {
                    negated: false, test: Test::Compare { value, .. }, ..
                }) if plain => Some((name.clone(), value)),
                _ => None,
            }
        };
    let key: Option<Vec<_>> = table.primary_key.iter().map(equals).collect();
    let logic = request.query.logic.iter().any(|(path, _)| path.is_empty());
    match key {
        Some(key) if !key.is_empty() && key.len() == filters.len() && !logic => Ok(key),
        _ => Err(PlanError::PutFilters),
    }
}

fn conditions(
    request: &ApiRequest,
    cache: &SchemaCache,
    table: &Table,
) -> Result<Vec<Condition>, PlanError> {
    let scope = Scope { cache, table: Some(table) };
    let mut conditions = Vec::new();
    for filter in request.query.root_filters() {
        conditions.push(scope.filter(filter, &|_| None)?);
    }
    for (_, logic) in request.query.logic.iter().filter(|(path, _)| path.is_empty()) {
        conditions.push(scope.logic(logic, &|_| None)?);
    }
    Ok(conditions)
}

fn location(request: &ApiRequest, table: &Table, write: Write) -> Vec<Name> {
    let requested =
        request.preferences.returned == Some(Return::HeadersOnly) && write == Write::Insert;
    if requested { table.primary_key.clone() } else { Vec::new() }
}

/// Only what the answer shows, joins or sorts by is read back, so that nothing else needs a grant.
fn returning(
    node: &Node,
    table: &Table,
    returned: Option<Return>,
    location: &[Name],
) -> Vec<String> {
    if returned != Some(Return::Representation) {
        return location.iter().map(|name| name.to_string()).collect();
    }
    let mut needed = BTreeSet::new();
    for column in &node.columns {
        match &column.value {
            Value::Star | Value::WholeRow => needed.insert("*".to_owned()),
            Value::Field(operand) => needed.insert(operand.column.clone()),
        };
    }
    for sort in &node.order {
        if let SortKey::Own(Operand { column, .. }) = &sort.key {
            needed.insert(column.clone());
        }
    }
    for embed in &node.embeds {
        match &embed.via {
            JoinPath::Columns(pairs) | JoinPath::Junction { above: pairs, .. } => {
                needed.extend(pairs.iter().map(|(above, _)| above.to_string()));
            }
            JoinPath::Function { .. } => {
                needed.insert("*".to_owned());
            }
        }
    }
    // `*` brings the table's columns. Computed fields are functions, which it does not bring.
    if needed.contains("*") {
        needed.retain(|name| name == "*" || table.column(name).is_none());
    }
    needed.into_iter().collect()
}
