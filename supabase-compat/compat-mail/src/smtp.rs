//! The transport by SMTP, through a relay.

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
    /// TLS when the relay offers it (STARTTLS); the original's way, and what a relay on the same
    /// host needs.
    #[default]
    Opportunistic,
    /// STARTTLS or nothing.
    Required,
    /// TLS from the first byte, as port 465 has it.
    Implicit,
    /// Never TLS.
    None,
}

/// The relay.
#[derive(Debug, Clone)]
pub struct SmtpConfig {
    /// `GOTRUE_SMTP_HOST` / `SMTP_HOST`.
    pub host: String,
    /// `GOTRUE_SMTP_PORT` / `SMTP_PORT`; 465 means implicit TLS.
    pub port: u16,
    /// `GOTRUE_SMTP_USER` / `SMTP_USER`; `None` for relays that ask for nobody.
    pub user: Option<String>,
    /// `GOTRUE_SMTP_PASS` / `SMTP_PASS`.
    pub password: Option<SecretString>,
    /// `GOTRUE_SMTP_ADMIN_EMAIL` / `SMTP_ADMIN_EMAIL`: whom mails come from.
    pub admin_email: String,
    /// `GOTRUE_SMTP_SENDER_NAME` / `SMTP_SENDER_NAME`.
    pub sender_name: String,
    /// `SMTP_SECURITY`; ignored on port 465.
    pub security: SmtpSecurity,
    /// `SMTP_ACCEPT_INVALID_CERTS`: for self-signed relays inside one's own walls.
    pub accept_invalid_certs: bool,
    /// `GOTRUE_SMTP_HEADERS`: further headers; `$messageType` stands for the kind of mail.
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

/// Sends through a pool of connections to one relay.
pub struct SmtpTransport {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Address,
    headers: Vec<(HeaderName, String)>,
}

impl SmtpTransport {
    /// Prepares the pool; nothing is dialled yet. Its keeper is a task of the runtime, so that there
    /// has to be one.
    ///
    /// # Errors
    /// A sender address, a TLS setting or a header that cannot be used.
    pub fn new(config: &SmtpConfig) -> Result<Self, DeliveryError> {
        let SmtpSettings { transport, from, headers } = prepare(config)?;
        Ok(Self { transport: transport.build(), from, headers })
    }

    /// Whether [`Self::new`] would take these settings; asked before there is a runtime.
    ///
    /// # Errors
    /// The same.
    pub fn check(config: &SmtpConfig) -> Result<(), DeliveryError> {
        prepare(config).map(drop)
    }

    /// Connects to the relay as for a mail (TLS, sign-in), and sends none.
    ///
    /// # Errors
    /// What the relay or the network says.
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

/// Everything of [`SmtpTransport`] but the running pool.
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
