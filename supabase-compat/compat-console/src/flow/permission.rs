//! Which service requests the console forwards, and for which roles.

use percent_encoding::percent_decode_str;

use crate::error::ConsoleError;
use crate::model::Role;

/// The prefix of routes for the console alone: functions, secrets, mails and limits.
pub(crate) const PROJECT: &str = "project/";
/// Prefixes of forwarded paths, and their paths among the services. Other paths are refused.
const SERVICES: [(&str, &str); 9] = [
    ("pg/", "/pg/"),
    ("auth/v1/", "/auth/v1/"),
    ("storage/v1/", "/storage/v1/"),
    ("rest/v1/", "/rest/v1/"),
    ("functions/v1/", "/functions/v1/"),
    ("realtime/v1/api/", "/realtime/v1/api/"),
    (PROJECT, "/project/"),
    ("advisors/v1", "/advisors/v1"),
    ("logs/", "/api/endpoints/query/"),
];
/// Services that a request may reach in another role.
const ACTED_IN: [&str; 4] = ["rest/v1/", "storage/v1/", "functions/v1/", "realtime/v1/"];
/// Read-only paths of auth/v1; a `GET` of `verify` consumes a token.
const AUTH_READS: [&str; 3] = ["auth/v1/admin/", "auth/v1/settings", "auth/v1/health"];

/// The service path for the path behind `/services/`, both percent-encoded.
pub(crate) fn service_path(path: &str) -> Result<String, ConsoleError> {
    if path.split('/').any(is_traversal) {
        return Err(ConsoleError::InvalidPath("it has a segment of points"));
    }
    let known = SERVICES.iter().find_map(|(prefix, place)| {
        let rest = path.strip_prefix(prefix)?;
        let is_whole = prefix.ends_with('/') || rest.is_empty() || rest == "/";
        is_whole.then(|| format!("{place}{rest}"))
    });
    known.ok_or(ConsoleError::UnknownService)
}

/// Whether a segment is `.` or `..`, or contains an encoded separator.
fn is_traversal(segment: &str) -> bool {
    let mut decoded = percent_decode_str(segment).collect::<Vec<u8>>();
    // Decoded twice, because a service may decode again.
    for _ in 0..2 {
        let parts = decoded.split(|byte| matches!(byte, b'/' | b'\\'));
        if parts.into_iter().any(|part| matches!(part, b"." | b"..")) {
            return true;
        }
        let text = String::from_utf8_lossy(&decoded).into_owned();
        decoded = percent_decode_str(&text).collect();
    }
    false
}

/// The console's path for a service path in an address, if the console forwards it.
pub(crate) fn console_path(address: &str) -> Option<String> {
    let (prefix, at, place) = SERVICES
        .iter()
        .filter_map(|(prefix, place)| Some((prefix, address.find(place)?, place)))
        .min_by_key(|(_, at, _)| *at)?;
    Some(format!("{prefix}{}", &address[at + place.len()..]))
}

/// Whether an operator may make a request of this method and path behind `/services/`.
pub(crate) fn may_call(role: Role, method: &str, path: &str) -> bool {
    if role > Role::ReadOnly {
        return true;
    }
    let is_read = matches!(method, "GET" | "HEAD");
    match path {
        // A function may change anything, whatever the method.
        _ if path.starts_with("functions/") => false,
        _ if path.starts_with("auth/") => {
            is_read && AUTH_READS.iter().any(|prefix| path.starts_with(prefix))
        }
        _ => is_read || is_list_of_files(method, path),
    }
}

/// Whether a request of this method and path behind `/services/` may change something. Functions,
/// and links of auth/v1 that consume a token, may with any method.
pub(crate) fn is_change(method: &str, path: &str) -> bool {
    !matches!(method, "GET" | "HEAD") || !may_call(Role::ReadOnly, method, path)
}

/// Whether a request lists files, which is a read although its method is `POST`.
pub(crate) fn is_list_of_files(method: &str, path: &str) -> bool {
    let lists = ["storage/v1/object/list/", "storage/v1/object/list-v2/"];
    method == "POST" && lists.iter().any(|prefix| path.starts_with(prefix))
}

/// Whether a request uploads a further part of a file, whose first request was logged as a change.
pub(crate) fn is_part_of_file(method: &str, path: &str) -> bool {
    method == "PATCH" && path.starts_with("storage/v1/upload/resumable/")
}

/// Whether a request of this path may be made in another role.
pub(crate) fn may_act_in(path: &str) -> bool {
    ACTED_IN.iter().any(|prefix| path.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_services_are_reached() {
        let path = |path: &str| service_path(path).ok();
        assert_eq!(path("pg/tables").as_deref(), Some("/pg/tables"));
        assert_eq!(path("auth/v1/admin/users").as_deref(), Some("/auth/v1/admin/users"));
        assert_eq!(path("logs/logs.all").as_deref(), Some("/api/endpoints/query/logs.all"));
        assert_eq!(path("advisors/v1").as_deref(), Some("/advisors/v1"));
        assert_eq!(path("project/secrets/A").as_deref(), Some("/project/secrets/A"));
        let broadcast = path("realtime/v1/api/broadcast");
        assert_eq!(broadcast.as_deref(), Some("/realtime/v1/api/broadcast"));
        assert_eq!(
            path("storage/v1/object/a/b.c/..d/%C3%A9").as_deref(),
            Some("/storage/v1/object/a/b.c/..d/%C3%A9")
        );
        for other in [
            "",
            "pg",
            "mcp",
            "metrics",
            "project",
            "realtime/v1/websocket",
            "auth/v2/x",
            "auth/v1",
            "advisors/v1x",
            "/pg/tables",
            "PG/tables",
            "pg/../metrics",
            "pg/%2e%2e/metrics",
            "pg/.%2E/metrics",
            "pg/%252e%252e/metrics",
            "pg/..%2fmetrics",
            "pg/..\\metrics",
            "storage/v1/./x",
        ] {
            assert_eq!(path(other), None, "{other}");
        }
    }

    #[test]
    fn service_addresses_map_to_console_paths() {
        let path = |address: &str| console_path(address);
        assert_eq!(
            path("http://127.0.0.1:54321/storage/v1/upload/resumable/a%2Fb").as_deref(),
            Some("storage/v1/upload/resumable/a%2Fb")
        );
        assert_eq!(path("/base/rest/v1/things?id=1").as_deref(), Some("rest/v1/things?id=1"));
        assert_eq!(path("https://provider.example/authorize"), None);
    }

    #[test]
    fn read_only_operators_may_call_what_changes_nothing() {
        for (method, path, may) in [
            ("GET", "pg/tables", true),
            ("HEAD", "rest/v1/things", true),
            ("POST", "pg/query", false),
            ("POST", "pg/tables", false),
            ("GET", "rest/v1/things", true),
            ("POST", "rest/v1/things", false),
            ("POST", "rest/v1/rpc/read", false),
            ("DELETE", "auth/v1/admin/users/1", false),
            ("GET", "auth/v1/admin/users", true),
            ("GET", "auth/v1/verify", false),
            ("GET", "functions/v1/hello", false),
            ("POST", "storage/v1/object/list/photos", true),
            ("DELETE", "storage/v1/object/list/photos", false),
            ("POST", "storage/v1/object/sign/photos", false),
            ("POST", "storage/v1/object/photos/a.txt", false),
            ("OPTIONS", "rest/v1/things", false),
            ("GET", "project/secrets", true),
            ("PUT", "project/secrets/A", false),
            ("DELETE", "project/secrets/A", false),
            ("POST", "project/mails/recovery/test", false),
            ("POST", "realtime/v1/api/broadcast", false),
        ] {
            assert_eq!(may_call(Role::ReadOnly, method, path), may, "{method} {path}");
            assert!(may_call(Role::Developer, method, path));
        }
    }

    #[test]
    fn calls_of_functions_and_links_are_changes() {
        for (method, path, is) in [
            ("GET", "pg/tables", false),
            ("HEAD", "rest/v1/things", false),
            ("GET", "auth/v1/admin/users", false),
            ("GET", "unknown", false),
            ("GET", "auth/v1/verify", true),
            ("GET", "functions/v1/hello", true),
            ("HEAD", "functions/v1/hello", true),
            ("POST", "rest/v1/rpc/read", true),
        ] {
            assert_eq!(is_change(method, path), is, "{method} {path}");
        }
    }
}
