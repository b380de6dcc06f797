//! Advice and logs.

use compat_advice::{Category, Notice, advise};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::untrusted;
use crate::ToolError;
use crate::state::{LogQuery, McpState};

/// The longest period of one log query, in milliseconds.
const WINDOW: i64 = 24 * 60 * 60 * 1000;
/// The most lines of one answer, as in the original.
const LINES: usize = 100;

#[derive(Deserialize)]
pub(super) struct AdviceQuestion {
    r#type: AdviceType,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum AdviceType {
    Security,
    Performance,
}

pub(super) async fn get_advisors(
    state: &McpState,
    question: AdviceQuestion,
) -> Result<Value, ToolError> {
    let config = state.config();
    let category = match question.r#type {
        AdviceType::Security => Category::Security,
        AdviceType::Performance => Category::Performance,
    };
    let mut notices = advise(&config.owner, &config.exposed).await?;
    notices.extend(config.notices.iter().cloned());
    notices.retain(|notice| notice.categories.contains(&category));
    Ok(json!({ "result": { "lints": grouped(&notices) } }))
}

/// One entry for each rule with all of its findings, so that their common fields appear once.
fn grouped(notices: &[Notice]) -> Vec<Value> {
    let mut rules: Vec<(&str, Vec<&Notice>)> = Vec::new();
    for notice in notices {
        match rules.iter_mut().find(|(name, _)| *name == notice.name) {
            Some((_, same)) => same.push(notice),
            None => rules.push((notice.name, vec![notice])),
        }
    }
    let finding = |notice: &&Notice| {
        let mut finding = Map::new();
        finding.insert("detail".to_owned(), json!(notice.detail));
        finding.insert("metadata".to_owned(), notice.metadata.clone());
        if let Some(statement) = &notice.statement {
            finding.insert("statement".to_owned(), json!(statement));
        }
        Value::Object(finding)
    };
    let entry = |(_, same): (&str, Vec<&Notice>)| {
        let first = same.first()?;
        Some(json!({
            "name": first.name,
            "title": first.title,
            "level": first.level,
            "facing": first.facing,
            "categories": first.categories,
            "description": first.description,
            "remediation": first.remediation,
            "count": same.len(),
            "findings": same.iter().map(finding).collect::<Vec<_>>(),
        }))
    };
    rules.into_iter().filter_map(entry).collect()
}

#[derive(Deserialize)]
pub(super) struct LogQuestion {
    service: String,
    iso_timestamp_start: Option<String>,
    iso_timestamp_end: Option<String>,
}

pub(super) async fn get_logs(state: &McpState, question: LogQuestion) -> Result<Value, ToolError> {
    let Some(read) = &state.config().logs else {
        return Err(ToolError::Missing { kind: "tool", name: "get_logs".to_owned() });
    };
    let now = state.config().clock.now().timestamp_millis();
    let end = time(question.iso_timestamp_end.as_deref(), "iso_timestamp_end")?.unwrap_or(now);
    let start = time(question.iso_timestamp_start.as_deref(), "iso_timestamp_start")?
        .unwrap_or(end - WINDOW);
    if start >= end || end - start > WINDOW {
        let problem = "iso_timestamp_start is before iso_timestamp_end, by 24 hours at most";
        return Err(ToolError::Arguments(problem.to_owned()));
    }
    let lines = read(LogQuery { service: question.service, start, end, limit: LINES }).await;
    let lines = lines.map_err(ToolError::Arguments)?;
    Ok(json!({ "result": untrusted(state, &Value::Array(lines)) }))
}

fn time(text: Option<&str>, name: &str) -> Result<Option<i64>, ToolError> {
    let Some(text) = text else { return Ok(None) };
    let read = chrono::DateTime::parse_from_rfc3339(text);
    let read = read.map_err(|_| ToolError::Arguments(format!("{name} is no ISO 8601 time")))?;
    Ok(Some(read.timestamp_millis()))
}
