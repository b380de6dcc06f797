//! Authenticates S3 requests and determines their targets.

use axum::body::Body;
use compat_http::{ClientIp, RequestFacts};
use compat_token::{Caller, Credentials, TokenRefusal};
use http::request::Parts;
use http::{HeaderMap, header};
use secrecy::ExposeSecret as _;
use subtle::ConstantTimeEq as _;
use url::Url;

use crate::bytes::ByteStream;
use crate::error::StorageError;
use crate::model::RequestContext;
use crate::s3::S3Refusal;
use crate::s3::body::{Guard, Payload, content_length};
use crate::s3::operation::{Operation, PathTarget, Query, decide};
use crate::s3::signature::{CanonicalTarget, Seed, SignatureParts, Validity, check_time};
use crate::state::State;
use crate::wire::extract::text;

use super::content::guarded;

/// The path of the S3 endpoint.
const AT: &str = "/s3";
const DIGEST: &str = "x-amz-content-sha256";

/// The operation of a request and its target.
pub struct Target {
    pub operation: Operation,
    pub named: PathTarget,
    pub query: Query,
}

impl Target {
    /// The bucket; only the operation `ListBuckets` has none.
    pub fn bucket(&self) -> &str {
        self.named.bucket.as_deref().unwrap_or_default()
    }

    /// The key of the object; empty for operations on buckets.
    pub fn key(&self) -> &str {
        self.named.key.as_deref().unwrap_or_default()
    }
}

/// A request whose signature was verified.
pub struct SignedRequest {
    pub target: Target,
    pub context: RequestContext,
    pub parts: Parts,
    payload: Payload,
    seed: Seed,
}

/// Determines the operation and the target of a request.
///
/// # Errors
/// [`S3Refusal::NotImplemented`], [`S3Refusal::MethodNotAllowed`], [`S3Refusal::InvalidArgument`].
pub fn target(parts: &Parts) -> Result<Target, S3Refusal> {
    let named = PathTarget::read(parts.uri.path().strip_prefix(AT).unwrap_or_default())?;
    let query = Query::read(parts.uri.query().unwrap_or_default())?;
    let is_copy = parts.headers.contains_key("x-amz-copy-source");
    let operation = decide(parts.method.as_str(), &named, &query, is_copy)?;
    Ok(Target { operation, named, query })
}

/// Authenticates a request by its signature.
///
/// # Errors
/// An invalid signature or an unknown signer.
pub fn ask(state: &State, target: Target, parts: Parts) -> Result<SignedRequest, StorageError> {
    let query = parts.uri.query().unwrap_or_default();
    let signature = SignatureParts::read(&parts.headers, query)?;
    let signature = signature.ok_or(S3Refusal::AccessDenied("Access Denied"))?;
    check_region(state, &signature)?;
    check_time(signature.time, &signature.validity, state.now())?;
    let digest = match text(&parts.headers, DIGEST) {
        Some(digest) => digest,
        // A presigned URL cannot contain the digest of its payload; SigV4 prescribes this text
        // instead.
        None if signature.validity != Validity::Now => "UNSIGNED-PAYLOAD",
        None => {
            let message = "Missing required header for this request: x-amz-content-sha256";
            return Err(S3Refusal::InvalidRequest(message).into());
        }
    };
    let payload = Payload::read(digest)?;
    let (paths, hosts) = (paths(state, &parts), hosts(state, &parts));
    let method = parts.method.as_str();
    let request =
        CanonicalTarget { method, paths: &paths, query, headers: &parts.headers, hosts: &hosts };
    let (signer, secrets) = holder(state, &signature)?;
    // With a session token, each of the project's public keys may be the secret.
    let mut verified = Err(S3Refusal::SignatureDoesNotMatch);
    for secret in secrets {
        verified = verified.or_else(|_| signature.verify(&request, digest, &secret));
    }
    let seed = verified?;
    let context = context(state, signer, &parts, operation_of(target.operation))?;
    Ok(SignedRequest { target, context, parts, payload, seed })
}

/// Authenticates a form, which is signed by its policy.
///
/// # Errors
/// An invalid signature or an unknown signer.
pub fn ask_form(
    state: &State,
    signature: &SignatureParts,
    policy: &str,
    parts: &Parts,
) -> Result<RequestContext, StorageError> {
    check_region(state, signature)?;
    check_time(signature.time, &signature.validity, state.now())?;
    let (signer, secrets) = holder(state, signature)?;
    let is_signed =
        |secret: &String| signature.scope.key(secret).is_signature_of(policy, &signature.signature);
    if !secrets.iter().any(is_signed) {
        return Err(S3Refusal::SignatureDoesNotMatch.into());
    }
    context(state, signer, parts, operation_of(Operation::PostObject))
}

impl SignedRequest {
    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        text(&self.parts.headers, name)
    }

    /// The content length, if it is announced.
    pub fn length(&self) -> Option<u64> {
        content_length(&self.payload, &self.parts.headers)
    }

    /// The verified content: the stream ends with an error if the content is not what was signed
    /// and announced.
    ///
    /// # Errors
    /// Invalid headers of the body.
    pub fn content(&self, body: Body) -> Result<ByteStream, S3Refusal> {
        let guard = Guard::new(&self.payload, Some(self.seed.clone()), &self.parts.headers)?;
        Ok(guarded(guard, body))
    }
}

/// The signer of a request.
enum Signer {
    /// The holder of the key in the settings: the service role.
    Service,
    /// The user of this session token.
    User(String),
}

/// The signer that an access key belongs to, and the secrets that may have been used.
fn holder(state: &State, signature: &SignatureParts) -> Result<(Signer, Vec<String>), S3Refusal> {
    let config = &state.config;
    let is = |known: &str| bool::from(known.as_bytes().ct_eq(signature.access_key.as_bytes()));
    if let Some(token) = &signature.session_token {
        if !is(&config.tenant_id) {
            return Err(S3Refusal::InvalidAccessKeyId);
        }
        let keys = state.environment.authenticator.api_keys();
        let secrets = [keys.anon.clone(), keys.publishable.clone()];
        let secrets = secrets.into_iter().chain(keys.previous.publishable.clone());
        let secrets = secrets.filter(|secret| !secret.is_empty()).collect();
        return Ok((Signer::User(token.clone()), secrets));
    }
    match &config.s3_key {
        Some((key, secret)) if is(key) => {
            Ok((Signer::Service, vec![secret.expose_secret().to_owned()]))
        }
        _ => Err(S3Refusal::InvalidAccessKeyId),
    }
}

fn context(
    state: &State,
    signer: Signer,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let authenticator = &state.environment.authenticator;
    let token = match signer {
        Signer::Service => authenticator.api_keys().service_role.clone(),
        Signer::User(token) => token,
    };
    let bearer = format!("Bearer {token}");
    let credentials = Credentials { apikey: None, authorization: Some(&bearer) };
    let caller: Caller = authenticator
        .caller(credentials, state.environment.clock.unix())
        .map_err(session_refusal)?;
    let client = parts.extensions.get().map(|ClientIp(ip)| *ip);
    let facts = RequestFacts::from(parts);
    Ok(RequestContext { caller, token: Some(token.into()), facts, client, operation })
}

fn session_refusal(refusal: TokenRefusal) -> S3Refusal {
    match refusal {
        TokenRefusal::Expired => S3Refusal::ExpiredToken,
        _ => S3Refusal::InvalidToken,
    }
}

/// Accepts any region, unless the settings name one.
fn check_region(state: &State, signature: &SignatureParts) -> Result<(), S3Refusal> {
    let fits =
        state.config.s3_region.as_ref().is_none_or(|region| *region == signature.scope.region);
    let message = "the region is wrong";
    if fits { Ok(()) } else { Err(S3Refusal::AuthorizationHeaderMalformed(message)) }
}

/// The paths that the client may have signed: as received, below the mount path, and below the
/// public URL or the forwarded prefix.
fn paths(state: &State, parts: &Parts) -> Vec<String> {
    let path = parts.uri.path();
    let public = Url::parse(&state.external_url()).ok();
    let public = public.map(|url| url.path().trim_end_matches('/').to_owned());
    let forwarded = text(&parts.headers, "x-forwarded-prefix");
    let forwarded = forwarded.map(|prefix| prefix.trim_end_matches('/').to_owned());
    let mounts = [Some(state.config.mount.clone()), public, forwarded, Some(String::new())];
    let mut paths = Vec::new();
    for mount in mounts.into_iter().flatten() {
        let full_path = format!("{mount}{path}");
        if !paths.contains(&full_path) {
            paths.push(full_path);
        }
    }
    paths
}

/// The values of `host` that the client may have signed.
fn hosts(state: &State, parts: &Parts) -> Vec<String> {
    let named = |name: &str| text(&parts.headers, name).map(str::to_owned);
    let public = Url::parse(&state.environment.public_url).ok();
    let public = public.and_then(|url| {
        let host = url.host_str()?;
        Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    });
    let mut hosts = Vec::new();
    for host in [named(header::HOST.as_str()), public, named("x-forwarded-host")] {
        let host = host.filter(|host| !hosts.contains(host));
        hosts.extend(host);
    }
    hosts
}

/// The operation name for policies, spelled as in the original.
fn operation_of(operation: Operation) -> &'static str {
    match operation {
        Operation::ListBuckets => "storage.s3.bucket.list",
        Operation::CreateBucket => "storage.s3.bucket.create",
        Operation::DeleteBucket => "storage.s3.bucket.delete",
        Operation::HeadBucket => "storage.s3.bucket.head",
        Operation::GetBucketLocation => "storage.s3.bucket.get_location",
        Operation::GetBucketVersioning => "storage.s3.bucket.get_versioning",
        Operation::ListObjects | Operation::ListObjectsV2 => "storage.s3.object.list",
        Operation::ListMultipartUploads => "storage.s3.upload.list_multipart",
        Operation::DeleteObjects => "storage.s3.object.delete_many",
        Operation::GetObject => "storage.s3.object.get",
        Operation::HeadObject => "storage.s3.object.info",
        Operation::PutObject | Operation::PostObject => "storage.s3.upload",
        Operation::CopyObject => "storage.s3.object.copy",
        Operation::DeleteObject => "storage.s3.object.delete",
        Operation::GetObjectTagging => "storage.s3.object.get_tagging",
        Operation::CreateMultipartUpload => "storage.s3.upload.create_multipart",
        Operation::UploadPart => "storage.s3.upload.part",
        Operation::UploadPartCopy => "storage.s3.upload.part_copy",
        Operation::CompleteMultipartUpload => "storage.s3.upload.complete_multipart",
        Operation::AbortMultipartUpload => "storage.s3.upload.abort_multipart",
        Operation::ListParts => "storage.s3.upload.list_parts",
    }
}
