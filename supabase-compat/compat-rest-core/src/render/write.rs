//! Inserts, replacements, updates and deletes, with the rows that they return.

use super::body;
use super::condition::{condition, write_value};
use super::guard::Guard;
use super::origin::{Origin, SelectParts};
use super::read;
use crate::plan::{BodyColumn, BodyShape, Condition, Conflict, WriteKind, WritePlan};
use crate::request::Write;
use crate::request::prefer::Resolution;
use crate::schema::Name;
use crate::sql::Sql;

/// Adds one to the count of rows not known to have existed; true for every row.
const COUNT_NEW: &str = "set_config('pgrst.inserted', (coalesce(nullif(current_setting(\
    'pgrst.inserted', true), ''), '0')::integer + 1)::text, true) IS NOT NULL";
/// Subtracts one from the count: the row existed and was replaced.
const COUNT_REPLACED: &str = "set_config('pgrst.inserted', (coalesce(nullif(current_setting(\
    'pgrst.inserted', true), ''), '0')::integer - 1)::text, true) IS NOT NULL";

/// The statement of a write.
pub(super) fn statement(sql: &mut Sql, write: &WritePlan) {
    sql.push("WITH pgrst_source AS (");
    match &write.kind {
        WriteKind::Insert { conflict } => insert(sql, write, conflict.as_ref()),
        WriteKind::Put { key } => {
            insert_head(sql, write);
            put(sql, write, key);
        }
        WriteKind::Update { conditions } => update(sql, write, conditions),
        WriteKind::Delete { conditions } => {
            sql.push("DELETE FROM ").name(&write.relation).push(" AS ").ident(&write.node.alias);
            filters(sql, write, conditions);
            returning(sql, write);
        }
    }
    sql.push(") SELECT NULL::bigint");
    let guard = Guard {
        singular: write.output.singular,
        max_affected: write.max_affected,
        put: write.write == Write::Put,
    };
    body::columns(sql, &write.output, guard);
    location(sql, write);
    // `ON CONFLICT` does not tell new rows from replaced ones, so the statement counts them in a
    // setting.
    sql.push(if write.detect_inserted {
        ", coalesce(nullif(current_setting('pgrst.inserted', true), ''), '0')::integer FROM ("
    } else {
        ", NULL::integer FROM ("
    });
    if write.output.shape == BodyShape::Nothing {
        sql.push("SELECT FROM pgrst_source");
    } else {
        read::rows(sql, &write.node, Origin::Written, SelectParts::All);
    }
    sql.push(") AS pgrst_t");
}

fn location(sql: &mut Sql, write: &WritePlan) {
    if write.location.is_empty() {
        sql.push(", NULL::text");
        return;
    }
    sql.push(", CASE WHEN count(*) = 1 THEN (SELECT row_to_json(pgrst_l)::text FROM (SELECT ");
    sql.join(", ", &write.location, |sql, name| {
        sql.ident(name).push("::text");
    });
    sql.push(" FROM pgrst_source LIMIT 1) AS pgrst_l) END");
}

fn insert_head(sql: &mut Sql, write: &WritePlan) {
    sql.push("INSERT INTO ").name(&write.relation).push(" AS ").ident(&write.node.alias);
    if !write.columns.is_empty() {
        sql.push("(");
        sql.join(", ", &write.columns, |sql, column| {
            sql.ident(&column.name);
        });
        sql.push(")");
    }
}

fn insert(sql: &mut Sql, write: &WritePlan, conflict: Option<&Conflict>) {
    insert_head(sql, write);
    if write.columns.is_empty() && write.body_is_object {
        sql.push(" DEFAULT VALUES");
    } else {
        sql.push(" SELECT ");
        body_outputs(sql, write);
        sql.push(" FROM ");
        body_rows(sql, write, false);
        sql.push(if write.detect_inserted { " WHERE " } else { "" });
        sql.push(if write.detect_inserted { COUNT_NEW } else { "" });
    }
    if let Some(conflict) = conflict {
        on_conflict(sql, write, conflict.resolution, &conflict.columns);
    }
    returning(sql, write);
}

fn put(sql: &mut Sql, write: &WritePlan, key: &[(Name, crate::plan::TestValue)]) {
    sql.push(" SELECT ");
    body_outputs(sql, write);
    sql.push(" FROM ");
    body_rows(sql, write, true);
    sql.push(" WHERE ");
    for (name, value) in key {
        sql.column("pgrst_body", name).push(" = ");
        write_value(sql, value);
        sql.push(" AND ");
    }
    sql.push(COUNT_NEW);
    let names: Vec<Name> = key.iter().map(|(name, _)| name.clone()).collect();
    on_conflict(sql, write, Resolution::MergeDuplicates, &names);
    returning(sql, write);
}

fn on_conflict(sql: &mut Sql, write: &WritePlan, resolution: Resolution, columns: &[Name]) {
    sql.push(" ON CONFLICT (");
    sql.join(", ", columns, |sql, name| {
        sql.ident(name);
    });
    sql.push(") DO ");
    if resolution == Resolution::IgnoreDuplicates || write.columns.is_empty() {
        sql.push("NOTHING");
        return;
    }
    sql.push("UPDATE SET ");
    sql.join(", ", &write.columns, |sql, column| {
        sql.ident(&column.name).push(" = EXCLUDED.").ident(&column.name);
    });
    sql.push(" WHERE ").push(COUNT_REPLACED);
}

fn update(sql: &mut Sql, write: &WritePlan, conditions: &[Condition]) {
    let alias = &write.node.alias;
    if write.columns.is_empty() {
        sql.push("SELECT ");
        returned_columns(sql, write);
        sql.push(" FROM ").name(&write.relation).push(" AS ").ident(alias).push(" WHERE false");
        return;
    }
    sql.push("UPDATE ").name(&write.relation).push(" AS ").ident(alias).push(" SET ");
    sql.join(", ", &write.columns, |sql, column| {
        sql.ident(&column.name).push(" = ");
        body_value(sql, column);
    });
    sql.push(" FROM ");
    body_rows(sql, write, true);
    filters(sql, write, conditions);
    returning(sql, write);
}

fn filters(sql: &mut Sql, write: &WritePlan, conditions: &[Condition]) {
    if !conditions.is_empty() {
        sql.push(" WHERE ");
        sql.join(" AND ", conditions, |sql, each| condition(sql, &write.node.alias, None, each));
    }
}

fn returning(sql: &mut Sql, write: &WritePlan) {
    sql.push(" RETURNING ");
    returned_columns(sql, write);
}

fn returned_columns(sql: &mut Sql, write: &WritePlan) {
    if write.returning.is_empty() {
        sql.push("1");
        return;
    }
    sql.join(", ", &write.returning, |sql, name| {
        sql.column(&write.node.alias, name);
    });
}

fn body_outputs(sql: &mut Sql, write: &WritePlan) {
    sql.join(", ", &write.columns, body_value);
}

fn body_value(sql: &mut Sql, column: &BodyColumn) {
    match &column.parser {
        Some(parser) => {
            sql.name(parser).push("(").column("pgrst_body", &column.name).push(")");
        }
        None => {
            sql.column("pgrst_body", &column.name);
        }
    }
}

/// The body as rows called `pgrst_body`.
fn body_rows(sql: &mut Sql, write: &WritePlan, only_first: bool) {
    if write.columns.is_empty() {
        sql.push("json_array_elements(").bind_body().push("::json) AS pgrst_body");
        return;
    }
    let cut = only_first && !write.body_is_object;
    sql.push(if cut { "(SELECT * FROM " } else { "" });
    if write.apply_defaults {
        defaulted_record(sql, write);
    } else {
        sql.push(if write.body_is_object { "json_to_record(" } else { "json_to_recordset(" });
        sql.bind_body().push("::json)");
    }
    sql.push(" AS pgrst_body(");
    sql.join(", ", &write.columns, |sql, column| {
        sql.ident(&column.name).push(" ").name(&column.data_type);
    });
    sql.push(if cut { ") LIMIT 1) AS pgrst_body" } else { ")" });
}

/// Merges each object over one that holds every column's default.
fn defaulted_record(sql: &mut Sql, write: &WritePlan) {
    let defaults = |sql: &mut Sql| {
        sql.push("jsonb_build_object(");
        let columns = write.columns.iter().filter_map(|c| c.default.as_ref().map(|d| (c, d)));
        sql.join(", ", columns, |sql, (column, default)| {
            sql.bind(&*column.name).push("::text, ").expression(default);
        });
        sql.push(")");
    };
    if write.body_is_object {
        sql.push("jsonb_to_record(");
        defaults(sql);
        sql.push(" || ").bind_body().push("::jsonb)");
    } else {
        sql.push("jsonb_to_recordset((SELECT jsonb_agg(");
        defaults(sql);
        sql.push(" || pgrst_e) FROM jsonb_array_elements(").bind_body();
        sql.push("::jsonb) AS pgrst_e))");
    }
}
