//! Stripe Checkout: sessions by its API (<https://docs.stripe.com/api/checkout/sessions>), form in
//! and JSON out. Every call that changes something carries a key made from our own payment, so that
//! asking again changes nothing more (<https://docs.stripe.com/api/idempotent_requests>).

use compat_functions::BoxFuture;
use compat_http::{EgressPolicy, Outgoing, OutgoingError, OutgoingRequest, OutgoingResponse};
use http::StatusCode;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::{Fault, Order, Provider, Refund, Session, SessionStatus};
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
struct Opened {
    id: String,
    url: Option<String>,
}

#[derive(Deserialize)]
struct Refused {
    error: Reason,
}

#[derive(Deserialize, Default)]
struct Reason {
    #[serde(default)]
    r#type: String,
    code: Option<String>,
    param: Option<String>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct Refunds {
    data: Vec<Given>,
}

#[derive(Deserialize)]
struct Given {
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

    async fn opened(&self, order: &Order) -> Result<Session, Fault> {
        let form = session_form(order);
        // The same order is the same session; an order whose words have changed is another one to
        // Stripe, which refuses other parameters under the same key.
        let key = format!("open-{}-{}", order.payment, fingerprint(&form));
        let request = self.post("/v1/checkout/sessions", &form).header("idempotency-key", &key);
        let opened: Opened = read(request.send().await)?;
        let url = opened.url.ok_or_else(|| Fault::Refused("the session has no address".into()))?;
        Ok(Session { id: opened.id, url })
    }

    async fn looked(&self, session: &str) -> Result<SessionStatus, Fault> {
        let path = format!("/v1/checkout/sessions/{}", segment(session));
        let session: CheckoutSession = read(self.get(&path).send().await)?;
        Ok(session.standing())
    }

    async fn expired(&self, session: &str) -> Result<(), Fault> {
        let path = format!("/v1/checkout/sessions/{}/expire", segment(session));
        match read::<serde::de::IgnoredAny>(self.post(&path, &Form::new()).send().await) {
            // It is over already; how, the next look tells.
            Err(Fault::Refused(_)) | Ok(_) => Ok(()),
            Err(busy) => Err(busy),
        }
    }

    async fn refunded(&self, refund: &Refund) -> Result<(), Fault> {
        let charge = self.charge_of(refund).await?;
        // Keys are forgotten after a day, the list of refunds is not.
        if refund.is_repeated && self.has_given(&charge, refund).await? {
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
            Ok(answer) if reason(&answer).code.as_deref() == Some("charge_already_refunded") => {
                Ok(())
            }
            answer => {
                let given: Given = read(answer)?;
                match given.status.as_deref() {
                    Some("failed" | "canceled") => {
                        Err(Fault::Refused("the refund has failed".to_owned()))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// What the money was taken as; asked for where it was never heard.
    async fn charge_of(&self, refund: &Refund) -> Result<String, Fault> {
        if let Some(charge) = &refund.charge {
            return Ok(charge.clone());
        }
        let unknown = || Fault::Refused("it is not known what to give back".to_owned());
        let session = refund.session.as_deref().ok_or_else(unknown)?;
        match self.looked(session).await? {
            SessionStatus::Paid(money) => money.charge.ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }

    async fn has_given(&self, charge: &str, refund: &Refund) -> Result<bool, Fault> {
        let path = format!("/v1/refunds?payment_intent={}&limit=100", segment(charge));
        let refunds: Refunds = read(self.get(&path).send().await)?;
        let ours = refund.payment.to_string();
        Ok(refunds.data.iter().any(|given| {
            given.metadata.get("payment_id") == Some(&ours)
                && !matches!(given.status.as_deref(), Some("failed" | "canceled"))
        }))
    }
}

impl Provider for Stripe {
    fn name(&self) -> &'static str {
        "stripe"
    }

    fn open<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<Session, Fault>> {
        Box::pin(self.opened(order))
    }

    fn look<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<SessionStatus, Fault>> {
        Box::pin(self.looked(session))
    }

    fn expire<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(self.expired(session))
    }

    fn refund<'a>(&'a self, refund: &'a Refund) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(self.refunded(refund))
    }
}

fn session_form(order: &Order) -> Form {
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
) -> Result<T, Fault> {
    let answer = answer.map_err(|error| Fault::Busy(error.to_string()))?;
    let status = answer.status;
    if status.is_success() {
        // Somebody else answers in its place, a proxy that is down for instance.
        return answer.json().map_err(|error| Fault::Busy(error.to_string()));
    }
    let reason = reason(&answer);
    let said = format!("{status} {}", reason.said());
    // A key in use is the same call under way.
    let passes = status.is_server_error()
        || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT)
        || status.is_redirection()
        || reason.r#type.is_empty();
    Err(if passes { Fault::Busy(said) } else { Fault::Refused(said) })
}

fn reason(answer: &OutgoingResponse) -> Reason {
    if answer.status.is_success() {
        return Reason::default();
    }
    answer.json::<Refused>().map(|refused| refused.error).unwrap_or_default()
}

impl Reason {
    /// For administrators and the log. Its own words stand last and without what was sent: they
    /// quote an address that it does not take.
    fn said(&self) -> String {
        let parts = [Some(self.r#type.as_str()), self.code.as_deref(), self.param.as_deref()];
        let known: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let message = self.message.as_deref().filter(|_| self.param.is_none());
        known.into_iter().chain(message).collect::<Vec<_>>().join(" ")
    }
}
