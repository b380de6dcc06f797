//! Conditional and partial requests (RFC 9110, sections 13 and 14).

use std::ops::Range;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderName, header};

use super::extract::text;
use crate::error::{InvalidRequest, StorageError};
use crate::model::ObjectRow;

/// The outcome of a request's conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionOutcome {
    /// The client has the current version already.
    Unchanged,
    /// The client expects another version.
    Failed,
    Whole,
    Part(Range<u64>),
}

/// Evaluates the conditions of a request for an object.
///
/// # Errors
/// [`InvalidRequest::Range`] if the range lies outside the object.
pub fn evaluate(headers: &HeaderMap, row: &ObjectRow) -> Result<ConditionOutcome, StorageError> {
    let known = row.known();
    let (tag, changed) = (known.e_tag.as_deref(), known.last_modified.or(row.updated_at));
    if is_failed(headers, tag, changed) {
        return Ok(ConditionOutcome::Failed);
    }
    if is_unchanged(headers, tag, changed) {
        return Ok(ConditionOutcome::Unchanged);
    }
    let Some(size) = known.size else { return Ok(ConditionOutcome::Whole) };
    let range =
        text(headers, header::RANGE.as_str()).filter(|_| may_be_part(headers, tag, changed));
    match range.map_or(ParsedRange::None, |range| parse(range, size)) {
        ParsedRange::None => Ok(ConditionOutcome::Whole),
        ParsedRange::Part(range) => Ok(ConditionOutcome::Part(range)),
        ParsedRange::Outside => Err(InvalidRequest::Range.into()),
    }
}

fn is_failed(headers: &HeaderMap, tag: Option<&str>, changed: Option<DateTime<Utc>>) -> bool {
    if let Some(tags) = text(headers, header::IF_MATCH.as_str()) {
        return !names(tags, tag, false);
    }
    match (date(headers, &header::IF_UNMODIFIED_SINCE), changed) {
        (Some(since), Some(changed)) => changed.timestamp() > since,
        _ => false,
    }
}

fn is_unchanged(headers: &HeaderMap, tag: Option<&str>, changed: Option<DateTime<Utc>>) -> bool {
    if let Some(tags) = text(headers, header::IF_NONE_MATCH.as_str()) {
        return names(tags, tag, true);
    }
    match (date(headers, &header::IF_MODIFIED_SINCE), changed) {
        (Some(since), Some(changed)) => changed.timestamp() <= since,
        _ => false,
    }
}

/// `If-Range`: a partial response only for the version that the client has.
fn may_be_part(headers: &HeaderMap, tag: Option<&str>, changed: Option<DateTime<Utc>>) -> bool {
    let Some(condition) = text(headers, header::IF_RANGE.as_str()) else { return true };
    if condition.contains('"') {
        return names(condition, tag, false);
    }
    match (date(headers, &header::IF_RANGE), changed) {
        (Some(since), Some(changed)) => changed.timestamp() == since,
        _ => false,
    }
}

/// Whether a list of entity tags contains this one; weak tags match only if `weakly`.
fn names(tags: &str, tag: Option<&str>, weakly: bool) -> bool {
    let Some(tag) = tag else { return tags.trim() == "*" };
    let bare = |text: &str| text.trim().trim_matches('"').to_owned();
    tags.split(',').map(str::trim).any(|one| match one.strip_prefix("W/") {
        Some(weak) => weakly && bare(weak) == bare(tag),
        None => one == "*" || bare(one) == bare(tag),
    })
}

/// Parses a date header to Unix seconds.
fn date(headers: &HeaderMap, name: &HeaderName) -> Option<i64> {
    let moment = httpdate::parse_http_date(text(headers, name.as_str())?).ok()?;
    Some(DateTime::<Utc>::from(moment).timestamp())
}

#[derive(Debug, PartialEq, Eq)]
enum ParsedRange {
    /// No range, or one that may be ignored.
    None,
    Part(Range<u64>),
    Outside,
}

/// Parses a single byte range. Multiple ranges and other units are ignored: the response is whole.
fn parse(text: &str, size: u64) -> ParsedRange {
    let Some(range) = text.trim().strip_prefix("bytes=") else { return ParsedRange::None };
    let Some((first, last)) = range.trim().split_once('-') else { return ParsedRange::None };
    let number = |text: &str| match text.trim() {
        digits if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(digits.parse().unwrap_or(u64::MAX))
        }
        _ => None,
    };
    match (number(first), number(last)) {
        (Some(first), _) if last.trim().is_empty() => within(first, size, size),
        (Some(first), Some(last)) if first <= last => {
            within(first, last.saturating_add(1).min(size), size)
        }
        (None, Some(length)) if first.trim().is_empty() => {
            within(size.saturating_sub(length), if length == 0 { 0 } else { size }, size)
        }
        _ => ParsedRange::None,
    }
}

fn within(start: u64, end: u64, size: u64) -> ParsedRange {
    if start < end && end <= size { ParsedRange::Part(start..end) } else { ParsedRange::Outside }
}

#[cfg(test)]
mod tests;
