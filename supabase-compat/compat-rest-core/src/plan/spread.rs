//! Spread embeds: which columns they lift into the level above, and to which level aggregates
//! belong.

use super::error::PlanError;
use super::negotiate::BodyShape;
use super::node::{AggregateCall, Node, OutputColumn, SpreadColumn, Value};

/// Fills in the lifted columns of every spread, from the leaves up.
pub fn settle(node: &mut Node) -> Result<(), PlanError> {
    for embed in &mut node.embeds {
        settle(&mut embed.node)?;
        if embed.spread.is_some() {
            let lifted =
                if embed.to_one { lift_one(&mut embed.node) } else { lift_many(&embed.node)? };
            embed.spread = Some(lifted);
        }
    }
    if node.is_grouped() {
        compare(node);
    }
    Ok(())
}

/// JSON has no equality; what a level groups by, and what spreads lift into it, is `jsonb` instead.
fn compare(node: &mut Node) {
    node.jsonb = true;
    for embed in node.embeds.iter_mut().filter(|embed| embed.spread.is_some() && embed.to_one) {
        compare(&mut embed.node);
    }
}

/// Makes embeds `jsonb` if the response shows them as text, so that they are printed as by the
/// original.
pub fn spell(node: &mut Node, shape: &BodyShape) {
    if matches!(shape, BodyShape::Csv | BodyShape::Aggregate { .. }) {
        node.jsonb = true;
        node.embeds.iter_mut().for_each(|embed| spell(&mut embed.node, shape));
    }
}

/// A to-one spread gives its columns and its aggregates to the level above.
fn lift_one(node: &mut Node) -> Vec<SpreadColumn> {
    let mut lifted: Vec<SpreadColumn> = node.columns.iter_mut().map(lift_column).collect();
    for embed in &mut node.embeds {
        match &mut embed.spread {
            None => lifted.extend((!embed.node.is_hidden()).then(|| plain(&embed.key))),
            Some(columns) => lifted.extend(columns.iter_mut().map(|column| SpreadColumn {
                name: column.name.clone(),
                aggregate: column.aggregate.take(),
            })),
        }
    }
    lifted
}

fn lift_column(column: &mut OutputColumn) -> SpreadColumn {
    let name = column.key().to_owned();
    let aggregate: Option<AggregateCall> = column.aggregate.take();
    if aggregate.is_some() {
        column.alias = Some(name.clone());
        if column.value == Value::Star {
            column.value = Value::WholeRow;
        }
    }
    SpreadColumn { name, aggregate }
}

/// A to-many spread gives arrays; aggregates have no meaning there.
fn lift_many(node: &Node) -> Result<Vec<SpreadColumn>, PlanError> {
    if node.is_grouped() {
        return Err(PlanError::Unsupported(
            "Aggregates are not implemented for one-to-many or many-to-many spreads.",
        ));
    }
    let own = node.columns.iter().map(|column| plain(column.key()));
    let embedded = node.embeds.iter().flat_map(|embed| match &embed.spread {
        None if embed.node.is_hidden() => Vec::new(),
        None => vec![plain(&embed.key)],
        Some(columns) => columns.iter().map(|column| plain(&column.name)).collect(),
    });
    Ok(own.chain(embedded).collect())
}

fn plain(name: &str) -> SpreadColumn {
    SpreadColumn { name: name.to_owned(), aggregate: None }
}
