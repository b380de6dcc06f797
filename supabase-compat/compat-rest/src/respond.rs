//! Respond: status, headers and body from what the statement answered. Runs no SQL.

mod headers;
mod range;
mod timing;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use compat_rest_core::Plan;
use compat_rest_core::plan::{CallPlan, Output, ReadPlan, WriteKind, WritePlan};
use compat_rest_core::request::prefer::{Count, Preferences, Resolution, Return};
use compat_rest_core::request::range::Slice;
use compat_rest_core::request::{ApiRequest, CallMethod, Write};
use compat_rest_core::schema::ReturnShape;
use http::{HeaderValue, StatusCode, header};

use crate::error::Error;
use crate::execute::ResultSet;
use crate::openapi;
use crate::plan_cache::CachedPlan;
use crate::state::{Snapshot, State};
use headers::{ResponseBuilder, vary};
pub(crate) use headers::{keep_private, retry, trace};
pub(crate) use range::planned_rows;
pub(crate) use timing::Timing;

/// The answer to any request.
pub(crate) fn respond(
    state: &State,
    snapshot: &Snapshot,
    cached: &CachedPlan,
    result: ResultSet,
) -> Result<Response, Error> {
    let terse = snapshot.config.terse_errors;
    let mut response = match &cached.plan {
        Plan::Root(root) => {
            let public_url = &state.environment().public_url;
            openapi::respond(snapshot, public_url, &cached.request, root, &result)
        }
        Plan::Info(allowed) => methods(allowed),
        plan => rows(&cached.request, plan, result, terse)?,
    };
    vary(&mut response);
    Ok(response)
}

/// The answer to a read, a write or a call.
fn rows(
    request: &ApiRequest,
    plan: &Plan,
    result: ResultSet,
    terse: bool,
) -> Result<Response, Error> {
    let mut answer = ResponseBuilder::new(StatusCode::OK);
    if plan.output().is_some_and(|output| output.explain.is_some()) {
        answer.content(request, plan.output());
        answer.body = result.body;
        return answer.finish();
    }
    match plan {
        Plan::Read(read) => respond_read(&mut answer, request, read, &result, terse)?,
        Plan::Write(write) => respond_write(&mut answer, request, write, &result),
        Plan::Call(call) => respond_call(&mut answer, request, call, &result, terse)?,
        Plan::Root(_) | Plan::Info(_) => {}
    }
    answer.warn(plan.node());
    answer.override_status(result.status.as_deref())?;
    answer.override_headers(result.headers.as_deref())?;
    answer.finish()
}

/// The answer to OPTIONS.
fn methods(allowed: &str) -> Response {
    let mut response = Response::new(Body::empty());
    if let Ok(value) = HeaderValue::from_str(allowed) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    let any = HeaderValue::from_static("*");
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any);
    response
}

fn respond_read(
    answer: &mut ResponseBuilder,
    request: &ApiRequest,
    read: &ReadPlan,
    result: &ResultSet,
    terse: bool,
) -> Result<(), Error> {
    singular(&read.output, result)?;
    let location = content_location(&read.relation.name, &request.query.canonical);
    answer.header("content-location", &location);
    answer.prefer(&applied(request, |_| {}));
    page(answer, request, &read.output, read.node.slice, result, read.head, terse);
    Ok(())
}

fn respond_call(
    answer: &mut ResponseBuilder,
    request: &ApiRequest,
    call: &CallPlan,
    result: &ResultSet,
    terse: bool,
) -> Result<(), Error> {
    if call.read_only {
        singular(&call.output, result)?;
    }
    let max_affected = request.preferences.enforced_max_affected();
    answer.prefer(&applied(request, |applied_preferences| {
        applied_preferences.max_affected = max_affected
    }));
    if call.routine.returns == ReturnShape::Void {
        answer.status = StatusCode::NO_CONTENT;
        answer.header("content-range", &range::content_range(0, result.page, result.total));
        return Ok(());
    }
    let head = call.by == CallMethod::Head;
    page(answer, request, &call.output, call.node.slice, result, head, terse);
    Ok(())
}

/// A slice of rows: its range, its status, its body.
fn page(
    answer: &mut ResponseBuilder,
    request: &ApiRequest,
    output: &Output,
    slice: Slice,
    result: &ResultSet,
    head: bool,
    terse: bool,
) {
    answer.header("content-range", &range::content_range(slice.offset, result.page, result.total));
    answer.status = range::status(slice.offset, result.page, result.total);
    answer.content(request, Some(output));
    if answer.status == StatusCode::RANGE_NOT_SATISFIABLE {
        let error = Error::OutOfRange { offset: slice.offset, total: result.total.unwrap_or(0) };
        answer.body = Bytes::from(error.body(terse));
    } else {
        answer.body = result.body.clone();
    }
    if head {
        answer.body = Bytes::new();
    }
}

fn respond_write(
    answer: &mut ResponseBuilder,
    request: &ApiRequest,
    write: &WritePlan,
    result: &ResultSet,
) {
    let preferences = &request.preferences;
    let total = wants_total(preferences).then_some(result.page);
    let full = preferences.returned == Some(Return::Representation);
    answer.status = write_status(write, result, full);
    // PostgREST's range of inserted and of deleted rows is `*`: that of no rows.
    match write.write {
        Write::Insert => {
            answer.location(&write.relation.name, result.location.as_deref());
            answer.header("content-range", &range::content_range(1, 0, total));
        }
        Write::Update => {
            answer.header("content-range", &range::content_range(0, result.page, total));
        }
        Write::Delete => answer.header("content-range", &range::content_range(1, 0, total)),
        Write::Put => {}
    }
    answer.prefer(&applied(request, |applied_preferences| {
        applied_preferences.returned = preferences.returned;
        applied_preferences.resolution =
            preferences.resolution.filter(|_| write.resolution_applies);
        let fills = matches!(write.write, Write::Insert | Write::Update);
        applied_preferences.missing = preferences.missing.filter(|_| fills);
        let bounded = matches!(write.write, Write::Update | Write::Delete);
        applied_preferences.max_affected = preferences.enforced_max_affected().filter(|_| bounded);
    }));
    if full {
        answer.content(request, Some(&write.output));
        answer.body = result.body.clone();
    }
}

fn write_status(write: &WritePlan, result: &ResultSet, full: bool) -> StatusCode {
    let inserted = result.inserted.unwrap_or(0) > 0;
    match (&write.kind, full) {
        (WriteKind::Insert { conflict }, _) => {
            let merged =
                conflict.as_ref().is_some_and(|c| c.resolution == Resolution::MergeDuplicates);
            let nothing_new = merged && write.detect_inserted && !inserted;
            if nothing_new { StatusCode::OK } else { StatusCode::CREATED }
        }
        (WriteKind::Put { .. }, true) if inserted => StatusCode::CREATED,
        (_, true) => StatusCode::OK,
        (_, false) => StatusCode::NO_CONTENT,
    }
}

fn wants_total(preferences: &Preferences) -> bool {
    matches!(preferences.count, Some(Count::Exact | Count::Estimated))
}

/// The preferences that applied: those of any request, and what the caller adds.
fn applied(request: &ApiRequest, add: impl FnOnce(&mut Preferences)) -> Preferences {
    let preferences = &request.preferences;
    let mut applied_preferences = Preferences {
        count: preferences.count,
        transaction: preferences.transaction,
        handling: preferences.handling,
        timezone: preferences.timezone.clone(),
        ..Preferences::default()
    };
    add(&mut applied_preferences);
    applied_preferences
}

fn singular(output: &Output, result: &ResultSet) -> Result<(), Error> {
    if output.singular && result.page != 1 {
        return Err(Error::NotSingular { rows: result.page });
    }
    Ok(())
}

fn content_location(relation: &str, canonical: &str) -> String {
    if canonical.is_empty() { format!("/{relation}") } else { format!("/{relation}?{canonical}") }
}
