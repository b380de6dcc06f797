//! The client of the store; it sends its requests through the process's outgoing connections.

use std::fmt;

use aws_sdk_s3::Client;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{
    BehaviorVersion, Config, Credentials, Region, RequestChecksumCalculation,
    ResponseChecksumValidation,
};
use aws_sdk_s3::primitives::SdkBody;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use compat_http::{Outgoing, OutgoingError};
use secrecy::ExposeSecret as _;
use std::time::Duration;

use super::RemoteConfig;

/// Attempts of a request, including the first.
const TRIES: u32 = 4;
/// The timeout of an attempt until its answer begins: 16 MiB at 1 Mbit/s.
const TIMEOUT: Duration = Duration::from_secs(150);

/// A client with these settings.
pub(super) fn client(config: &RemoteConfig, outgoing: Outgoing) -> Client {
    let secret = config.secret_access_key.expose_secret();
    let session = config.session_token.as_ref().map(|token| token.expose_secret().to_owned());
    let credentials = Credentials::new(&config.access_key_id, secret, session, None, "settings");
    let timeouts = TimeoutConfig::builder().operation_attempt_timeout(TIMEOUT).build();
    let mut built = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(config.region.clone()))
        .credentials_provider(credentials)
        .force_path_style(config.force_path_style)
        .retry_config(RetryConfig::standard().with_max_attempts(TRIES))
        .timeout_config(timeouts)
        // Other stores than Amazon's do not support these checksums.
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
        .http_client(OutgoingConnector(outgoing));
    if let Some(endpoint) = &config.endpoint {
        built = built.endpoint_url(endpoint);
    }
    Client::from_conf(built.build())
}

#[derive(Clone)]
struct OutgoingConnector(Outgoing);

impl fmt::Debug for OutgoingConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Way")
    }
}

impl HttpClient for OutgoingConnector {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for OutgoingConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let outgoing = self.0.clone();
        HttpConnectorFuture::new(async move {
            let request = request.try_into_http1x().map_err(|error| user(error.into()))?;
            let answer = outgoing.exchange(request).await.map_err(connector_error)?;
            HttpResponse::try_from(answer.map(SdkBody::from_body_1_x))
                .map_err(|error| user(error.into()))
        })
    }
}

fn user(error: Box<dyn std::error::Error + Send + Sync>) -> ConnectorError {
    ConnectorError::user(error)
}

fn connector_error(error: OutgoingError) -> ConnectorError {
    match error {
        OutgoingError::TimedOut => ConnectorError::timeout(error.into()),
        OutgoingError::NoAddress | OutgoingError::NotPublic => user(error.into()),
        _ => ConnectorError::io(error.into()),
    }
}
