//! Determines the operation of a request from its method, its path, and the query parameter that
//! selects a subresource of a bucket or an object.

use percent_encoding::percent_decode_str;

use super::S3Refusal;

/// The supported operations, named as at AWS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    ListBuckets,
    CreateBucket,
    DeleteBucket,
    HeadBucket,
    GetBucketLocation,
    GetBucketVersioning,
    ListObjects,
    ListObjectsV2,
    ListMultipartUploads,
    DeleteObjects,
    PostObject,
    GetObject,
    HeadObject,
    PutObject,
    CopyObject,
    DeleteObject,
    GetObjectTagging,
    CreateMultipartUpload,
    UploadPart,
    UploadPartCopy,
    CompleteMultipartUpload,
    AbortMultipartUpload,
    ListParts,
}

/// Subresources of AWS that are not supported. If one were ignored, the request would do something
/// other than what the client asked for.
const OTHERS: [&str; 33] = [
    "accelerate",
    "acl",
    "analytics",
    "attributes",
    "cors",
    "encryption",
    "intelligent-tiering",
    "inventory",
    "legal-hold",
    "lifecycle",
    "logging",
    "metadataConfiguration",
    "metadataTable",
    "metrics",
    "notification",
    "object-lock",
    "ownershipControls",
    "policy",
    "policyStatus",
    "publicAccessBlock",
    "renameObject",
    "replication",
    "requestPayment",
    "restore",
    "retention",
    "select",
    "session",
    "tagging",
    "torrent",
    "versionId",
    "versioning",
    "versions",
    "website",
];

/// The decoded parameters of a request, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// # Errors
    /// [`S3Refusal::InvalidArgument`] if a parameter is not UTF-8.
    pub(crate) fn read(text: &str) -> Result<Self, S3Refusal> {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let decoded = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(&name.replace('+', " "))?, decode(&value.replace('+', " "))?))
        });
        decoded.collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Like [`Self::get`], but an empty value counts as absent.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Parses a number; `default` if the parameter is absent.
    ///
    /// # Errors
    /// [`S3Refusal::InvalidArgument`] with `message`.
    pub(crate) fn number(
        &self,
        name: &str,
        default: u32,
        message: &'static str,
    ) -> Result<u32, S3Refusal> {
        let Some(text) = self.filled(name) else { return Ok(default) };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| text.parse::<i32>().ok()).flatten();
        number.and_then(|number| number.try_into().ok()).ok_or(S3Refusal::InvalidArgument(message))
    }
}

/// The bucket and the object that a path names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PathTarget {
    pub(crate) bucket: Option<String>,
    pub(crate) key: Option<String>,
}

impl PathTarget {
    /// Parses `/`, `/bucket` or `/bucket/key`, percent-encoded.
    ///
    /// # Errors
    /// [`S3Refusal::InvalidArgument`] if the path is not UTF-8.
    pub(crate) fn read(path: &str) -> Result<Self, S3Refusal> {
        let path = path.strip_prefix('/').unwrap_or(path);
        let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
        let named = |text: &str| Some(decode(text)).filter(|_| !text.is_empty()).transpose();
        let (bucket, key) = (named(bucket)?, named(key)?);
        if bucket.is_none() && key.is_some() {
            return Err(S3Refusal::InvalidArgument("The path names no bucket"));
        }
        Ok(Self { bucket, key })
    }
}

/// Determines the requested operation.
///
/// # Errors
/// [`S3Refusal::NotImplemented`] for operations that only AWS supports,
/// [`S3Refusal::MethodNotAllowed`] for requests that are no operation at all.
pub(crate) fn decide(
    method: &str,
    named: &PathTarget,
    query: &Query,
    is_copy: bool,
) -> Result<Operation, S3Refusal> {
    use Operation as O;
    let decided = match (named.bucket.is_some(), named.key.is_some()) {
        (false, _) => (method == "GET").then_some(O::ListBuckets),
        (true, false) => of_bucket(method, query),
        (true, true) => of_object(method, query, is_copy),
    };
    let is_own = matches!(decided, Some(O::GetBucketVersioning | O::GetObjectTagging));
    // The version `null` is the only one of every object, so naming it is allowed.
    let plain = |name: &&str| *name == "versionId" && query.get(name) == Some("null");
    if !is_own && OTHERS.iter().any(|name| query.has(name) && !plain(name)) {
        return Err(S3Refusal::NotImplemented);
    }
    decided.ok_or(S3Refusal::MethodNotAllowed)
}

fn of_bucket(method: &str, query: &Query) -> Option<Operation> {
    use Operation as O;
    match method {
        "GET" if query.has("location") => Some(O::GetBucketLocation),
        "GET" if query.has("versioning") => Some(O::GetBucketVersioning),
        "GET" if query.has("uploads") => Some(O::ListMultipartUploads),
        "GET" if query.get("list-type") == Some("2") => Some(O::ListObjectsV2),
        "GET" => Some(O::ListObjects),
        "PUT" => Some(O::CreateBucket),
        "HEAD" => Some(O::HeadBucket),
        "DELETE" => Some(O::DeleteBucket),
        "POST" if query.has("delete") => Some(O::DeleteObjects),
        "POST" => Some(O::PostObject),
        _ => None,
    }
}

fn of_object(method: &str, query: &Query, is_copy: bool) -> Option<Operation> {
    use Operation as O;
    let (is_part, is_upload) = (query.has("partNumber"), query.has("uploadId"));
    match method {
        "GET" if query.has("tagging") => Some(O::GetObjectTagging),
        "GET" if is_upload => Some(O::ListParts),
        "GET" => Some(O::GetObject),
        "HEAD" => Some(O::HeadObject),
        "PUT" if is_upload && is_part && is_copy => Some(O::UploadPartCopy),
        "PUT" if is_upload && is_part => Some(O::UploadPart),
        // A request with only one of the two part parameters must not put a whole object.
        "PUT" if is_upload || is_part => None,
        "PUT" if is_copy => Some(O::CopyObject),
        "PUT" => Some(O::PutObject),
        "DELETE" if is_upload => Some(O::AbortMultipartUpload),
        "DELETE" => Some(O::DeleteObject),
        "POST" if query.has("uploads") => Some(O::CreateMultipartUpload),
        "POST" if is_upload => Some(O::CompleteMultipartUpload),
        _ => None,
    }
}

fn decode(text: &str) -> Result<String, S3Refusal> {
    let decoded = percent_decode_str(text).decode_utf8();
    let message = "What is asked for is not UTF-8";
    decoded.map(|text| text.into_owned()).map_err(|_| S3Refusal::InvalidArgument(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(method: &str, path: &str, query: &str) -> Result<Operation, S3Refusal> {
        decide(method, &PathTarget::read(path)?, &Query::read(query)?, false)
    }

    #[test]
    fn every_operation_is_found() {
        use Operation as O;
        for (method, path, query, expected) in [
            ("GET", "/", "", O::ListBuckets),
            ("PUT", "/b", "", O::CreateBucket),
            ("DELETE", "/b/", "", O::DeleteBucket),
            ("HEAD", "/b", "", O::HeadBucket),
            ("GET", "/b", "location", O::GetBucketLocation),
            ("GET", "/b", "versioning=", O::GetBucketVersioning),
            ("GET", "/b", "prefix=a", O::ListObjects),
            ("GET", "/b/", "list-type=2", O::ListObjectsV2),
            ("GET", "/b", "uploads", O::ListMultipartUploads),
            ("POST", "/b", "delete", O::DeleteObjects),
            ("POST", "/b", "", O::PostObject),
            ("GET", "/b/a", "x-id=GetObject", O::GetObject),
            ("GET", "/b/a", "versionId=null", O::GetObject),
            ("GET", "/b/a", "tagging", O::GetObjectTagging),
            ("GET", "/b/a", "uploadId=1", O::ListParts),
            ("HEAD", "/b/a/b", "", O::HeadObject),
            ("PUT", "/b/a", "", O::PutObject),
            ("PUT", "/b/a", "partNumber=1&uploadId=2", O::UploadPart),
            ("DELETE", "/b/a", "", O::DeleteObject),
            ("DELETE", "/b/a", "uploadId=1", O::AbortMultipartUpload),
            ("POST", "/b/a", "uploads", O::CreateMultipartUpload),
            ("POST", "/b/a", "uploadId=1", O::CompleteMultipartUpload),
        ] {
            assert_eq!(decided(method, path, query), Ok(expected), "{method} {path}?{query}");
        }
        let part = Query::read("partNumber=1&uploadId=2").unwrap();
        let named = PathTarget::read("/b/a").unwrap();
        assert_eq!(decide("PUT", &named, &part, true), Ok(O::UploadPartCopy));
        assert_eq!(decide("PUT", &named, &Query::default(), true), Ok(O::CopyObject));
    }

    #[test]
    fn unsupported_operations_are_never_misread() {
        for (method, path, query) in [
            ("PUT", "/b/a", "tagging"),
            ("PUT", "/b/a", "acl"),
            ("DELETE", "/b", "policy"),
            ("PUT", "/b", "versioning"),
            ("DELETE", "/b/a", "tagging"),
            ("DELETE", "/b/a", "versionId=7"),
            ("GET", "/b", "versions"),
        ] {
            let refusal = decided(method, path, query);
            assert_eq!(refusal, Err(S3Refusal::NotImplemented), "{method} {path}?{query}");
        }
        for (method, path, query) in
            [("PUT", "/b/a", "partNumber=1"), ("PATCH", "/b", ""), ("POST", "/b/a", "")]
        {
            let refusal = decided(method, path, query);
            assert_eq!(refusal, Err(S3Refusal::MethodNotAllowed), "{method} {path}?{query}");
        }
    }

    #[test]
    fn names_and_parameters_are_decoded_once() {
        let named = PathTarget::read("/b/a%20b/%2525+c//d").unwrap();
        assert_eq!(named.key.as_deref(), Some("a b/%25+c//d"));
        let query = Query::read("prefix=a+b%2B&empty").unwrap();
        assert_eq!(query.get("prefix"), Some("a b+"));
        assert_eq!(query.filled("empty"), None);
        assert!(PathTarget::read("/%ff").is_err() && Query::read("a=%ff").is_err());
    }

    #[test]
    fn random_requests_name_an_operation_or_none() {
        let method = "(GET|PUT|POST|HEAD|DELETE|PATCH)";
        let path = "(/{0,2}[a-c%20]{0,4}){0,3}";
        let query = "((uploads|uploadId|partNumber|acl|tagging|list-type|versionId|a)(=[%0-9a-f]{0,3})?&?){0,4}";
        compat_testkit::property_test(
            "requests",
            (method, path, query),
            |(method, path, query)| {
                let Ok(operation) = decided(&method, &path, &query) else { return };
                let named = PathTarget::read(&path).unwrap();
                assert_eq!(operation == Operation::ListBuckets, named.bucket.is_none());
            },
        );
    }
}
