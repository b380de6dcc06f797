//! The columns every statement answers with, and the body among them.

use super::guard::Guard;
use crate::plan::{BodyShape, Output};
use crate::sql::Sql;

/// Writes columns 1 to 5, over rows called `pgrst_t`; column 0 is the caller's.
pub(super) fn columns(sql: &mut Sql, output: &Output, guard: Guard) {
    // A single value is the only row, so there is nothing to count or aggregate.
    let single = output.shape == BodyShape::Verbatim;
    sql.push(if single { ", 1::bigint, " } else { ", count(*), " });
    body(sql, output);
    settings(sql, guard);
}

/// Writes columns 3 to 5.
pub(super) fn settings(sql: &mut Sql, guard: Guard) {
    sql.push(
        ", nullif(current_setting('response.headers', true), '')\
         , nullif(current_setting('response.status', true), ''), ",
    );
    guard.write(sql);
}

fn body(sql: &mut Sql, output: &Output) {
    let rows = if output.scalar { "pgrst_t.pgrst_scalar" } else { "pgrst_t" };
    match &output.shape {
        BodyShape::Nothing => {
            sql.push("NULL::text");
        }
        // PostgreSQL drops an unused column, and with it the call, unless it is volatile. The
        // comparison uses the column: a count is never negative, but PostgreSQL does not know that.
        BodyShape::Discarded => {
            sql.push("CASE WHEN count(").push(rows).push(") < 0 THEN '' END");
        }
        BodyShape::Array { strip_nulls: false } => {
            sql.push("coalesce(json_agg(").push(rows).push(")::text, '[]')");
        }
        BodyShape::Array { strip_nulls: true } => {
            sql.push("coalesce(json_strip_nulls(json_agg(").push(rows).push("))::text, '[]')");
        }
        BodyShape::Object { strip_nulls: false } => {
            sql.push("coalesce((json_agg(").push(rows).push(")->0)::text, 'null')");
        }
        BodyShape::Object { strip_nulls: true } => {
            sql.push("coalesce(json_strip_nulls(json_agg(").push(rows).push(")->0)::text, 'null')");
        }
        BodyShape::Csv => csv(sql, rows),
        BodyShape::GeoJson => {
            sql.push("json_build_object('type', 'FeatureCollection', 'features', ");
            sql.push("coalesce(json_agg(ST_AsGeoJSON(").push(rows).push(")::json), '[]'))::text");
        }
        BodyShape::Aggregate { function, row } => {
            sql.name(function).push("(").push(rows);
            if let Some(row) = row.as_ref().filter(|_| !output.scalar) {
                sql.push("::").name(row);
            }
            sql.push(")");
        }
        BodyShape::Verbatim => {
            sql.push(rows);
        }
    }
}

/// The header is made of the first row's keys, the lines of the rows' own text form.
fn csv(sql: &mut Sql, rows: &'static str) {
    if rows != "pgrst_t" {
        sql.push("'pgrst_scalar' || E'\\n' || coalesce(string_agg(").push(rows);
        sql.push("::text, E'\\n'), '')");
        return;
    }
    sql.push(
        "coalesce((SELECT string_agg(pgrst_k, ',') FROM json_object_keys(json_agg(pgrst_t)->0) \
         AS pgrst_k), '') || E'\\n' || coalesce(string_agg(substring(pgrst_t::text, 2, \
         length(pgrst_t::text) - 2), E'\\n'), '')",
    );
}
