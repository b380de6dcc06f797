use std::sync::Mutex;

use axum::body::Body;
use compat_testkit::property_test_async;
use http::{HeaderMap, Method, Request, Response, Uri};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::AsyncReadExt as _;

use super::sanitizer::is_forgiven;
use super::*;

/// The bytes after sanitizing, which must not depend on the size of the reads.
async fn through(input: &str) -> String {
    let mut results = Vec::new();
    for size in [1, 2, 3, 7, 64, 4096] {
        let mut connection = LenientIo::new(input.as_bytes());
        let mut received = Vec::new();
        let mut buffer = vec![0; size];
        loop {
            let read = connection.read(&mut buffer).await.expect("a read");
            if read == 0 {
                break;
            }
            received.extend_from_slice(&buffer[..read]);
        }
        results.push(String::from_utf8(received).expect("text"));
    }
    results.dedup();
    assert_eq!(results.len(), 1, "{results:?}");
    results.remove(0)
}

#[tokio::test]
async fn arrows_and_quotes_in_addresses_are_encoded() {
    let actual = through("GET /a?select=b->>c,\"d\" HTTP/1.1\r\nhost: x->y\r\n\r\n").await;
    assert_eq!(actual, "GET /a?select=b-%3E%3Ec,%22d%22 HTTP/1.1\r\nhost: x->y\r\n\r\n");
}

#[tokio::test]
async fn bodies_and_headers_pass_unchanged() {
    let body = "GET /not>a request\r\n\r\n";
    let token = "t".repeat(2000);
    for head in [
        format!("Content-Length: {}", body.len()),
        format!("content-length:\t0{} ", body.len()),
        format!("Authorization: Bearer {token}\r\nContent-Length: {}\r\nA: b>", body.len()),
    ] {
        let input = format!("POST /a?x=<1> HTTP/1.1\r\n{head}\r\n\r\n{body}");
        let actual = through(&format!("{input}\r\nGET /b?y=>2 HTTP/1.1\r\n\r\n")).await;
        let input = input.replace("<1>", "%3C1%3E");
        assert_eq!(actual, format!("{input}\r\nGET /b?y=%3E2 HTTP/1.1\r\n\r\n"));
    }
}

#[tokio::test]
async fn unknown_request_forms_pass_unchanged() {
    for head in [
        "Transfer-Encoding: chunked",
        "Upgrade: h2c",
        "Content-Length: many",
        "Content-Length: +10",
        "Content-Length: ",
        "Content-Length: 0\r\nContent-Length: 0",
        "Content-Length : 0",
        "Content-Length: 99999999999999999999",
        "A: b\r\n Content-Length: 10",
        "no colon",
        ": no name",
    ] {
        let input = format!("POST / HTTP/1.1\r\n{head}\r\n\r\nGET /> HTTP/1.1\r\n\r\n");
        assert_eq!(through(&input).await, input, "{head}");
    }
    for input in [
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET /a>b HTTP/1.1\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\n\r\nGET /a>b HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.2\r\n\r\nGET /a>b HTTP/1.1\r\n\r\n",
        "GET / x HTTP/1.1\r\n\r\nGET /a>b HTTP/1.1\r\n\r\n",
        "GET /\r\n\r\nGET /a>b HTTP/1.1\r\n\r\n",
        "\r\rGET /a>b HTTP/1.1\r\n\r\n",
        "nonsense\r\n\r\nGET /a>b HTTP/1.1\r\n\r\n",
    ] {
        assert_eq!(through(input).await, input);
    }
}

/// Regression test: a length behind more zeros or blanks than are examined was once used as far as
/// it had been read, so that a body was parsed as requests.
#[tokio::test]
async fn padded_content_length_smuggles_no_request() {
    for filling in ["0".repeat(130), " ".repeat(130), "0".repeat(50), "\t".repeat(64)] {
        let body = "X \"\"\"\" HTTP/1.1\r\nGET /auth/v1/health HTTP/1.1\r\nHost: l\r\n\r\n";
        let head = format!("POST /a HTTP/1.1\r\nContent-Length:{filling}{}\r\n\r\n", body.len());
        let input = format!("{head}{body}");
        assert_eq!(through(&input).await, input);
        assert_eq!(parsed(input.into_bytes()).await.len(), 1);
    }
}

/// A request as hyper parses it.
#[derive(Debug, PartialEq, Eq)]
struct ParsedRequest {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// The requests that hyper parses from the bytes of a connection.
async fn parsed(bytes: impl AsRef<[u8]>) -> Vec<ParsedRequest> {
    let lines = Mutex::new(Vec::new());
    let service = service_fn(async |request: Request<Incoming>| {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes().to_vec();
        let (method, uri, headers) = (parts.method, parts.uri, parts.headers);
        lines.lock().unwrap().push(ParsedRequest { method, uri, headers, body });
        Ok::<_, hyper::Error>(Response::new(Body::empty()))
    });
    let stream = TokioIo::new(tokio::io::join(bytes.as_ref(), tokio::io::sink()));
    // hyper answers unparsable bytes with an error; it has handled the requests before them.
    let mut server = hyper::server::conn::http1::Builder::new();
    let _ = server.half_close(true).serve_connection(stream, service).await;
    lines.into_inner().unwrap()
}

/// The bytes, sanitized in pieces of `size`.
fn sanitized(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut sanitizer = Sanitizer::new();
    let sanitize = |piece: &[u8]| sanitizer.sanitize(piece).unwrap_or_else(|| piece.to_vec());
    bytes.chunks(size).flat_map(sanitize).collect()
}

/// The ranges of the request targets, found independently: httparse parses the heads, and
/// `Content-Length` gives the bodies. Stops at the first request that is not plain.
fn targets(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        let mut headers = [httparse::EMPTY_HEADER; 100];
        let mut request = httparse::Request::new(&mut headers);
        let Ok(httparse::Status::Complete(length)) = request.parse(&bytes[at..]) else { break };
        let target = request.path.expect("a whole head");
        let start = target.as_ptr().addr() - bytes.as_ptr().addr();
        found.push(start..start + target.len());
        let named = |name: &str| -> Vec<&[u8]> {
            let of_name = request.headers.iter().filter(|h| h.name.eq_ignore_ascii_case(name));
            of_name.map(|header| header.value).collect()
        };
        let plain = named("transfer-encoding").is_empty() && named("upgrade").is_empty();
        let lengths = named("content-length");
        let body = lengths
            .first()
            .map_or(Some(0), |value| std::str::from_utf8(value).ok()?.parse::<usize>().ok());
        let Some(body) = body.filter(|_| plain && request.method != Some("CONNECT")) else { break };
        at = (at + length).saturating_add(body);
        if at >= bytes.len() {
            break;
        }
    }
    found
}

fn encoded(target: &[u8]) -> String {
    let each = target.iter().map(|byte| match *byte {
        byte if is_forgiven(byte) => format!("%{byte:02X}"),
        byte => char::from(byte).to_string(),
    });
    each.collect()
}

fn text() -> impl Strategy<Value = String> {
    "[ -~]{0,12}"
}

/// Blanks and zeros before a correct length: as many as are examined, or more.
fn filling() -> impl Strategy<Value = String> {
    prop_oneof![6 => " ?", 1 => "[ \t]{1,3}0{0,2}", 2 => "0{30,140}", 2 => " {30,140}"]
}

fn header() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => text().prop_map(|value| format!("X-Some: {value}")),
        2 => "[A-Za-z-]{1,100}:[ -~]{0,200}",
        1 => "Content-Length[ ]?:[ +0-9a-f,]{0,4}",
        1 => "Transfer-Encoding: chunked|Upgrade: websocket",
        1 => "Connection: (close|keep-alive)|Expect: 100-continue",
        1 => "[ \t]{1,2}[ -~]{0,8}",
        1 => "[\\x00-\\xff]{0,6}",
    ]
}

/// A request that is often valid, with a body that often looks like a request.
fn request() -> impl Strategy<Value = Vec<u8>> {
    let method = prop_oneof![12 => "GET|POST|PUT", 1 => "CONNECT|PRI|GE T|"];
    let target = prop_oneof![12 => "/[!-~]{0,12}", 1 => "[!-~]{0,6}| /|/a b"];
    let version = prop_oneof![12 => Just("HTTP/1.1"), 1 => Just("HTTP/1.0"), 1 => Just("HTTP/2.0"), 1 => Just("")];
    let end = prop_oneof![12 => Just("\r\n"), 2 => Just("\n"), 1 => Just("\r")];
    let body = prop_oneof![
        Just(String::new()),
        text(),
        "GET /[!-~]{1,9} HTTP/1\\.1\r\n\r\n",
        "X [!-~]{1,9} HTTP/1\\.1\r\n\r\nGET /\" HTTP/1\\.1\r\n\r\n",
        "3\r\na>b\r\n0\r\n\r\n",
    ];
    let length = prop::option::weighted(0.9, filling());
    let headers = prop::collection::vec(header(), 0..3);
    let parts = (method, target, version, end, headers, length, body);
    parts.prop_map(|(method, target, version, end, headers, length, body)| {
        let length = length.map(|filling| format!("Content-Length:{filling}{}", body.len()));
        let lines = [format!("{method} {target} {version}")].into_iter().chain(headers);
        let head: String = lines.chain(length).map(|line| format!("{line}{end}")).collect();
        format!("{head}{end}{body}").chars().map(|c| c as u8).collect()
    })
}

fn connection() -> impl Strategy<Value = Vec<u8>> {
    let requests_and_fault =
        (prop::collection::vec(request(), 1..5), any::<Option<(prop::sample::Index, u8)>>());
    requests_and_fault.prop_map(|(requests, spoil)| {
        let mut bytes = requests.concat();
        if let Some((at, byte)) = spoil {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    })
}

/// From the sanitized bytes hyper parses the same requests, apart from their targets, as from the
/// sent bytes with valid targets, and never one more.
#[tokio::test]
async fn random_pipelined_bytes_arrive_as_sent() {
    property_test_async("request_line", connection(), async |input: Vec<u8>| {
        let all_at_once = sanitized(&input, input.len());
        for size in [1, 3, 17] {
            assert_eq!(sanitized(&input, size), all_at_once, "cut into pieces of {size}");
        }
        let targets = targets(&input);
        let mut plain = input.clone();
        for target in &targets {
            let forgiven = plain[target.clone()].iter_mut().filter(|byte| is_forgiven(**byte));
            forgiven.for_each(|byte| *byte = b'x');
        }
        let (expected, actual) = (parsed(&plain).await, parsed(&all_at_once).await);
        assert!(actual.len() <= expected.len(), "{actual:#?} of {expected:#?}");
        for ((actual, expected), target) in actual.iter().zip(&expected).zip(&targets) {
            assert_eq!(
                (&actual.method, &actual.headers, &actual.body),
                (&expected.method, &expected.headers, &expected.body)
            );
            // A request that the sanitizer does not follow keeps its target, which hyper may
            // accept.
            let target = &input[target.clone()];
            let fits = [encoded(target).parse().ok(), Uri::try_from(target).ok()];
            assert!(fits.contains(&Some(actual.uri.clone())), "{} of {fits:?}", actual.uri);
        }
    })
    .await;
}

/// Requests that are valid apart from their targets all arrive.
#[tokio::test]
async fn random_plain_requests_all_arrive() {
    let request = ("(GET|POST)", "/[a-z\"<>{}|^`\\\\]{0,12}", text(), text());
    let requests = prop::collection::vec(request, 1..6);
    property_test_async(
        "plain_requests",
        requests,
        async |requests: Vec<(String, String, String, String)>| {
            let mut input = String::new();
            for (method, target, value, body) in &requests {
                let head = format!("{method} {target} HTTP/1.1\r\nX-Some: {value}\r\n");
                input.push_str(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()));
            }
            let actual = parsed(sanitized(input.as_bytes(), 5)).await;
            assert_eq!(actual.len(), requests.len());
            for (actual, (_, target, _, body)) in actual.iter().zip(&requests) {
                assert_eq!(actual.uri.to_string(), encoded(target.as_bytes()));
                assert_eq!(actual.body, body.as_bytes());
            }
        },
    )
    .await;
}
