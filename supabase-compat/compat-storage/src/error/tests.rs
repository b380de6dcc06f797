use super::*;

/// Every refusal with its HTTP status, the fields of its body and its message.
fn table() -> Vec<(StorageError, u16, ErrorDetails, &'static str)> {
    use StorageError as E;
    vec![
        (E::NoSuchBucket, 400, facts(404, "Bucket not found", "NoSuchBucket"), "Bucket not found"),
        (E::NoSuchKey, 400, facts(404, "not_found", "NoSuchKey"), "Object not found"),
        (E::NoContent, 400, facts(404, "Not found", "NoSuchKey"), "The resource was not found"),
        (
            E::row_security(),
            400,
            facts(403, "Unauthorized", "AccessDenied"),
            "new row violates row-level security policy",
        ),
        (
            E::Token(TokenRefusal::Empty),
            400,
            facts(403, "Unauthorized", "AccessDenied"),
            "Invalid Compact JWS",
        ),
        (
            E::Token(TokenRefusal::Expired),
            400,
            facts(403, "Unauthorized", "AccessDenied"),
            "\"exp\" claim timestamp check failed",
        ),
        (
            E::Token(TokenRefusal::Signature),
            400,
            facts(403, "Unauthorized", "AccessDenied"),
            "signature verification failed",
        ),
        (
            E::KeyExists,
            400,
            facts(409, "Duplicate", "KeyAlreadyExists"),
            "The resource already exists",
        ),
        (
            E::BucketExists,
            400,
            facts(409, "Duplicate", "BucketAlreadyExists"),
            "The resource already exists",
        ),
        (
            E::ResourceExists,
            400,
            facts(409, "Duplicate", "ResourceAlreadyExists"),
            "The resource already exists",
        ),
        (
            E::BucketNotEmpty,
            400,
            facts(409, "ResourceNotEmpty", "ResourceNotEmpty"),
            "The bucket you tried to delete is not empty",
        ),
        (
            E::TooManyToEmpty("too many".to_owned()),
            400,
            facts(409, "InvalidRequest", "InvalidRequest"),
            "too many",
        ),
        (
            E::InvalidKey("a#".to_owned()),
            400,
            facts(400, "InvalidKey", "InvalidKey"),
            "Invalid key: a#",
        ),
        (
            E::InvalidBucketName,
            400,
            facts(400, "Invalid Input", "InvalidBucketName"),
            "Bucket name invalid",
        ),
        (
            E::TooLarge,
            400,
            facts(413, "Payload too large", "EntityTooLarge"),
            "The object exceeded the maximum allowed size",
        ),
        (
            E::MediaType("video/mp4".to_owned()),
            400,
            facts(415, "invalid_mime_type", "InvalidMimeType"),
            "mime type video/mp4 is not supported",
        ),
        (
            E::SignedToken(TokenRefusal::Malformed),
            400,
            facts(400, "InvalidJWT", "InvalidJWT"),
            "Invalid Compact JWS",
        ),
        (
            E::Signature,
            400,
            facts(400, "InvalidSignature", "InvalidSignature"),
            "Invalid signature",
        ),
        (
            InvalidRequest::Missing("querystring", "token").into(),
            400,
            facts(400, "Error", "InvalidRequest"),
            "querystring must have required property 'token'",
        ),
        (
            InvalidRequest::Range.into(),
            416,
            facts(416, "invalid_range", "InvalidRange"),
            "Range Not Satisfiable",
        ),
        (
            InvalidRequest::LongBody.into(),
            400,
            facts(413, "Payload too large", "EntityTooLarge"),
            "Request body is too large",
        ),
        (
            E::Disabled("purgeCache"),
            400,
            facts(403, "FeatureNotEnabled", "FeatureNotEnabled"),
            "The feature purgeCache is not enabled for this resource",
        ),
        (
            E::NoRelated,
            400,
            facts(404, "InvalidRequest", "InvalidRequest"),
            "The related resource does not exist",
        ),
        (
            E::Database { status: 400, message: "quota".to_owned() },
            400,
            facts(400, "DatabaseError", "DatabaseError"),
            "quota",
        ),
        (
            E::DatabaseTimeout,
            544,
            facts(544, "DatabaseTimeout", "DatabaseTimeout"),
            "The connection to the database timed out",
        ),
        (
            E::Crowded,
            429,
            facts(429, "too_many_connections", "SlowDown"),
            "Too many connections issued to the database",
        ),
        (
            E::Picture(ImageRefusal::Source),
            400,
            facts(400, "InvalidRequest", "InvalidRequest"),
            "The source image is invalid or unsupported for rendering",
        ),
        (
            E::Picture(ImageRefusal::Resolution),
            400,
            facts(400, "InvalidRequest", "InvalidRequest"),
            "The source image resolution is too large to process",
        ),
        (
            E::Picture(ImageRefusal::FileSize),
            400,
            facts(400, "InvalidRequest", "InvalidRequest"),
            "The source image file is too large to process",
        ),
        (
            E::Picture(ImageRefusal::TooMany),
            429,
            facts(429, "InvalidRequest", "InvalidRequest"),
            "Too many requests",
        ),
        (
            E::Picture(ImageRefusal::TimedOut),
            400,
            facts(503, "InternalError", "InternalError"),
            "Image request timed out",
        ),
        (
            InvalidRequest::FocalPoint.into(),
            400,
            facts(400, "InvalidParameter", "InvalidParameter"),
            "Focal point requires x and y coordinates within 0-1 range",
        ),
        (
            E::BrokenOff,
            400,
            facts(400, "InvalidRequest", "InvalidRequest"),
            "The content broke off",
        ),
        (
            E::Full("x".into()),
            507,
            facts(507, "InsufficientStorage", "InternalError"),
            "There is no room left to store the object",
        ),
        (E::internal("x"), 500, facts(500, "Internal", "InternalError"), "Internal Server Error"),
    ]
}

#[test]
fn storage_refusals_have_status_code_and_text() {
    for (refusal, status, facts, text) in table() {
        assert_eq!(refusal.status().as_u16(), status, "{refusal:?}");
        assert_eq!(refusal.facts(), facts, "{refusal:?}");
        assert_eq!(refusal.to_string(), text);
    }
}

#[test]
fn stream_errors_keep_their_text() {
    let broken = BytesError::BrokenOff(Box::new(StorageError::NoSuchKey));
    assert!(matches!(broken.into(), StorageError::NoSuchKey));
    let broken = BytesError::BrokenOff("gone".into());
    assert!(matches!(broken.into(), StorageError::BrokenOff));
}
