//! Stripe Checkout: sessions by its API (<https://docs.stripe.com/api/checkout/sessions>). Requests
//! are forms and answers are JSON. Every call that changes something has an idempotency key made
//! from our payment, so that a repeated call changes nothing
//! (<https://docs.stripe.com/api/idempotent_requests>).

use compat_functions::BoxFuture;
use compat_http::{EgressPolicy, Outgoing, OutgoingError, OutgoingRequest, OutgoingResponse};
use http::StatusCode;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::{CheckoutRequest, Provider, ProviderError, RefundRequest, Session};
use crate::model::session_status::SessionStatus;
use crate::model::stripe_event::CheckoutSession;

/// The version of the API, which overrides the account's default.
const VERSION: &str = "2024-06-20";

/// An account at Stripe.
pub(crate) struct Stripe {
    pub outgoing: Outgoing,
    pub key: SecretString,
    /// The address of the API, without the last slash.
    pub api_url: String,
}

#[derive(Deserialize)]
struct SessionResponse {
    id: String,
    url: Option<String>,
}

#[derive(Deserialize)]
struct ErrorResponse {
    error: ErrorDetails,
}

#[derive(Deserialize, Default)]
struct ErrorDetails {
    #[serde(default)]
    r#type: String,
    code: Option<String>,
    param: Option<String>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct RefundList {
    data: Vec<RefundResponse>,
}

#[derive(Deserialize)]
struct RefundResponse {
    status: Option<String>,
    #[serde(default)]
    metadata: std::collections::HashMap<String, String>,
}

type Form = Vec<(&'static str, String)>;

impl Stripe {
    fn get(&self, path: &str) -> OutgoingRequest {
        self.signed(self.outgoing.get(EgressPolicy::Trusted, &format!("{}{path}", self.api_url)))
    }

    fn post(&self, path: &str, form: &Form) -> OutgoingRequest {
        let request = self.outgoing.post(EgressPolicy::Trusted, &format!("{}{path}", self.api_url));
        self.signed(request).form(form)
    }

    fn signed(&self, request: OutgoingRequest) -> OutgoingRequest {
        request.basic(self.key.expose_secret(), "").header("stripe-version", VERSION)
    }

    async fn create_session(&self, order: &CheckoutRequest) -> Result<Session, ProviderError> {
        let form = session_form(order);
        // A repeated order gets the same session. The key covers the form, too, since Stripe
        // refuses other parameters with the same key.
        let key = format!("open-{}-{}", order.payment, fingerprint(&form));
        let request = self.post("/v1/checkout/sessions", &form).header("idempotency-key", &key);
        let response: SessionResponse = read(request.send().await)?;
        let url = response
            .url
            .ok_or_else(|| ProviderError::Refused("session without an address".into()))?;
        Ok(Session { id: response.id, url })
    }

    async fn session_status(&self, session: &str) -> Result<SessionStatus, ProviderError> {
        let path = format!("/v1/checkout/sessions/{}", segment(session));
        let session: CheckoutSession = read(self.get(&path).send().await)?;
        Ok(session.status())
    }

    async fn expire_session(&self, session: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/checkout/sessions/{}/expire", segment(session));
        match read::<serde::de::IgnoredAny>(self.post(&path, &Form::new()).send().await) {
            // The session has already ended; the next status request shows how.
            Err(ProviderError::Refused(_)) | Ok(_) => Ok(()),
            Err(busy) => Err(busy),
        }
    }

    async fn create_refund(&self, refund: &RefundRequest) -> Result<(), ProviderError> {
        let charge = self.charge_of(refund).await?;
        // Stripe forgets idempotency keys after a day, but not the list of refunds.
        if refund.is_repeated && self.is_already_refunded(&charge, refund).await? {
            return Ok(());
        }
        let form: Form = vec![
            ("payment_intent", charge),
            ("amount", refund.cents.to_string()),
            ("metadata[payment_id]", refund.payment.to_string()),
        ];
        let key = format!("refund-{}", refund.payment);
        let answer = self.post("/v1/refunds", &form).header("idempotency-key", &key).send().await;
        match answer {
            Ok(answer)
                if error_details(&answer).code.as_deref() == Some("charge_already_refunded") =>
            {
                Ok(())
            }
            answer => {
                let response: RefundResponse = read(answer)?;
                match response.status.as_deref() {
                    Some("failed" | "canceled") => {
                        Err(ProviderError::Refused("refund failed".to_owned()))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// The charge of a payment; Stripe is asked for it where it is not known.
    async fn charge_of(&self, refund: &RefundRequest) -> Result<String, ProviderError> {
        if let Some(charge) = &refund.charge {
            return Ok(charge.clone());
        }
        let unknown = || ProviderError::Refused("charge unknown".to_owned());
        let session = refund.session.as_deref().ok_or_else(unknown)?;
        match self.session_status(session).await? {
            SessionStatus::Paid(money) => money.charge.ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }

    async fn is_already_refunded(
        &self,
        charge: &str,
        refund: &RefundRequest,
    ) -> Result<bool, ProviderError> {
        let path = format!("/v1/refunds?payment_intent={}&limit=100", segment(charge));
        let refunds: RefundList = read(self.get(&path).send().await)?;
        let ours = refund.payment.to_string();
        Ok(refunds.data.iter().any(|refund| {
            refund.metadata.get("payment_id") == Some(&ours)
                && !matches!(refund.status.as_deref(), Some("failed" | "canceled"))
        }))
    }
}

impl Provider for Stripe {
    fn name(&self) -> &'static str {
        "stripe"
    }

    fn open<'a>(
        &'a self,
        order: &'a CheckoutRequest,
    ) -> BoxFuture<'a, Result<Session, ProviderError>> {
        Box::pin(self.create_session(order))
    }

    fn status<'a>(
        &'a self,
        session: &'a str,
    ) -> BoxFuture<'a, Result<SessionStatus, ProviderError>> {
        Box::pin(self.session_status(session))
    }

    fn expire<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), ProviderError>> {
        Box::pin(self.expire_session(session))
    }

    fn refund<'a>(&'a self, refund: &'a RefundRequest) -> BoxFuture<'a, Result<(), ProviderError>> {
        Box::pin(self.create_refund(refund))
    }
}

fn session_form(order: &CheckoutRequest) -> Form {
    let payment = order.payment.to_string();
    let mut form: Form = vec![
        ("mode", "payment".to_owned()),
        ("line_items[0][quantity]", "1".to_owned()),
        ("line_items[0][price_data][currency]", order.currency.clone()),
        ("line_items[0][price_data][unit_amount]", order.amount_cents.to_string()),
        ("line_items[0][price_data][product_data][name]", order.description.clone()),
        ("client_reference_id", payment.clone()),
        ("metadata[payment_id]", payment.clone()),
        // The charge has the id, too, so that events about the charge can be matched to our
        // payment.
        ("payment_intent_data[metadata][payment_id]", payment),
        ("locale", order.language.code().to_owned()),
        ("expires_at", order.ends_at.timestamp().to_string()),
        ("success_url", order.success_url.clone()),
        ("cancel_url", order.cancel_url.clone()),
    ];
    if !order.email.is_empty() {
        form.push(("customer_email", order.email.clone()));
    }
    form
}

/// A hash of the form, which differs whenever the form differs.
fn fingerprint(form: &Form) -> String {
    let mut digest = Sha256::new();
    for (name, value) in form {
        for part in [name.as_bytes(), value.as_bytes()] {
            digest.update(part.len().to_be_bytes());
            digest.update(part);
        }
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Encodes a session id as one path segment: it comes from a browser and must not change the path.
fn segment(id: &str) -> String {
    url::form_urlencoded::byte_serialize(id.as_bytes()).collect()
}

/// Parses the answer, or says whether the request was refused or the provider is unavailable.
fn read<T: serde::de::DeserializeOwned>(
    answer: Result<OutgoingResponse, OutgoingError>,
) -> Result<T, ProviderError> {
    let answer = answer.map_err(|error| ProviderError::Unavailable(error.to_string()))?;
    let status = answer.status;
    if status.is_success() {
        // An answer that is not JSON comes from another server, such as a failing proxy.
        return answer.json().map_err(|error| ProviderError::Unavailable(error.to_string()));
    }
    let reason = error_details(&answer);
    let message = format!("{status} {}", reason.summary());
    // A conflict means that a call with the same idempotency key is still running.
    let is_transient = status.is_server_error()
        || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT)
        || status.is_redirection()
        || reason.r#type.is_empty();
    Err(if is_transient {
        ProviderError::Unavailable(message)
    } else {
        ProviderError::Refused(message)
    })
}

fn error_details(answer: &OutgoingResponse) -> ErrorDetails {
    if answer.status.is_success() {
        return ErrorDetails::default();
    }
    answer.json::<ErrorResponse>().map(|refused| refused.error).unwrap_or_default()
}

impl ErrorDetails {
    /// The reason for administrators and the log. Stripe's message is last and is left out where it
    /// may quote a value that we sent.
    fn summary(&self) -> String {
        let parts = [Some(self.r#type.as_str()), self.code.as_deref(), self.param.as_deref()];
        let known: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let message = self.message.as_deref().filter(|_| self.param.is_none());
        known.into_iter().chain(message).collect::<Vec<_>>().join(" ")
    }
}
