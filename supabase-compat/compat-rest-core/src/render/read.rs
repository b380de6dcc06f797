//! Rows of a node: its columns, its embeds, its filters, order and slice.
//!
//! An ordinary embed is a sub-select among the columns, so PostgreSQL computes it only for rows
//! that survive filter, order and limit. `!inner` and null filters are `EXISTS` in the WHERE
//! clause, which therefore is the same for rows and for their count. Only spreads are joined.

use super::body;
use super::call;
use super::condition::{condition, operand};
use super::guard::Guard;
use super::origin::{Origin, SelectParts};
use super::outputs::{group_by, outputs, spread_alias, spread_join};
use crate::plan::{Embed, JoinPath, Node, Operand, OutputColumn, ReadPlan, Sort, SortKey, Value};
use crate::request::order::{Direction, Nulls};
use crate::request::prefer::Count;
use crate::request::range::Slice;
use crate::sql::Sql;

/// The statement of a read.
pub(super) fn statement(sql: &mut Sql, read: &ReadPlan) {
    sql.push("SELECT ");
    total(sql, read);
    body::columns(sql, &read.output, Guard::default());
    sql.push(" FROM (");
    if read.page_key.is_empty() {
        rows(sql, &read.node, Origin::Relation(&read.relation), SelectParts::All);
    } else {
        later_page(sql, read);
    }
    sql.push(") AS pgrst_t");
}

/// Selects the keys of the page's rows, then the rows: PostgreSQL computes the columns of skipped
/// rows, too, so the inner query has only filter and order.
fn later_page(sql: &mut Sql, read: &ReadPlan) {
    let node = &read.node;
    let origin = Origin::Relation(&read.relation);
    sql.push("SELECT ");
    outputs(sql, node);
    sql.push(" FROM (SELECT ");
    sql.join(", ", &read.page_key, |sql, column| {
        sql.column(&node.alias, column);
    });
    sql.push(" FROM ");
    from(sql, node, origin);
    filters(sql, node, origin);
    ordered(sql, node);
    slice(sql, node.slice);
    sql.push(") AS pgrst_page JOIN ");
    from(sql, node, origin);
    sql.push(" ON ");
    sql.join(" AND ", &read.page_key, |sql, column| {
        sql.column(&node.alias, column).push(" = ").column("pgrst_page", column);
    });
    spreads(sql, node);
    ordered(sql, node);
}

/// `SELECT 1` of all rows the filters let through.
pub(super) fn counted_rows(sql: &mut Sql, read: &ReadPlan) {
    bare_rows(sql, &read.node, Origin::Relation(&read.relation));
}

fn total(sql: &mut Sql, read: &ReadPlan) {
    if !crate::plan::counts_rows(read.count) {
        sql.push("NULL::bigint");
    } else if read.node.slice.is_whole() && !read.node.is_grouped() {
        sql.push("count(*)");
    } else {
        sql.push("(SELECT count(*) FROM (");
        counted_rows(sql, read);
        if let (Some(Count::Estimated), Some(most)) = (read.count, read.max_rows) {
            sql.push(" LIMIT ").int(most.saturating_add(1));
        }
        sql.push(") AS pgrst_c)");
    }
}

/// Writes the select of a node.
pub(super) fn rows(sql: &mut Sql, node: &Node, origin: Origin<'_>, parts: SelectParts) {
    sql.push("SELECT ");
    outputs(sql, node);
    sql.push(" FROM ");
    from(sql, node, origin);
    spreads(sql, node);
    filters(sql, node, origin);
    group_by(sql, node);
    ordered(sql, node);
    if parts == SelectParts::All {
        slice(sql, node.slice);
    }
}

fn spreads(sql: &mut Sql, node: &Node) {
    for (position, embed) in node.embeds.iter().enumerate() {
        // A spread that lifts nothing has nothing to join.
        if let Some(columns) = embed.spread.as_ref().filter(|columns| !columns.is_empty()) {
            spread_join(sql, node, position, embed, columns);
        }
    }
}

fn ordered(sql: &mut Sql, node: &Node) {
    if !node.order.is_empty() {
        sql.push(" ORDER BY ");
        sql.join(", ", &node.order, |sql, sort| order_term(sql, node, sort));
    }
}

fn bare_rows(sql: &mut Sql, node: &Node, origin: Origin<'_>) {
    sql.push("SELECT 1 FROM ");
    from(sql, node, origin);
    filters(sql, node, origin);
}

/// `EXISTS (…)`: some row of the embed belongs to the row above.
pub(super) fn existence(sql: &mut Sql, embed: &Embed, above: &str) {
    sql.push("EXISTS (");
    bare_rows(sql, &embed.node, Origin::Embed(embed, above));
    slice(sql, embed.node.slice);
    sql.push(")");
}

fn from(sql: &mut Sql, node: &Node, origin: Origin<'_>) {
    match origin {
        Origin::Relation(relation) => {
            sql.name(relation).push(" AS ").ident(&node.alias);
        }
        Origin::Written => {
            sql.push("pgrst_source AS ").ident(&node.alias);
        }
        Origin::Call(call) => call::source(sql, call),
        Origin::Embed(embed, above) => embed_source(sql, embed, above),
    }
}

fn embed_source(sql: &mut Sql, embed: &Embed, above: &str) {
    match &embed.via {
        JoinPath::Columns(_) => {
            sql.name(&embed.relation).push(" AS ").ident(&embed.node.alias);
        }
        JoinPath::Junction { table, alias, .. } => {
            sql.name(&embed.relation).push(" AS ").ident(&embed.node.alias);
            sql.push(" CROSS JOIN ").name(table).push(" AS ").ident(alias);
        }
        JoinPath::Function { function, row } => {
            sql.name(function).push("((").ident(above).push(".*)::").name(row).push(") AS ");
            sql.ident(&embed.node.alias);
        }
    }
}

fn filters(sql: &mut Sql, node: &Node, origin: Origin<'_>) {
    let mut first = true;
    let mut next = |sql: &mut Sql| {
        sql.push(if first { " WHERE " } else { " AND " });
        first = false;
    };
    if let Origin::Embed(embed, above) = origin {
        let own = &node.alias;
        match &embed.via {
            JoinPath::Columns(pairs) => {
                for (column_above, column) in pairs {
                    next(sql);
                    sql.column(own, column).push(" = ").column(above, column_above);
                }
            }
            JoinPath::Junction { alias, above: pairs_above, below, .. } => {
                for (column_above, column) in pairs_above {
                    next(sql);
                    sql.column(alias, column).push(" = ").column(above, column_above);
                }
                for (column, column_there) in below {
                    next(sql);
                    sql.column(own, column).push(" = ").column(alias, column_there);
                }
            }
            JoinPath::Function { .. } => {}
        }
    }
    for each in &node.conditions {
        next(sql);
        condition(sql, &node.alias, Some(node), each);
    }
    for embed in node.embeds.iter().filter(|embed| embed.inner) {
        next(sql);
        existence(sql, embed, &node.alias);
    }
}

fn order_term(sql: &mut Sql, node: &Node, sort: &Sort) {
    match &sort.key {
        SortKey::Own(key) => operand(sql, &node.alias, key),
        SortKey::Embed { position, operand: key } => {
            let embed = node.embeds.get(*position);
            // The join of a spread has read the value already; otherwise a sub-select reads it.
            if let Some(column) = embed.and_then(|embed| lifted(embed, key)) {
                spread_alias(sql, *position);
                sql.push(".").ident(column);
            } else if let Some(embed) = embed {
                sql.push("(SELECT ");
                operand(sql, &embed.node.alias, key);
                let origin = Origin::Embed(embed, &node.alias);
                sql.push(" FROM ");
                from(sql, &embed.node, origin);
                filters(sql, &embed.node, origin);
                sql.push(" LIMIT 1)");
            }
        }
        SortKey::EmbedOutput { position, name } => {
            if let Some(embed) = node.embeds.get(*position) {
                write_embed_value(sql, node, *position, embed, name);
            }
        }
    }
    sql.push(match sort.direction {
        Some(Direction::Descending) => " DESC",
        Some(Direction::Ascending) | None => "",
    });
    sql.push(match sort.nulls {
        Some(Nulls::First) => " NULLS FIRST",
        Some(Nulls::Last) => " NULLS LAST",
        None => "",
    });
}

/// The value that an embed shows under a name: lifted out of a spread, grouped on this level, or
/// read again.
fn write_embed_value(sql: &mut Sql, node: &Node, position: usize, embed: &Embed, name: &str) {
    match &embed.spread {
        Some(columns) if columns.iter().any(|c| c.name == name && c.aggregate.is_some()) => {
            sql.ident(name);
        }
        Some(_) => {
            spread_alias(sql, position);
            sql.push(".").ident(name);
        }
        None => {
            sql.push("(SELECT pgrst_o.").ident(name).push(" FROM (");
            rows(sql, &embed.node, Origin::Embed(embed, &node.alias), SelectParts::All);
            sql.push(") AS pgrst_o LIMIT 1)");
        }
    }
}

/// The name under which a spread lifts this very column, if it does.
fn lifted<'e>(embed: &'e Embed, key: &Operand) -> Option<&'e str> {
    let is_selected = |column: &&OutputColumn| {
        column.cast.is_none() && matches!(&column.value, Value::Field(field) if field == key)
    };
    embed.spread.as_ref()?;
    embed.node.columns.iter().find(is_selected).map(OutputColumn::key)
}

pub(super) fn slice(sql: &mut Sql, slice: Slice) {
    if let Some(limit) = slice.limit {
        sql.push(" LIMIT ").int(limit);
    }
    if slice.offset > 0 {
        sql.push(" OFFSET ").int(slice.offset);
    }
}
