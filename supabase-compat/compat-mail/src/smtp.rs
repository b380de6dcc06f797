//! The SMTP transport, which sends through a relay.

use std::time::Duration;

use futures_util::future::BoxFuture;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox as Address, MultiPart};
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{DeliveryError, Email, Transport};

/// How the connection to the relay is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SmtpSecurity {
    /// TLS when the relay offers it (STARTTLS), as the original does; a relay on the same host may
    /// offer none.
    #[default]
    Opportunistic,
    /// STARTTLS; without it no email is sent.
    Required,
    /// TLS from the start of the connection, as on port 465.
    Implicit,
    /// Never TLS.
    None,
}

/// The settings of the relay.
#[derive(Debug, Clone)]
pub struct SmtpConfig {
    /// `GOTRUE_SMTP_HOST` / `SMTP_HOST`.
    pub host: String,
    /// `GOTRUE_SMTP_PORT` / `SMTP_PORT`; 465 means implicit TLS.
    pub port: u16,
    /// `GOTRUE_SMTP_USER` / `SMTP_USER`; `None` for relays without authentication.
    pub user: Option<String>,
    /// `GOTRUE_SMTP_PASS` / `SMTP_PASS`.
    pub password: Option<SecretString>,
    /// `GOTRUE_SMTP_ADMIN_EMAIL` / `SMTP_ADMIN_EMAIL`: the address in `From`.
    pub admin_email: String,
    /// `GOTRUE_SMTP_SENDER_NAME` / `SMTP_SENDER_NAME`: the name in `From`.
    pub sender_name: String,
    /// `SMTP_SECURITY`; ignored on port 465.
    pub security: SmtpSecurity,
    /// `SMTP_ACCEPT_INVALID_CERTS`: for relays with self-signed certificates inside a private
    /// network.
    pub accept_invalid_certs: bool,
    /// `GOTRUE_SMTP_HEADERS`: additional headers; `$messageType` stands for the kind of email.
    pub headers: Vec<(String, String)>,
}

impl Default for SmtpConfig {
    fn default() -> Self {
        Self {
            host: String::new(),
            port: 587,
            user: None,
            password: None,
            admin_email: String::new(),
            sender_name: String::new(),
            security: SmtpSecurity::default(),
            accept_invalid_certs: false,
            headers: Vec::new(),
        }
    }
}

/// Sends emails through a pool of connections to one relay.
pub struct SmtpTransport {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Address,
    headers: Vec<(HeaderName, String)>,
}

impl SmtpTransport {
    /// Prepares the pool of connections without connecting. The pool needs a task for its
    /// maintenance, so call this inside a runtime.
    ///
    /// # Errors
    /// The sender address, the TLS settings or a header is not usable.
    pub fn new(config: &SmtpConfig) -> Result<Self, DeliveryError> {
        let SmtpSettings { transport, from, headers } = prepare(config)?;
        Ok(Self { transport: transport.build(), from, headers })
    }

    /// Checks whether [`Self::new`] accepts these settings; needs no runtime.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn check(config: &SmtpConfig) -> Result<(), DeliveryError> {
        prepare(config).map(drop)
    }

    /// Connects to the relay and signs in as for an email, but sends none.
    ///
    /// # Errors
    /// The error of the relay or of the network.
    pub async fn greet(&self) -> Result<(), DeliveryError> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(DeliveryError("it closed the connection".to_owned())),
            Err(error) => Err(delivery_error(error)),
        }
    }

    fn message(&self, email: Email) -> Result<Message, DeliveryError> {
        let to = email.to.parse().map_err(delivery_error)?;
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(Address::new(None, to))
            .subject(email.subject)
            .date(email.at.into());
        for (name, value) in &self.headers {
            let value = value.replace("$messageType", &email.kind);
            builder = builder.raw_header(HeaderValue::new(name.clone(), value));
        }
        for (name, value) in email.headers {
            let name = HeaderName::new_from_ascii(name).map_err(delivery_error)?;
            builder = builder.raw_header(HeaderValue::new(name, value));
        }
        builder
            .multipart(MultiPart::alternative_plain_html(email.text, email.html))
            .map_err(delivery_error)
    }
}

/// The checked settings of an [`SmtpTransport`], before its pool runs.
struct SmtpSettings {
    transport: AsyncSmtpTransportBuilder,
    from: Address,
    headers: Vec<(HeaderName, String)>,
}

fn prepare(config: &SmtpConfig) -> Result<SmtpSettings, DeliveryError> {
    let address = config.admin_email.parse().map_err(delivery_error)?;
    let name = Some(config.sender_name.clone()).filter(|name| !name.is_empty());
    let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.host)
        .port(config.port)
        .tls(tls(config)?)
        .timeout(Some(Duration::from_secs(10)));
    if let (Some(user), Some(password)) = (&config.user, &config.password) {
        let password = password.expose_secret().to_owned();
        transport = transport.credentials(Credentials::new(user.clone(), password));
    }
    let headers = config.headers.iter().map(|(name, value)| {
        Ok((HeaderName::new_from_ascii(name.clone()).map_err(delivery_error)?, value.clone()))
    });
    let headers = headers.collect::<Result<_, DeliveryError>>()?;
    Ok(SmtpSettings { transport, from: Address::new(name, address), headers })
}

fn tls(config: &SmtpConfig) -> Result<Tls, DeliveryError> {
    let parameters = || {
        TlsParameters::builder(config.host.clone())
            .dangerous_accept_invalid_certs(config.accept_invalid_certs)
            .build()
            .map_err(delivery_error)
    };
    Ok(match config.security {
        _ if config.port == 465 => Tls::Wrapper(parameters()?),
        SmtpSecurity::Implicit => Tls::Wrapper(parameters()?),
        SmtpSecurity::Opportunistic => Tls::Opportunistic(parameters()?),
        SmtpSecurity::Required => Tls::Required(parameters()?),
        SmtpSecurity::None => Tls::None,
    })
}

fn delivery_error(error: impl std::fmt::Display) -> DeliveryError {
    DeliveryError(error.to_string())
}

impl Transport for SmtpTransport {
    fn deliver(&self, email: Email) -> BoxFuture<'_, Result<(), DeliveryError>> {
        Box::pin(async move {
            let message = self.message(email)?;
            self.transport.send(message).await.map(drop).map_err(delivery_error)
        })
    }
}
