use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation,
    SigningSettings, UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4;
use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;

use super::*;

const KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const HOST: &str = "files.example:8000";

fn signed_at() -> DateTime<Utc> {
    read_timestamp("20130524T000000Z").unwrap()
}

/// The headers and the query of a request that AWS's published signer signed.
fn signed(
    method: &str,
    path_and_query: &str,
    headers: &[(&str, &str)],
    location: SignatureLocation,
    token: Option<&str>,
) -> (HeaderMap, String) {
    let mut settings = SigningSettings::default();
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    settings.signature_location = location;
    settings.expires_in =
        (location == SignatureLocation::QueryParams).then_some(Duration::from_secs(300));
    let identity = Credentials::new(KEY, SECRET, token.map(str::to_owned), None, "a test").into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region("us-east-1")
        .name("s3")
        .time(signed_at().into())
        .settings(settings)
        .build()
        .unwrap()
        .into();
    let uri = format!("http://{HOST}{path_and_query}");
    let mut request = http::Request::builder().method(method).uri(&uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut request = request.header("host", HOST).body(()).unwrap();
    let texts =
        request.headers().iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap()));
    let signable =
        SignableRequest::new(method, &uri, texts, SignableBody::UnsignedPayload).unwrap();
    let (instructions, _) = sign(signable, &params).unwrap().into_parts();
    instructions.apply_to_request_http1x(&mut request);
    (request.headers().clone(), request.uri().query().unwrap_or_default().to_owned())
}

fn verify(
    method: &str,
    path: &str,
    headers: &HeaderMap,
    query: &str,
    secret: &str,
) -> Result<SignatureParts, S3Refusal> {
    let parts = SignatureParts::read(headers, query)?.ok_or(S3Refusal::AccessDenied("nobody"))?;
    let (paths, hosts) = ([path.to_owned()], [HOST.to_owned()]);
    let request = CanonicalTarget { method, paths: &paths, query, headers, hosts: &hosts };
    parts.verify(&request, "UNSIGNED-PAYLOAD", secret)?;
    Ok(parts)
}

#[test]
fn published_example_has_the_published_signature() {
    // "Example: GET Object" of AWS's chapter on the Authorization header.
    let signature = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={KEY}/20130524/us-east-1/s3/aws4_request,\
         SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature={signature}"
    );
    let headers = [
        ("authorization", authorization.as_str()),
        ("range", "bytes=0-9"),
        ("x-amz-content-sha256", EMPTY_SHA256),
        ("x-amz-date", "20130524T000000Z"),
    ];
    let headers = HeaderMap::from_iter(headers.map(|(name, value)| {
        (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
    }));
    let parts = SignatureParts::read(&headers, "").unwrap().unwrap();
    let (paths, hosts) = (["/test.txt".to_owned()], ["examplebucket.s3.amazonaws.com".to_owned()]);
    let request = CanonicalTarget {
        method: "GET",
        paths: &paths,
        query: "",
        headers: &headers,
        hosts: &hosts,
    };
    assert!(parts.verify(&request, EMPTY_SHA256, SECRET).is_ok());
    let other = parts.verify(&request, EMPTY_SHA256, "another secret");
    assert_eq!(other.err(), Some(S3Refusal::SignatureDoesNotMatch));
}

#[test]
fn only_correctly_signed_requests_are_accepted() {
    let path = "/storage/v1/s3/bucket/a%20b/%C3%A9+~!.txt";
    let query = "list-type=2&prefix=a%2Fb&empty=";
    let headers = [("x-amz-meta-two", "one  two "), ("content-type", "text/plain")];
    let place = format!("{path}?{query}");
    let (headers, query) =
        signed("PUT", &place, &headers, SignatureLocation::Headers, Some("a.b.c"));
    let parts = verify("PUT", path, &headers, &query, SECRET).unwrap();
    assert_eq!(parts.access_key, KEY);
    assert_eq!(parts.session_token.as_deref(), Some("a.b.c"));
    assert_eq!((parts.time, parts.validity.clone()), (signed_at(), Validity::Now));
    let no = Some(S3Refusal::SignatureDoesNotMatch);
    assert_eq!(verify("GET", path, &headers, &query, SECRET).err(), no, "another method");
    assert_eq!(verify("PUT", "/storage/v1/s3/bucket/b", &headers, &query, SECRET).err(), no);
    assert_eq!(verify("PUT", path, &headers, "list-type=2", SECRET).err(), no);
    assert_eq!(verify("PUT", path, &headers, &query, "other").err(), no);
    let mut changed = headers.clone();
    changed.insert("x-amz-meta-two", HeaderValue::from_static("three"));
    assert_eq!(verify("PUT", path, &changed, &query, SECRET).err(), no);
    let mut added = headers;
    added.insert("x-amz-copy-source", HeaderValue::from_static("/other/secret"));
    let refusal = verify("PUT", path, &added, &query, SECRET);
    assert!(matches!(refusal, Err(S3Refusal::AccessDenied(_))));
}

#[test]
fn presigned_addresses_of_the_published_signer_are_believed() {
    let path = "/storage/v1/s3/bucket/a";
    let (headers, query) = signed(
        "GET",
        &format!("{path}?response-content-type=a%2Fb"),
        &[],
        SignatureLocation::QueryParams,
        Some("a.b.c"),
    );
    let parts = verify("GET", path, &headers, &query, SECRET).unwrap();
    assert_eq!(parts.validity, Validity::For(300));
    assert_eq!(parts.session_token.as_deref(), Some("a.b.c"));
    let longer = query.replace("X-Amz-Expires=300", "X-Amz-Expires=3000");
    let refusal = verify("GET", path, &headers, &longer, SECRET);
    assert_eq!(refusal.err(), Some(S3Refusal::SignatureDoesNotMatch));
}

#[test]
fn signatures_tolerate_fifteen_minutes_of_skew() {
    let (at, minutes) = (signed_at(), TimeDelta::minutes);
    let skewed = Err(S3Refusal::RequestTimeTooSkewed);
    for (validity, now, expected) in [
        (Validity::Now, at + minutes(15), Ok(())),
        (Validity::Now, at - minutes(15), Ok(())),
        (Validity::Now, at + minutes(16), skewed.clone()),
        (Validity::Now, at - minutes(16), skewed),
        (Validity::For(3600), at + minutes(60), Ok(())),
        (
            Validity::For(3600),
            at + minutes(61),
            Err(S3Refusal::AccessDenied("Request has expired")),
        ),
        (
            Validity::For(3600),
            at - minutes(16),
            Err(S3Refusal::AccessDenied("Request is not yet valid")),
        ),
    ] {
        assert_eq!(check_time(at, &validity, now), expected, "{validity:?} {now}");
    }
}

#[test]
fn signature_that_is_none_is_refused_by_name() {
    let good = format!(
        "AWS4-HMAC-SHA256 Credential={KEY}/20130524/eu/s3/aws4_request, SignedHeaders=host, \
         Signature={}",
        "a".repeat(64)
    );
    let read = |text: &str| {
        let headers = [("authorization", text), ("x-amz-date", "20130524T000000Z")];
        let headers = HeaderMap::from_iter(headers.map(|(name, value)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        }));
        SignatureParts::read(&headers, "")
    };
    assert_eq!(read(&good).unwrap().unwrap().access_key, KEY);
    for text in [
        "Bearer a.b.c".to_owned(),
        good.replace("/s3/", "/ec2/"),
        good.replace("20130524", "20130525"),
        good.replace("SignedHeaders=host", "SignedHeaders=host;a"),
        good.replace("SignedHeaders=host", "SignedHeaders="),
        good.replace("aaaa", "aaaz"),
        good.replace("Credential=", "Credence="),
    ] {
        let refusal = read(&text);
        assert!(matches!(refusal, Err(S3Refusal::AuthorizationHeaderMalformed(_))), "{text}");
    }
    assert!(SignatureParts::read(&HeaderMap::new(), "a=b").unwrap().is_none());
}

#[test]
fn random_signatures_never_panic_the_parser() {
    let word = "(AWS4-HMAC-SHA256| |,|Credential=|SignedHeaders=|Signature=|a/20130524/r/s3/aws4_request|host;x|[a-f0-9]{64}|[ -~]){0,10}";
    let query = "((X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature)|a)=?(AWS4-HMAC-SHA256|20130524T000000Z|[0-9]{0,7}|host|a%2F20130524%2Fr%2Fs3%2Faws4_request|%[0-9a-f]{0,2})&){0,7}";
    compat_testkit::property_test(
        "signatures",
        (word, query),
        |(word, query): (String, String)| {
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_str(&word) {
                headers.insert("authorization", value);
            }
            headers.insert("x-amz-date", HeaderValue::from_static("20130524T000000Z"));
            for headers in [&headers, &HeaderMap::new()] {
                let Ok(Some(parts)) = SignatureParts::read(headers, &query) else { continue };
                assert_eq!(parts.signature.len(), 64);
                let refusal = verify("GET", "/", headers, &query, SECRET);
                assert!(refusal.is_err(), "nobody guesses a signature");
            }
        },
    );
}

#[test]
fn random_paths_verify_with_the_published_signer() {
    let path = "(/[A-Za-z0-9 !'()*+,;:@&=$._~-]{1,6}){1,3}";
    let query = prop::collection::vec(("[a-z]{1,3}", "[ -~é]{0,5}"), 0..4);
    compat_testkit::property_test("places", (path, query), |(path, query)| {
        let (path, query): (String, Vec<(String, String)>) = (path, query);
        let path = encode_path(path.as_bytes());
        let encode = |text: &str| {
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
                .to_string()
        };
        let pairs: Vec<String> =
            query.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
        let place = format!("{path}?{}", pairs.join("&"));
        let (headers, query) = signed("GET", &place, &[], SignatureLocation::Headers, None);
        verify("GET", &path, &headers, &query, SECRET).unwrap();
    });
}
