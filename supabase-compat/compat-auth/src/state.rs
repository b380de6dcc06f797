//! The state of this service's handlers.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_http::ServiceEnvironment;
use compat_mail::{Mailer, Outbox};
use compat_pg::{Owner, OwnerDb};
use compat_token::{ApiKeys, KeyRing};
use uuid::Uuid;

use crate::config::Config;
use crate::error::AuthError;
use crate::hashing::Passwords;
use crate::mail::EmailRenderer;
use crate::model::RedirectRules;
use crate::provider::ProviderConfig;

/// The outbox's table.
const MAIL_QUEUE: &str = "auth.mail_queue";

/// The lease of a message: longer than a delivery to a relay, a provider or a hook may take.
const MAIL_LEASE: Duration = Duration::from_secs(30);

/// The service's state; clones share everything.
#[derive(Clone)]
pub struct State(Arc<Inner>);

/// See [`State`].
pub struct Inner {
    pub(crate) environment: ServiceEnvironment,
    pub(crate) keys: Arc<KeyRing>,
    pub(crate) api_keys: Arc<ApiKeys>,
    pub(crate) mailer: Mailer,
    pub(crate) config: Config,
    pub(crate) passwords: Passwords,
    pub(crate) redirects: RedirectRules,
    pub(crate) renderer: EmailRenderer,
    /// The outbox of emails and text messages.
    pub(crate) outbox: Outbox,
    owner: OwnerDb,
}

impl State {
    /// Builds the state from the settings.
    pub fn new(
        environment: ServiceEnvironment,
        keys: Arc<KeyRing>,
        api_keys: Arc<ApiKeys>,
        owner: OwnerDb,
        mailer: Mailer,
        config: Config,
    ) -> Self {
        let email = &config.email;
        Self(Arc::new(Inner {
            passwords: Passwords::new(&config.password),
            redirects: RedirectRules::new(&config.site_url, &config.uri_allow_list),
            renderer: EmailRenderer::new(
                &email.templates,
                &email.default_language,
                &config.site_url,
                &email.brand,
            ),
            outbox: Outbox::new(owner.clone(), MAIL_QUEUE, MAIL_LEASE, environment.clock.clone()),
            environment,
            keys,
            api_keys,
            mailer,
            config,
            owner,
        }))
    }
}

impl Deref for State {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Inner {
    /// Begins the transaction of a flow.
    pub(crate) async fn begin(&self) -> Result<Owner, AuthError> {
        Ok(self.owner.begin().await?)
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.environment.clock.now()
    }

    pub(crate) fn uuid(&self) -> Uuid {
        self.environment.entropy.uuid()
    }

    /// Hashes a password with a new salt.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, AuthError> {
        self.passwords.hash(password, self.environment.entropy.bytes()).await
    }

    /// The public address of this service.
    pub(crate) fn external_url(&self) -> String {
        let (public, mount) =
            (self.environment.public_url.trim_end_matches('/'), &self.config.mount);
        format!("{}{mount}", public.strip_suffix(mount.as_str()).unwrap_or(public))
    }

    /// The settings of a provider that is switched on.
    pub(crate) fn provider(&self, name: &str) -> Option<&ProviderConfig> {
        self.config.providers.iter().find(|provider| provider.name == name)
    }

    /// The `iss` claim.
    pub(crate) fn issuer(&self) -> String {
        self.config.jwt_issuer.clone().unwrap_or_else(|| self.external_url())
    }
}
