//! Log queries as Studio sends them, and their results.

use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::select::Select;
use super::*;
use crate::logs::{LogEntry, LogLevel};

/// A log ring with a few entries; its folder is removed when it is dropped.
struct Log(PathBuf);

impl Drop for Log {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn start() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-01-31T12:00:00Z").unwrap().to_utc()
}

impl Log {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("log-queries-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut lines = String::new();
        for (minute, service, method, path, status) in [
            (0, "rest", "GET", "/rest/v1/things", 200),
            (1, "rest", "POST", "/rest/v1/things", 409),
            (1, "auth", "POST", "/auth/v1/token", 400),
            (2, "storage", "GET", "/storage/v1/object/a/b", 500),
            (2, "functions", "POST", "/functions/v1/hello", 200),
            (3, "pages", "GET", "/", 200),
        ] {
            let entry = LogEntry {
                method: Some(method.to_owned()),
                path: Some(path.to_owned()),
                query: Some("select=id".to_owned()).filter(|_| service == "rest"),
                status: Some(status),
                duration_ms: Some(1.5),
                function: Some("hello".to_owned()).filter(|_| service == "functions"),
                ..LogEntry::new(start() + Duration::minutes(minute), service, LogLevel::Info)
            };
            lines.push_str(&format!("{}\n", serde_json::to_string(&entry).unwrap()));
        }
        for (minute, severity, message) in [
            (0, "LOG", "ready"),
            (1, "ERROR", "relation does not exist"),
            (4, "FATAL", "cron job 1"),
        ] {
            let entry = LogEntry {
                severity: Some(severity.to_owned()),
                message: Some(message.to_owned()),
                ..LogEntry::new(start() + Duration::minutes(minute), "pg", LogLevel::Info)
            };
            lines.push_str(&format!("{}\n", serde_json::to_string(&entry).unwrap()));
        }
        let printed = LogEntry {
            function: Some("hello".to_owned()),
            message: Some("printed".to_owned()),
            ..LogEntry::new(start(), "functions", LogLevel::Error)
        };
        lines.push_str(&format!("{}\n", serde_json::to_string(&printed).unwrap()));
        fs::write(folder.join("00000001.jsonl"), lines).unwrap();
        Self(folder)
    }

    fn ask(&self, sql: &str) -> Vec<Value> {
        let select = select::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let rows = evaluation::run(&self.0, &select, (None, None));
        rows.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    fn refusal(&self, sql: &str) -> String {
        let run = |select: Select| evaluation::run(&self.0, &select, (None, None));
        match select::parse(sql).and_then(run) {
            Ok(rows) => panic!("{sql}: {rows:?}"),
            Err(error) => error.to_string(),
        }
    }
}

fn column(rows: &[Value], name: &str) -> Vec<Value> {
    rows.iter().map(|row| row[name].clone()).collect()
}

/// The queries of Studio's function `genDefaultQuery`, with the filters of its panel.
#[test]
fn the_screens_of_studio_are_answered() {
    let log = Log::new("screens");
    let edge = log.ask(
        "\n-- local dev edge_logs query\nselect id, edge_logs.timestamp, event_message, \
         request.method, request.path, request.search, response.status_code\nfrom edge_logs\n\
         cross join unnest(metadata) as m\n  cross join unnest(m.request) as request\n  \
         cross join unnest(m.response) as response\n\
         where (response.status_code between 400 and 499 or response.status_code between 500 and 599) \
         and (request.path like '/rest/%' or request.path like '/graphql/%' or \
         request.path like '/storage/%')\norder by timestamp desc\nlimit 100;\n",
    );
    assert_eq!(column(&edge, "status_code"), [500, 409]);
    assert_eq!(edge[1]["search"], "?select=id");
    assert_eq!(edge[1]["timestamp"], (start() + Duration::minutes(1)).timestamp_micros());
    assert_eq!(edge[1]["event_message"], "POST | 409 | /rest/v1/things?select=id | ");

    let postgres = log.ask(
        "select postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, \
         parsed.hint from postgres_logs cross join unnest(metadata) as m \
         cross join unnest(m.parsed) as parsed \
         where (parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')) \
         and (regexp_contains(event_message, 'rel.tion')) order by timestamp desc limit 100",
    );
    assert_eq!(column(&postgres, "event_message"), ["relation does not exist"]);
    assert_eq!(postgres[0]["detail"], Value::Null);

    let cron = log.ask(
        "select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.query \
         from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed \
         where ( parsed.application_name = 'pg_cron' or event_message::text LIKE '%cron job%' ) \
         order by timestamp desc limit 100",
    );
    assert_eq!(column(&cron, "error_severity"), ["FATAL"]);

    let auth = log.ask(
        "select id, auth_logs.timestamp, event_message, metadata.level, metadata.status, \
         metadata.path, metadata.msg as msg, metadata.error from auth_logs \
         cross join unnest(metadata) as metadata \
         where (IFNULL(metadata.level, '') = 'warning' OR \
         IFNULL(SAFE_CAST(metadata.status AS INT64), 0) BETWEEN 400 AND 499) and \
         (REGEXP_CONTAINS(metadata.path, \"/token|/authorize\")) order by timestamp desc limit 100",
    );
    assert_eq!(column(&auth, "path"), ["/token"]);
    assert_eq!(column(&auth, "level"), ["info"]);

    let printed = log.ask(
        "select id, function_logs.timestamp, event_message, metadata.event_type, \
         metadata.function_id, metadata.execution_id, metadata.level from function_logs \
         cross join unnest(metadata) as metadata where (metadata.level = 'error') \
         order by timestamp desc limit 100",
    );
    assert_eq!(column(&printed, "event_message"), ["printed"]);
    let calls = log.ask(
        "select id, function_edge_logs.timestamp, event_message from function_edge_logs \
         order by timestamp desc limit 100",
    );
    assert_eq!(calls.len(), 1);
    let id = calls[0]["id"].as_str().unwrap();
    let one = log.ask(&format!(
        "select id, timestamp, event_message, metadata from function_edge_logs where id = '{id}' limit 1"
    ));
    assert_eq!(one[0]["metadata"][0]["function_id"], "hello");
    for table in ["storage_logs", "realtime_logs", "postgrest_logs", "supavisor_logs"] {
        let sql = format!("select id, {table}.timestamp, event_message from {table} limit 5");
        let expected =
            usize::from(table == "storage_logs") + 2 * usize::from(table == "postgrest_logs");
        assert_eq!(log.ask(&sql).len(), expected, "{table}");
    }
}

#[test]
fn counts_and_charts_are_answered() {
    let log = Log::new("charts");
    let count = log.ask(
        "SELECT count(*) as count FROM edge_logs cross join unnest(metadata) as m \
         cross join unnest(m.request) as request cross join unnest(m.response) as response \
         where (request.method = 'GET')",
    );
    assert_eq!(count, [json!({"count": 2})]);
    assert_eq!(log.ask("select count(*) from edge_logs where 1 = 2"), [json!({"f0_": 0})]);
    let chart = log.ask(
        "\nSELECT\n-- log-event-chart\n  timestamp_trunc(t.timestamp, minute) as timestamp,\n  \
         count(CASE WHEN NOT (response.status_code >= 500 OR response.status_code >= 400 AND \
         response.status_code < 500) THEN 1 END) as ok_count,\n  \
         count(CASE WHEN response.status_code >= 500 THEN 1 END) as error_count,\n  \
         count(CASE WHEN response.status_code >= 400 AND response.status_code < 500 THEN 1 END) as \
         warning_count,\nFROM\n  edge_logs t\n  cross join unnest(metadata) as m\n  \
         cross join unnest(m.request) as request\n  cross join unnest(m.response) as response\n  \
         where t.timestamp > '2026-01-31T12:00:30.000Z'\nGROUP BY\ntimestamp\nORDER BY\n  timestamp ASC\n",
    );
    let at = |minute| (start() + Duration::minutes(minute)).timestamp_micros();
    assert_eq!(
        chart,
        [
            json!({"timestamp": at(1), "ok_count": 0, "error_count": 0, "warning_count": 2}),
            json!({"timestamp": at(2), "ok_count": 1, "error_count": 1, "warning_count": 0}),
        ]
    );
}

/// The query templates of Studio's log explorer.
#[test]
fn the_templates_of_the_explorer_are_answered() {
    let log = Log::new("templates");
    let paths = log.ask(
        "select\n  r.path as path,\n  r.search as params,\n  count(timestamp) as c\nfrom edge_logs\n  \
         cross join unnest(metadata) as m\n  cross join unnest(m.request) as r\ngroup by\n  path,\n  \
         params\norder by\n  c desc\nlimit 1\n",
    );
    assert_eq!(paths, [json!({"path": "/rest/v1/things", "params": "?select=id", "c": 2})]);
    let slow = log.ask(
        "select cast(timestamp as datetime) as timestamp, event_message, r.origin_time from edge_logs \
         cross join unnest(metadata) as m cross join unnest(m.response) as r \
         where r.origin_time > 1 order by timestamp desc limit 1",
    );
    assert_eq!(slow[0]["timestamp"], "2026-01-31T12:02:00.000000");
    let rest = log.ask(
        "select cast(timestamp as datetime) as timestamp, event_message from edge_logs \
         cross join unnest(metadata) as m cross join unnest(m.request) as r \
         where path like '%rest/v1%' order by timestamp desc limit 100",
    );
    assert_eq!(rest.len(), 2);
    let errors = log.ask(
        "select count(t.timestamp) as count, p.user_name, p.error_severity from postgres_logs as t \
         cross join unnest(metadata) as m cross join unnest(m.parsed) as p \
         where p.error_severity in ('ERROR', 'FATAL', 'PANIC') \
         group by p.user_name, p.error_severity order by count desc limit 100",
    );
    assert_eq!(errors.len(), 2);
    let commits = log.ask(
        "select p.user_name, count(*) as count from postgres_logs left join unnest(metadata) as m \
         on true left join unnest(m.parsed) as p on true where regexp_contains(event_message, \
         'COMMIT') group by p.user_name",
    );
    assert_eq!(commits, [Value::Null; 0]);
    let storage = log.ask(
        "select r.path as path, count(id) as count from edge_logs f \
         cross join unnest(f.metadata) as m cross join unnest(m.request) as r \
         where starts_with(r.path, '/storage/v1/object') and r.method = 'GET' group by path",
    );
    assert_eq!(storage, [json!({"path": "/storage/v1/object/a/b", "count": 1})]);
}

#[test]
fn what_is_not_understood_is_refused() {
    let log = Log::new("refused");
    for (sql, expected) in [
        ("", "Unexpected end of script"),
        ("drop table edge_logs", "unexpected \"drop\""),
        ("select 1", "Unexpected end of script"),
        ("select * from edge_logs", "unexpected \"*\""),
        ("select id from edge_logs limit 1; select 1", "unexpected \"select\""),
        ("with a as (select 1) select id from a", "unexpected \"with\""),
        ("select id from (select id from edge_logs)", "unexpected \"(\""),
        ("select id from nothing", "Table \"nothing\" was not found"),
        ("select id from auth_audit_logs", "was not found"),
        ("select distinct id from edge_logs", "unexpected \"distinct\""),
        ("select cf.country from edge_logs", "Unrecognized name: cf.country"),
        (
            "select h.x_real_ip from edge_logs cross join unnest(metadata) as m cross join \
             unnest(m.request) as r cross join unnest(r.headers) as h",
            "Unrecognized name: r.headers",
        ),
        ("select id from edge_logs where id = 1", "No matching signature"),
        ("select id from edge_logs where id", "a condition is expected"),
        ("select id, count(*) from edge_logs", "neither grouped nor aggregated"),
        ("select upper(1) from edge_logs", "a text is expected"),
        ("select pg_sleep(1) from edge_logs", "Function not found: pg_sleep"),
        ("select id from edge_logs where regexp_contains(id, '(')", "Cannot parse"),
        ("select id from edge_logs where id = 'x", "Unclosed string literal"),
        ("select id from edge_logs order by 7", "position is not in the select list"),
        ("select id from edge_logs where timestamp > 'now'", "Invalid timestamp: 'now'"),
    ] {
        let refusal = log.refusal(sql);
        assert!(refusal.contains(expected), "{sql}: {refusal}");
    }
    let deep = format!("select {}1{} from edge_logs", "(".repeat(9000), ")".repeat(9000));
    assert!(log.refusal(&deep).starts_with("Resources exceeded"));
    let long = format!("select id{} from edge_logs", "::text".repeat(9000));
    assert!(log.refusal(&long).starts_with("Resources exceeded"));
    let wide = format!("select id from edge_logs where true{}", " and true".repeat(6000));
    assert!(log.refusal(&wide).starts_with("Resources exceeded"));
}

#[test]
fn random_statements_never_panic() {
    let log = Log::new("random");
    let words = "(select|from|edge_logs|where|id|timestamp|count|\\(|\\)|\\*|,|and|or|not|in|like|'x%'|\
                 1|::|int64|group|order|by|limit|case|when|then|end|unnest|join|cross|metadata|as|m|\\.| )";
    let statements = proptest::collection::vec(words, 0..30);
    compat_testkit::property_test("log_statements", statements, |words: Vec<String>| {
        for sql in [words.join(" "), format!("select {} from edge_logs", words.join(" "))] {
            let _ = select::parse(&sql)
                .and_then(|select| evaluation::run(&log.0, &select, (None, None)));
        }
    });
    compat_testkit::property_test("log_texts", "\\PC{0,60}", |text: String| {
        let _ = select::parse(&format!("select id from edge_logs where {text}"));
        let _ = select::parse(&text);
    });
}

#[test]
fn api_counts_are_grouped_by_service() {
    let log = Log::new("counts");
    let now = start() + Duration::minutes(5);
    let rows = api_counts::count(&log.0, "minutely", now).unwrap();
    assert_eq!(column(&rows, "total_rest_requests"), [1, 1, 0, 0]);
    assert_eq!(column(&rows, "total_auth_requests"), [0, 1, 0, 0]);
    assert_eq!(column(&rows, "total_storage_requests"), [0, 0, 1, 0]);
    assert_eq!(rows[0]["timestamp"], "2026-01-31T12:00:00");
    assert_eq!(
        api_counts::count(&log.0, "1hr", now + Duration::hours(2)).unwrap(),
        [Value::Null; 0]
    );
    assert!(api_counts::count(&log.0, "yearly", now).is_err());
}

/// Parameters of a query string.
fn parameters<const N: usize>(pairs: [(&str, &str); N]) -> Parameters {
    Parameters(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
}

#[test]
fn function_stats_are_grouped_by_interval() {
    let log = Log::new("function-stats");
    let now = start() + Duration::minutes(10);
    let ask =
        |stats, request: &Parameters| function_stats::count(&log.0, stats, request, now).unwrap();
    let request = parameters([("interval", "1hr"), ("function_id", "hello")]);
    assert_eq!(
        ask(FunctionStats::Invocations, &request),
        [json!({
            "timestamp": "2026-01-31T12:02:00", "count": 1, "error_count": 0,
            "min_execution_time": 1.5, "max_execution_time": 1.5, "avg_execution_time": 1.5,
            "p95_execution_time": 1.5, "p99_execution_time": 1.5,
        })]
    );
    let combined = ask(FunctionStats::Combined, &parameters([("interval", "1day")]));
    assert_eq!(
        combined,
        [json!({
            "timestamp": "2026-01-31T12:00:00", "requests_count": 1, "success_count": 1,
            "redirect_count": 0, "client_err_count": 0, "server_err_count": 0,
            "avg_execution_time": 1.5, "max_execution_time": 1.5,
            "log_count": 1, "log_info_count": 0, "log_warn_count": 0, "log_error_count": 1,
        })]
    );
    let other = parameters([("interval", "1hr"), ("function_id", "other")]);
    assert_eq!(ask(FunctionStats::Combined, &other), [] as [Value; 0]);
}

#[test]
fn service_health_counts_statuses_per_log_table() {
    let log = Log::new("service-health");
    let request = parameters([
        ("iso_timestamp_start", "2026-01-31T11:00:00Z"),
        ("iso_timestamp_end", "2026-01-31T13:00:00Z"),
    ]);
    let rows = service_health::count(&log.0, &request).unwrap();
    let counts = |ok, warning, error| json!({"ok": ok, "warning": warning, "error": error, "total": ok + warning + error});
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["timestamp"], "2026-01-31T12:00:00");
    for (table, expected) in [
        ("edge_logs", counts(2, 2, 1)),
        ("postgrest_logs", counts(1, 1, 0)),
        ("auth_logs", counts(0, 1, 0)),
        ("storage_logs", counts(0, 0, 1)),
        ("function_edge_logs", counts(1, 0, 0)),
        ("function_logs", counts(0, 0, 1)),
        ("postgres_logs", counts(3, 0, 0)),
        ("realtime_logs", counts(0, 0, 0)),
        ("supavisor_logs", counts(0, 0, 0)),
        ("etl_replication_logs", counts(0, 0, 0)),
    ] {
        assert_eq!(rows[0][table], expected, "{table}");
    }
    let none = parameters([("iso_timestamp_start", "2026-01-31T13:00:00Z")]);
    assert_eq!(service_health::count(&log.0, &none).unwrap(), [] as [Value; 0]);
    for wrong in [("granularity", "year"), ("iso_timestamp_start", "yesterday")] {
        assert!(service_health::count(&log.0, &parameters([wrong])).is_err(), "{wrong:?}");
    }
}
