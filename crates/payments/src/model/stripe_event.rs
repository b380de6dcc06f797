//! Stripe's events (<https://docs.stripe.com/api/events>) and the objects in them. Only the fields
//! that are used here are read.

use serde::Deserialize;
use uuid::Uuid;

use crate::model::payment::Money;
use crate::model::session_status::SessionStatus;

/// A webhook event.
#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    pub id: String,
    #[serde(rename = "type")]
    pub type_name: String,
    data: Data,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: serde_json::Value,
}

/// A Checkout Session.
#[derive(Debug, Deserialize)]
pub(crate) struct CheckoutSession {
    pub id: String,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    payment_status: Option<String>,
    #[serde(default)]
    amount_total: Option<i64>,
    #[serde(default)]
    currency: Option<String>,
    #[serde(default)]
    payment_intent: Option<Reference>,
    #[serde(default)]
    client_reference_id: Option<String>,
}

/// A reference to an object: the object, or only its id.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Reference {
    Id(String),
    Object { id: String },
}

impl Reference {
    fn id(&self) -> &str {
        match self {
            Self::Id(id) | Self::Object { id } => id,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Charge {
    payment_intent: Option<Reference>,
    #[serde(default)]
    amount_refunded: i64,
    #[serde(default)]
    metadata: std::collections::HashMap<String, String>,
}

/// A refund.
#[derive(Debug, Deserialize)]
struct Refund {
    #[serde(default)]
    payment_intent: Option<Reference>,
    #[serde(default)]
    amount: i64,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    failure_reason: Option<String>,
}

/// The content of an event.
#[derive(Debug)]
pub(crate) enum EventKind {
    /// A session has a new status.
    Session { session: CheckoutSession, status: SessionStatus },
    /// The total that was refunded of a charge.
    Refunded { charge: String, payment: Option<Uuid>, total_cents: i32 },
    /// A refund of this amount failed at the bank, with the reason.
    RefundFailed { charge: String, cents: i32, problem: String },
    /// The payer's bank disputes a charge.
    Disputed { charge: String },
    /// The event is not about a payment of this site.
    Other,
}

impl Event {
    /// Parses an event whose signature is verified.
    ///
    /// # Errors
    /// When the body is not an event.
    pub fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(body)
    }

    /// The content of the event.
    ///
    /// # Errors
    /// When the object does not fit the type of the event.
    pub fn into_kind(self) -> Result<EventKind, serde_json::Error> {
        let object = self.data.object;
        Ok(match self.type_name.as_str() {
            "checkout.session.completed" => {
                EventKind::of_session(object, |session| session.status())?
            }
            "checkout.session.async_payment_succeeded" => {
                EventKind::of_session(object, |session| session.status())?
            }
            "checkout.session.async_payment_failed" => {
                EventKind::of_session(object, |_| SessionStatus::Failed)?
            }
            "checkout.session.expired" => {
                EventKind::of_session(object, |_| SessionStatus::Expired)?
            }
            "charge.refunded" => {
                let charge: Charge = serde_json::from_value(object)?;
                let payment = charge.metadata.get("payment_id");
                let payment = payment.and_then(|id| Uuid::try_parse(id).ok());
                let total_cents = i32::try_from(charge.amount_refunded).unwrap_or(i32::MAX);
                charge.payment_intent.map_or(EventKind::Other, |intent| EventKind::Refunded {
                    charge: intent.id().to_owned(),
                    payment,
                    total_cents,
                })
            }
            // Each of these event types reports the same failure; the webhook may be subscribed to
            // any of them.
            "refund.failed" | "refund.updated" | "charge.refund.updated" => {
                let refund: Refund = serde_json::from_value(object)?;
                refund.into_kind()
            }
            "charge.dispute.created" => {
                let dispute: Charge = serde_json::from_value(object)?;
                dispute.payment_intent.map_or(EventKind::Other, |intent| EventKind::Disputed {
                    charge: intent.id().to_owned(),
                })
            }
            _ => EventKind::Other,
        })
    }
}

impl EventKind {
    fn of_session(
        object: serde_json::Value,
        status_of: impl FnOnce(&CheckoutSession) -> SessionStatus,
    ) -> Result<Self, serde_json::Error> {
        let session: CheckoutSession = serde_json::from_value(object)?;
        let status = status_of(&session);
        Ok(Self::Session { session, status })
    }

    /// The session that the event is about.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Session { session, .. } => Some(&session.id),
            _ => None,
        }
    }
}

impl Refund {
    /// A refund may fail days after it had succeeded
    /// (<https://docs.stripe.com/refunds#failed-refunds>).
    fn into_kind(self) -> EventKind {
        let status = self.status.unwrap_or_default();
        match self.payment_intent {
            Some(intent) if matches!(status.as_str(), "failed" | "canceled") => {
                EventKind::RefundFailed {
                    charge: intent.id().to_owned(),
                    cents: i32::try_from(self.amount).unwrap_or(i32::MAX),
                    problem: self.failure_reason.unwrap_or(status),
                }
            }
            _ => EventKind::Other,
        }
    }
}

impl CheckoutSession {
    /// The payment for which the session was opened.
    pub fn payment(&self) -> Option<Uuid> {
        self.client_reference_id.as_deref().and_then(|id| Uuid::try_parse(id).ok())
    }

    /// The status of the session (<https://docs.stripe.com/checkout/fulfillment>). Complete but
    /// unpaid means that the money is still on its way.
    pub fn status(&self) -> SessionStatus {
        match (self.status.as_deref(), self.payment_status.as_deref()) {
            (_, Some("paid" | "no_payment_required")) => SessionStatus::Paid(Money {
                amount_cents: i32::try_from(self.amount_total.unwrap_or_default())
                    .unwrap_or(i32::MAX),
                currency: self.currency.clone().unwrap_or_default().to_lowercase(),
                charge: self.payment_intent.as_ref().map(|intent| intent.id().to_owned()),
            }),
            (Some("expired"), _) => SessionStatus::Expired,
            _ => SessionStatus::Open,
        }
    }
}
