//! Procedure calls.

use super::body;
use super::guard::Guard;
use super::origin::{Origin, SelectParts};
use super::read;
use crate::plan::{Arguments, BodyShape, CallPlan};
use crate::schema::RoutineParam;
use crate::sql::Sql;

/// The statement of a call. The function runs once: where the total is wanted of rows that are then
/// sliced, all of them are kept first.
pub(super) fn statement(sql: &mut Sql, call: &CallPlan) {
    let guard = Guard {
        singular: call.output.singular && !call.read_only,
        max_affected: call.max_affected,
        put: false,
    };
    let counts = crate::plan::counts_rows(call.count);
    if !counts || call.node.slice.is_whole() {
        sql.push(match (counts, &call.output.shape) {
            (false, _) => "SELECT NULL::bigint",
            (true, BodyShape::Verbatim) => "SELECT 1::bigint",
            (true, _) => "SELECT count(*)",
        });
        body::columns(sql, &call.output, guard);
        sql.push(" FROM (");
        read::rows(sql, &call.node, Origin::Call(call), SelectParts::All);
        sql.push(") AS pgrst_t");
        return;
    }
    sql.push("WITH pgrst_all AS MATERIALIZED (");
    read::rows(sql, &call.node, Origin::Call(call), SelectParts::WithoutSlice);
    sql.push(") SELECT (SELECT count(*) FROM pgrst_all)");
    body::columns(sql, &call.output, guard);
    sql.push(" FROM (SELECT * FROM pgrst_all");
    read::slice(sql, call.node.slice);
    sql.push(") AS pgrst_t");
}

/// All rows of a call, for the planner's guess.
pub(super) fn counted_rows(sql: &mut Sql, call: &CallPlan) {
    read::rows(sql, &call.node, Origin::Call(call), SelectParts::WithoutSlice);
}

/// The call in a FROM clause. Functions that give one value per row are called in a select list,
/// where values of any type, records without declared columns included, are allowed.
pub(super) fn source(sql: &mut Sql, call: &CallPlan) {
    let body = body_params(call);
    if call.routine.returns_scalars() {
        sql.push("(SELECT ");
        invocation(sql, call);
        sql.push(" AS pgrst_scalar");
        if let Some(params) = body {
            sql.push(" FROM ");
            body_record(sql, call, params);
        }
        sql.push(") AS ").ident(&call.node.alias);
        return;
    }
    if let Some(params) = body {
        body_record(sql, call, params);
        sql.push(" CROSS JOIN LATERAL ");
    }
    invocation(sql, call);
    sql.push(" AS ").ident(&call.node.alias);
}

fn body_params(call: &CallPlan) -> Option<&[RoutineParam]> {
    match &call.arguments {
        Arguments::Body(params) => Some(params),
        _ => None,
    }
}

fn body_record(sql: &mut Sql, call: &CallPlan, params: &[RoutineParam]) {
    let typed = |sql: &mut Sql| {
        sql.push("::json) AS pgrst_body(");
        sql.join(", ", params, |sql, p| {
            sql.ident(&p.name).push(" ").name(&p.data_type);
        });
        sql.push(")");
    };
    if call.body_is_object {
        sql.push("json_to_record(").bind_body();
        typed(sql);
    } else {
        sql.push("(SELECT * FROM json_to_recordset(").bind_body();
        typed(sql);
        sql.push(" LIMIT 1) AS pgrst_body");
    }
}

fn invocation(sql: &mut Sql, call: &CallPlan) {
    sql.name(&call.routine.name).push("(");
    match &call.arguments {
        Arguments::None => {}
        Arguments::Unnamed(param) => {
            sql.bind_body().push("::").name(&param.data_type);
        }
        Arguments::Body(params) => {
            sql.join(", ", params, |sql, param| {
                argument_name(sql, param);
                sql.column("pgrst_body", &param.name);
            });
        }
        Arguments::Texts(texts) => {
            sql.join(", ", texts, |sql, (param, text)| {
                argument_name(sql, param);
                sql.bind(text.as_str()).push("::").name(&param.data_type);
            });
        }
    }
    sql.push(")");
}

/// A parameter without a name is the only one, and is given by its place.
fn argument_name(sql: &mut Sql, param: &RoutineParam) {
    sql.push(if param.variadic { "VARIADIC " } else { "" });
    if !param.name.is_empty() {
        sql.ident(&param.name).push(" := ");
    }
}
