//! What a level selects: its columns, its embeds as values, columns lifted out of spreads, and what
//! all of it is grouped by.

use super::condition::operand;
use super::origin::{Origin, SelectParts};
use super::read::rows;
use crate::plan::{AggregateCall, CastType, Embed, Node, OutputColumn, SpreadColumn, Value};
use crate::sql::Sql;

pub(super) fn outputs(sql: &mut Sql, node: &Node) {
    let mut first = true;
    let mut next = |sql: &mut Sql| {
        sql.push(if first { "" } else { ", " });
        first = false;
    };
    for column in &node.columns {
        next(sql);
        output_column(sql, &node.alias, column);
    }
    for (position, embed) in node.embeds.iter().enumerate() {
        match &embed.spread {
            None if embed.node.is_hidden() => {}
            None => {
                next(sql);
                embed_value(sql, embed, &node.alias, node.jsonb);
                sql.push(" AS ").ident(&embed.key);
            }
            Some(columns) => {
                for column in columns {
                    next(sql);
                    lifted_column(sql, position, column);
                }
            }
        }
    }
}

fn output_column(sql: &mut Sql, alias: &str, column: &OutputColumn) {
    let aggregate = column.aggregate.as_ref();
    open_aggregate(sql, aggregate);
    sql.push(if column.cast.is_some() { "CAST(" } else { "" });
    if let Some(format) = &column.format {
        sql.name(format).push("(");
    }
    match &column.value {
        Value::Star if aggregate.is_some() => {
            sql.push("*");
        }
        Value::Star => {
            sql.column(alias, "*");
        }
        // The level above counts this constant: its left join makes it null where there is no row.
        Value::WholeRow => {
            sql.push("1");
        }
        Value::Field(field) => operand(sql, alias, field),
    }
    sql.push(if column.format.is_some() { ")" } else { "" });
    if let Some(cast) = &column.cast {
        sql.push(" AS ");
        cast_type(sql, cast);
        sql.push(")");
    }
    close_aggregate(sql, aggregate);
    if column.alias.is_some() || aggregate.is_some() {
        sql.push(" AS ").ident(column.key());
    }
}

fn open_aggregate(sql: &mut Sql, aggregate: Option<&AggregateCall>) {
    if let Some(call) = aggregate {
        sql.push(if call.cast.is_some() { "CAST(" } else { "" });
        sql.push(call.function.name()).push("(");
    }
}

fn close_aggregate(sql: &mut Sql, aggregate: Option<&AggregateCall>) {
    if let Some(call) = aggregate {
        sql.push(")");
        if let Some(cast) = &call.cast {
            sql.push(" AS ");
            cast_type(sql, cast);
            sql.push(")");
        }
    }
}

fn cast_type(sql: &mut Sql, cast: &CastType) {
    match cast {
        CastType::Keyword(keyword) => sql.push(keyword),
        CastType::Named(name) => sql.ident(name),
    };
}

/// An embed as a value: an object, or an array that is never null.
fn embed_value(sql: &mut Sql, embed: &Embed, above: &str, jsonb: bool) {
    sql.push(if embed.to_one {
        "(SELECT row_to_json(pgrst_r)"
    } else {
        "(SELECT coalesce(json_agg(pgrst_r), '[]')"
    });
    sql.push(if jsonb { "::jsonb FROM (" } else { " FROM (" });
    rows(sql, &embed.node, Origin::Embed(embed, above), SelectParts::All);
    sql.push(if embed.to_one { ") AS pgrst_r LIMIT 1)" } else { ") AS pgrst_r)" });
}

pub(super) fn spread_alias(sql: &mut Sql, position: usize) {
    sql.push("pgrst_spread_").int(i64::try_from(position).unwrap_or(0));
}

fn lifted_column(sql: &mut Sql, position: usize, column: &SpreadColumn) {
    let aggregate = column.aggregate.as_ref();
    open_aggregate(sql, aggregate);
    spread_alias(sql, position);
    if column.name == "*" {
        sql.push(".*");
        return;
    }
    sql.push(".").ident(&column.name);
    close_aggregate(sql, aggregate);
    if aggregate.is_some() {
        sql.push(" AS ").ident(&column.name);
    }
}

pub(super) fn spread_join(
    sql: &mut Sql,
    node: &Node,
    position: usize,
    embed: &Embed,
    columns: &[SpreadColumn],
) {
    // A left join keeps rows that have no related one: `!inner` is an `EXISTS` in the `WHERE`.
    sql.push(" LEFT JOIN LATERAL (");
    let origin = Origin::Embed(embed, &node.alias);
    if embed.to_one {
        rows(sql, &embed.node, origin, SelectParts::All);
    } else {
        sql.push("SELECT ");
        sql.join(", ", columns, |sql, column| {
            sql.push("coalesce(json_agg(pgrst_r.").ident(&column.name);
            sql.push(if node.jsonb { "), '[]')::jsonb AS " } else { "), '[]') AS " });
            sql.ident(&column.name);
        });
        sql.push(" FROM (");
        rows(sql, &embed.node, origin, SelectParts::All);
        sql.push(") AS pgrst_r");
    }
    sql.push(") AS ");
    spread_alias(sql, position);
    sql.push(" ON true");
}

/// Groups by every output that is no aggregate, named by its position.
pub(super) fn group_by(sql: &mut Sql, node: &Node) {
    if !node.is_grouped() {
        return;
    }
    let own = node.columns.iter().map(|column| column.aggregate.is_none());
    let embedded = node.embeds.iter().flat_map(|embed| match &embed.spread {
        None if embed.node.is_hidden() => Vec::new(),
        None => vec![true],
        Some(columns) => columns.iter().map(|column| column.aggregate.is_none()).collect(),
    });
    let positions: Vec<i64> =
        (1_i64..).zip(own.chain(embedded)).filter(|(_, plain)| *plain).map(|(n, _)| n).collect();
    if !positions.is_empty() {
        sql.push(" GROUP BY ");
        sql.join(", ", positions, |sql, position| {
            sql.int(position);
        });
    }
}
