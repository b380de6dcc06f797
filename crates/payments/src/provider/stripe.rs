//! Stripe Checkout: sessions by its API (<https://docs.stripe.com/api/checkout/sessions>), form in
//! and JSON out. Every call that changes something carries a key made from our own payment, so that
//! asking again changes nothing more (<https://docs.stripe.com/api/idempotent_requests>).

use compat_functions::BoxFuture;
use compat_http::{EgressPolicy, Outgoing, OutgoingError, OutgoingRequest, OutgoingResponse};
use http::StatusCode;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::{CheckoutRequest, Provider, ProviderError, RefundRequest, Session};
use crate::model::session_status::SessionStatus;
use crate::model::stripe_event::CheckoutSession;

/// The shape of what is sent and answered, whatever the account's own default is.
const VERSION: &str = "2024-06-20";

/// An account at Stripe.
pub(crate) struct Stripe {
    pub outgoing: Outgoing,
    pub key: SecretString,
    /// Without the last slash.
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
        // The same order is the same session; an order whose words have changed is another one to
        // Stripe, which refuses other parameters under the same key.
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
            // It is over already; how, the next look tells.
            Err(ProviderError::Refused(_)) | Ok(_) => Ok(()),
            Err(busy) => Err(busy),
        }
    }

    async fn create_refund(&self, refund: &RefundRequest) -> Result<(), ProviderError> {
        let charge = self.charge_of(refund).await?;
        // Keys are forgotten after a day, the list of refunds is not.
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

    /// What the money was taken as; asked for where it was never heard.
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
        // The charge carries it too, so that what is said of the charge is known to be ours.
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

/// What was said last is said in the same words again, or has another fingerprint.
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

/// A session's id comes back to us from browsers: nothing in it may lead elsewhere.
fn segment(id: &str) -> String {
    url::form_urlencoded::byte_serialize(id.as_bytes()).collect()
}

/// The answer, or whose fault it is that there is none.
fn read<T: serde::de::DeserializeOwned>(
    answer: Result<OutgoingResponse, OutgoingError>,
) -> Result<T, ProviderError> {
    let answer = answer.map_err(|error| ProviderError::Unavailable(error.to_string()))?;
    let status = answer.status;
    if status.is_success() {
        // Somebody else answers in its place, a proxy that is down for instance.
        return answer.json().map_err(|error| ProviderError::Unavailable(error.to_string()));
    }
    let reason = error_details(&answer);
    let message = format!("{status} {}", reason.summary());
    // A key in use is the same call under way.
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
    /// For administrators and the log. Its own words stand last and without what was sent: they
    /// quote an address that it does not take.
    fn summary(&self) -> String {
        let parts = [Some(self.r#type.as_str()), self.code.as_deref(), self.param.as_deref()];
        let known: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let message = self.message.as_deref().filter(|_| self.param.is_none());
        known.into_iter().chain(message).collect::<Vec<_>>().join(" ")
    }
}
