//! The log ring on disk, and which entries are written to it.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse as _;
use axum::routing::get;
use chrono::{DateTime, Duration, Utc};
use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig, ServiceEnvironment};
use compat_token::{ApiKeys, Authenticator, KeyRing};
use http::{Request, StatusCode};
use serde_json::json;
use tower::ServiceExt as _;
use tracing_subscriber::layer::SubscriberExt as _;

use super::ring::Ring;
use super::*;

/// The size limit of a ring: 1 MiB.
const SMALL: u64 = 1 << 20;

/// A folder of one test, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("logs-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn read(&self) -> Vec<LogEntry> {
        read_logs(&self.0, &LogFilter::default(), usize::MAX).unwrap()
    }

    fn messages(&self) -> Vec<String> {
        self.read().into_iter().filter_map(|entry| entry.message).collect()
    }

    fn text(&self) -> String {
        let files = segments::numbers(&self.0).unwrap().into_iter();
        files.map(|it| fs::read_to_string(segments::segment_path(&self.0, it)).unwrap()).collect()
    }

    fn size(&self) -> u64 {
        self.text().len() as u64
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn start() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-01-31T12:00:00Z").unwrap().to_utc()
}

fn entry(number: usize) -> LogEntry {
    let time = start() + Duration::milliseconds(i64::try_from(number).unwrap());
    let mut entry = LogEntry::new(time, "rest", LogLevel::Info);
    entry.message = Some(format!("{number} {}", "x".repeat(200)));
    entry
}

fn line(number: usize) -> Vec<u8> {
    let mut line = serde_json::to_vec(&entry(number)).unwrap();
    line.push(b'\n');
    line
}

fn number_of(entry: &LogEntry) -> usize {
    let message = entry.message.as_deref().unwrap();
    message.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn ring_stays_within_its_size() {
    let folder = Folder::new("bounded");
    let mut ring = Ring::new(&folder.0, SMALL);
    for number in 0..10_000 {
        ring.append(&line(number)).unwrap();
        if number % 500 == 0 {
            assert!(folder.size() <= SMALL, "{}", folder.size());
        }
    }
    let numbers: Vec<usize> = folder.read().iter().map(number_of).collect();
    let newest: Vec<usize> = (10_000 - numbers.len()..10_000).collect();
    assert!(numbers.len() > 2000, "{}", numbers.len());
    assert_eq!(numbers, newest);
    // A smaller limit applies from the next start on.
    Ring::new(&folder.0, SMALL / 2).append(&line(10_000)).unwrap();
    assert!(folder.size() <= SMALL / 2 + (64 << 10));
}

#[test]
fn ring_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("modes");
    Ring::new(&folder.0, SMALL).append(&line(0)).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder.0.clone()), 0o700);
    assert_eq!(mode(segments::segment_path(&folder.0, 1)), 0o600);
}

#[test]
fn torn_log_line_is_skipped() {
    let folder = Folder::new("torn");
    Ring::new(&folder.0, SMALL).append(&[line(0), line(1)].concat()).unwrap();
    let path = segments::segment_path(&folder.0, 1);
    let truncated = line(2);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&truncated[..truncated.len() / 2]).unwrap();
    assert_eq!(folder.read().len(), 2);
    Ring::new(&folder.0, SMALL).append(&line(3)).unwrap();
    let numbers: Vec<usize> = folder.read().iter().map(number_of).collect();
    assert_eq!(numbers, [0, 1, 3]);
}

#[test]
fn writers_of_one_folder_keep_their_lines_whole() {
    let folder = Folder::new("shared");
    let write = |from: usize| {
        let path = folder.0.clone();
        std::thread::spawn(move || {
            let mut ring = Ring::new(&path, SMALL);
            for number in from..from + 4000 {
                ring.append(&line(number)).unwrap();
            }
        })
    };
    for writer in [write(0), write(100_000), write(200_000)] {
        writer.join().unwrap();
    }
    let text = folder.text();
    // A writer that opens a segment during another writer's append leaves an empty line.
    let truncated = text
        .lines()
        .filter(|line| !line.is_empty() && serde_json::from_str::<LogEntry>(line).is_err())
        .count();
    assert_eq!(truncated, 0);
    // Each writer may append a line to a segment that another writer finds full.
    assert!(text.len() as u64 <= SMALL + 3 * 16 * 300, "{}", text.len());
    for from in [0, 100_000, 200_000] {
        let own = folder.read();
        let own: Vec<usize> =
            own.iter().map(number_of).filter(|it| it / 100_000 == from / 100_000).collect();
        assert!(own.is_sorted());
    }
}

#[test]
fn a_follower_goes_through_changes_of_segments() {
    let folder = Folder::new("followed");
    let mut ring = Ring::new(&folder.0, SMALL);
    ring.append(&line(0)).unwrap();
    let (last, place) = read_tail(&folder.0, &LogFilter::default(), 10).unwrap();
    assert_eq!(last.len(), 1);
    let mut follower = Follower::new(&folder.0, place);
    let mut seen = Vec::new();
    for number in 1..3000 {
        ring.append(&line(number)).unwrap();
        if number % 7 == 0 {
            follower.read(|entry| seen.push(number_of(&entry))).unwrap();
        }
    }
    follower.read(|entry| seen.push(number_of(&entry))).unwrap();
    assert_eq!(seen, (1..3000).collect::<Vec<_>>());
    assert!(segments::numbers(&folder.0).unwrap().len() > 5);
}

#[test]
fn follower_waits_for_a_complete_line() {
    let folder = Folder::new("half");
    Ring::new(&folder.0, SMALL).append(&line(0)).unwrap();
    let (_, place) = read_tail(&folder.0, &LogFilter::default(), 1).unwrap();
    let (mut follower, mut seen) = (Follower::new(&folder.0, place), Vec::new());
    let (path, next) = (segments::segment_path(&folder.0, 1), line(1));
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    for part in next.chunks(next.len() / 2 + 1) {
        assert_eq!(seen, [0; 0]);
        file.write_all(part).unwrap();
        follower.read(|entry| seen.push(number_of(&entry))).unwrap();
    }
    assert_eq!(seen, [1]);
}

#[test]
fn the_last_entries_that_fit_are_read() {
    let folder = Folder::new("filtered");
    let mut ring = Ring::new(&folder.0, SMALL);
    for number in 0..3000 {
        let mut entry = entry(number);
        if number % 2 == 0 {
            entry.status = Some(if number % 4 == 0 { 500 } else { 404 });
            entry.path = Some(format!("/rest/v1/{}", if number % 3 == 0 { "a" } else { "b" }));
            entry.user = Some(format!("user {}", number % 10));
        }
        let mut line = serde_json::to_vec(&entry).unwrap();
        line.push(b'\n');
        ring.append(&line).unwrap();
    }
    let read = |filter: LogFilter, limit| -> Vec<usize> {
        read_logs(&folder.0, &filter, limit).unwrap().iter().map(number_of).collect()
    };
    let all = LogFilter::default;
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(read(all(), 2), [2998, 2999]);
    assert_eq!(read(all(), 0), [0; 0]);
    let failed = LogFilter { status: Some("5xx".parse().unwrap()), ..all() };
    assert_eq!(read(failed, 2), [2992, 2996]);
    assert_eq!(read(LogFilter { path: text("/rest/v1/a"), ..all() }, 2), [2988, 2994]);
    assert_eq!(read(LogFilter { user: text("user 6"), ..all() }, 2), [2986, 2996]);
    assert_eq!(read(LogFilter { service: text("auth"), ..all() }, 2), [0; 0]);
    let late = LogFilter { since: Some(start() + Duration::milliseconds(2999)), ..all() };
    assert_eq!(read(late, 10), [2999]);
}

#[test]
fn status_filter_accepts_code_class_or_range() {
    for (text, inside, outside) in [("404", 404, 405), ("5xx", 599, 499), ("400-404", 400, 405)] {
        let range: StatusRange = text.parse().unwrap();
        let filter = LogFilter { status: Some(range), ..LogFilter::default() };
        let of = |status| LogEntry { status: Some(status), ..entry(0) };
        assert!(filter.accepts(&of(inside)), "{text}");
        assert!(!filter.accepts(&of(outside)), "{text}");
        assert!(!filter.accepts(&entry(0)), "{text}");
    }
    for wrong in ["", "x", "99", "600", "6xx", "0xx", "500-400", "-", "4xxx"] {
        assert!(wrong.parse::<StatusRange>().is_err(), "{wrong}");
    }
}

#[test]
fn a_disk_that_fails_costs_entries_only() {
    let folder = Folder::new("failing");
    fs::write(&folder.0, "no folder").unwrap();
    let writer = LogWriter::start(&folder.0, SMALL, Clock::system()).unwrap();
    writer.write(entry(0));
    writer.flush();
    fs::remove_file(&folder.0).unwrap();
    writer.write(entry(1));
    writer.flush();
    assert_eq!(folder.read().iter().map(number_of).collect::<Vec<_>>(), [1]);
}

#[test]
fn an_event_names_its_request_and_no_secrets() {
    let folder = Folder::new("events");
    let writer = LogWriter::start(&folder.0, SMALL, Clock::system()).unwrap();
    let layer = LogLayer::new(writer.clone(), Clock::system());
    let subscriber = tracing_subscriber::registry().with(layer);
    let id = "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
    tracing::subscriber::with_default(subscriber, || {
        let span = tracing::info_span!("http.request", id = %id, method = "GET");
        let _entered = span.enter();
        tracing::warn!(error = "of ada@example.com", "mail not sent");
        let (function, from) = ("hello", "error");
        tracing::warn!(target: "functions", function, from, "{}", "key sb_secret_0123456789");
    });
    writer.flush();
    let [event, printed] = <[LogEntry; 2]>::try_from(folder.read()).unwrap();
    assert_eq!(event.message.as_deref(), Some("mail not sent error=\"of …\""));
    assert_eq!((event.request_id.as_deref(), event.level), (Some(id), LogLevel::Warn));
    assert_eq!(printed.message.as_deref(), Some("key …"));
    assert_eq!(printed.function.as_deref(), Some("hello"));
    assert_eq!((printed.service.as_str(), printed.level), ("functions", LogLevel::Error));
}

fn environment() -> ServiceEnvironment {
    let keys = Arc::new(KeyRing::generate_es256().unwrap());
    let api = Arc::new(ApiKeys::issue(&keys, 0, [1; 48]).unwrap());
    ServiceEnvironment {
        clock: Clock::system(),
        entropy: Entropy::seeded(1),
        outgoing: Outgoing::new(OutgoingConfig::default()).unwrap(),
        authenticator: Arc::new(Authenticator::new(keys, api, "anon")),
        trusted_proxies: Arc::new([]),
        public_url: "http://localhost".into(),
    }
}

#[tokio::test]
async fn request_log_has_user_error_and_no_secrets() {
    let folder = Folder::new("requests");
    let writer = LogWriter::start(&folder.0, SMALL, Clock::system()).unwrap();
    let environment = environment();
    let refusal = || async {
        let body = r#"{"code":"22P02","message":"invalid input: \"hunter2\""}"#;
        (StatusCode::BAD_REQUEST, [("content-type", "application/json")], body).into_response()
    };
    let router = Router::new()
        .route("/rest/v1/things", get(refusal))
        .route("/rest/v1/hangs", get(std::future::pending::<&'static str>))
        .layer(from_fn_with_state(AccessLog::new(writer.clone(), &environment), record));
    let router = compat_http::layers(environment.clone(), router);
    let claims = json!({"role": "authenticated", "sub": "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a"});
    let token = environment.authenticator.keys().sign(&claims).unwrap();
    let request = |path: &str| {
        let request = Request::get(path).header("authorization", format!("Bearer {token}"));
        request.body(Body::empty()).unwrap()
    };
    let address = "/rest/v1/things?select=id&mail=eq.ada@example.com";
    let answer = router.clone().oneshot(request(address)).await.unwrap();
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let body = axum::body::to_bytes(answer.into_body(), 1000).await.unwrap();
    assert!(body.ends_with(b"}"), "the answer stays as it is");
    // The client of this request disconnects.
    let hangs = router.oneshot(request("/rest/v1/hangs"));
    assert!(tokio::time::timeout(std::time::Duration::ZERO, hangs).await.is_err());
    writer.flush();
    let [refused, left] = <[LogEntry; 2]>::try_from(folder.read()).unwrap();
    assert_eq!((refused.service.as_str(), refused.status), ("rest", Some(400)));
    assert_eq!(refused.path.as_deref(), Some("/rest/v1/things"));
    assert_eq!(refused.query.as_deref(), Some("select=id&mail=eq.…"));
    assert_eq!(refused.user.as_deref(), Some("6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a"));
    assert_eq!(refused.role.as_deref(), Some("authenticated"));
    assert_eq!(refused.request_id, Some(id));
    assert_eq!(refused.code.as_deref(), Some("22P02"));
    assert_eq!(refused.message.as_deref(), Some("invalid input: \"…\""));
    assert_eq!((left.path.as_deref(), left.status), (Some("/rest/v1/hangs"), Some(499)));
    for secret in [token.as_str(), "ada@example.com", "hunter2"] {
        assert!(!folder.text().contains(secret), "{secret}");
    }
    assert!(folder.messages().len() < 3);
}
