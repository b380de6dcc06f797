//! The keys of other issuers: fetched, stored for outages, and fetched again when a token names an
//! unknown key.
//!
//! A request waits here only if it carries a token of a trusted issuer with an unknown key, once
//! per issuer and pause, and never longer than a few seconds. Whether the token is valid is decided
//! elsewhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use compat_http::{Outgoing, ServiceEnvironment, credentials};
use compat_token::{CacheRules, Issuer, Issuers};
use http::HeaderMap;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::mailbox::is_local;
use crate::settings::{IssuerSettings, TrustedIssuer};

mod fetch;
mod jwks_file;
#[cfg(test)]
mod tests;

use fetch::FetchError;

/// How long a request may wait for keys.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Caches the keys of every trusted issuer. Cheap to clone.
#[derive(Clone)]
pub(crate) struct JwksCache(Arc<Inner>);

struct Inner {
    sources: Vec<Source>,
    outgoing: Outgoing,
    folder: PathBuf,
    refresh: Duration,
    least_pause: Duration,
}

struct Source {
    issuer: Arc<Issuer>,
    jwks: Option<Url>,
    /// The time and the success of the last fetch; locked during a fetch.
    last_fetch: Mutex<Option<(Instant, bool)>>,
}

impl JwksCache {
    /// A cache that starts with the keys stored in the data folder.
    pub fn new(
        settings: &IssuerSettings,
        cache: CacheRules,
        data_dir: &Path,
        outgoing: Outgoing,
    ) -> Self {
        let folder = data_dir.join("issuers");
        let source = |trusted: &TrustedIssuer| {
            let issuer = Arc::new(Issuer::new(&trusted.name, cache));
            // Stored keys are used until `keep_fresh` has fetched new ones, so unusable ones do not
            // stop the start.
            if let Some(jwks) = jwks_file::read(&folder, issuer.name(), trusted.jwks.as_ref())
                && let Err(error) = issuer.accept(&jwks)
            {
                tracing::warn!(issuer = issuer.name(), %error, "cannot use the stored keys of an issuer");
            }
            warn_of_plain_http(trusted);
            Source { issuer, jwks: trusted.jwks.clone(), last_fetch: Mutex::new(None) }
        };
        Self(Arc::new(Inner {
            sources: settings.trusted.iter().map(source).collect(),
            outgoing,
            refresh: settings.refresh.max(settings.least_pause),
            least_pause: settings.least_pause,
            folder,
        }))
    }

    /// The issuers, for the authenticator.
    pub fn issuers(&self) -> Issuers {
        self.0.sources.iter().map(|source| Arc::clone(&source.issuer)).collect()
    }

    /// Fetches all keys periodically until stopped. After a failure it retries earlier, with
    /// growing pauses.
    pub async fn keep_fresh(self, stop: CancellationToken) {
        let mut keepers = JoinSet::new();
        for at in 0..self.0.sources.len() {
            let jwks_cache = self.clone();
            keepers.spawn(async move { jwks_cache.keep_one_fresh(at).await });
        }
        stop.cancelled().await;
        keepers.shutdown().await;
    }

    async fn keep_one_fresh(&self, at: usize) {
        let (shortest, longest) = (self.0.least_pause.max(Duration::from_secs(1)), self.0.refresh);
        let mut pause = shortest;
        loop {
            let fetched = self.refresh(at).await;
            pause = if fetched { longest } else { (pause * 2).min(longest) };
            sleep(pause).await;
        }
    }

    /// Fetches an issuer's keys, unless that was tried a moment ago; concurrent callers wait for
    /// the same fetch. Returns whether the keys are current.
    async fn refresh(&self, at: usize) -> bool {
        let source = &self.0.sources[at];
        let mut last_fetch = source.last_fetch.lock().await;
        if let Some((at, succeeded)) = *last_fetch
            && at.elapsed() < self.0.least_pause
        {
            return succeeded;
        }
        let start = Instant::now();
        // Recorded before the answer, so that the fetch counts even if the caller is dropped
        // meanwhile.
        *last_fetch = Some((start, false));
        let name = source.issuer.name();
        let fetched = fetch::keys(&self.0.outgoing, name, source.jwks.as_ref()).await;
        match fetched
            .and_then(|jwks| Ok::<_, FetchError>(source.issuer.accept(&jwks).map(|()| jwks)?))
        {
            Ok(jwks) => {
                *last_fetch = Some((start, true));
                tracing::debug!(issuer = name, "issuer keys fetched");
                jwks_file::write(&self.0.folder, name, source.jwks.as_ref(), &jwks).await;
                true
            }
            Err(error) => {
                let known = source.issuer.has_keys();
                tracing::warn!(issuer = name, %error, known, "cannot fetch the keys of an issuer");
                false
            }
        }
    }

    /// Fetches the key that a token of this request may need.
    async fn prepare(&self, environment: &ServiceEnvironment, headers: &HeaderMap) {
        let now = environment.clock.unix();
        let token = environment.authenticator.deciding_token(credentials(headers));
        let lacking =
            token.and_then(|token| environment.authenticator.issuers().lacking(token, now));
        let Some(issuer) = lacking else { return };
        let Some(at) = self.0.sources.iter().position(|s| Arc::ptr_eq(&s.issuer, issuer)) else {
            return;
        };
        // A task of its own, so that the fetch completes even if no request waits for it any more.
        let jwks_cache = self.clone();
        let looking = tokio::spawn(async move { jwks_cache.refresh(at).await });
        let _ = timeout(TIMEOUT, looking).await;
    }
}

/// Warns that keys fetched over plain HTTP can be replaced on the way.
fn warn_of_plain_http(trusted: &TrustedIssuer) {
    let address = trusted.jwks.as_ref().map_or(trusted.name.as_str(), Url::as_str);
    if address.starts_with("http:") && !is_local(address) {
        tracing::warn!(issuer = trusted.name, "issuer keys are fetched without encryption");
    }
}

/// Middleware in front of the services.
pub(crate) async fn prepare(
    State((jwks_cache, environment)): State<(JwksCache, ServiceEnvironment)>,
    request: Request,
    next: Next,
) -> Response {
    jwks_cache.prepare(&environment, request.headers()).await;
    next.run(request).await
}
