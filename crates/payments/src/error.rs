//! Every refusal of a purchase and its answer: `{"error","code"}`. The pages read the code; older
//! pages read the text.

use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use compat_functions::JsonBodyError;
use compat_pg::PgError;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use crate::pictures::PictureError;
use crate::provider::ProviderError;

/// The `Retry-After` in seconds while the provider or the database is unavailable.
const RETRY_AFTER: u64 = 5;

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The request is malformed; the text says why.
    #[error("{0}")]
    BadRequest(&'static str),
    /// The function answers only this method.
    #[error("Only {0} is answered here")]
    MethodNotAllowed(&'static str),
    /// The request names no spot, or one that does not exist.
    #[error("Position manquante")]
    PositionMissing,
    /// The request names no days.
    #[error("Dates manquantes")]
    DatesMissing,
    /// The days cannot be booked: they are past, too far away or too many.
    #[error("Ces dates ne peuvent pas être réservées")]
    DatesRefused,
    /// The request names no picture, or one that may not be shown.
    #[error("Image manquante")]
    ImageMissing,
    /// The picture is on another site and cannot be copied.
    #[error("{}", match .0 {
        PictureError::Unreachable => "L’image n’a pas pu être récupérée à cette adresse",
        PictureError::TooLarge => "Image trop volumineuse (5 Mo au plus)",
        PictureError::NotAPicture => "Cette adresse ne mène pas à une image JPG, PNG, WebP ou GIF",
        PictureError::NotStored => "L’image n’a pas pu être enregistrée",
    })]
    PictureRejected(PictureError),
    /// The address that the spot leads to is invalid.
    #[error("L’adresse du site n’est pas valide")]
    WebsiteRefused,
    /// The price list has no price for this number of days.
    #[error("Il n’y a pas de prix pour cette durée")]
    NoPrice,
    /// The order is invalid for another reason.
    #[error("Cette commande n’est pas possible")]
    OrderRefused,
    /// Some of the days are booked or reserved by somebody else.
    #[error("Ces jours ne sont plus disponibles")]
    DaysTaken {
        /// The first and last day of each range that is taken.
        taken: Vec<(NaiveDate, NaiveDate)>,
    },
    /// The caller has too many unfinished payments.
    #[error("Trop de paiements en cours")]
    TooManyOpen,
    /// The server does not exist.
    #[error("Server not found")]
    ServerNotFound,
    /// The server belongs to somebody else.
    #[error("Only the owner of the server may do this")]
    NotOwner,
    /// The account may not buy.
    #[error("This account may not do this")]
    NotAllowed,
    /// The caller is not signed in.
    #[error("Authentication required")]
    Unauthenticated,
    /// One address made too many calls.
    #[error("Too many requests; please wait {retry_after} seconds")]
    TooManyRequests {
        /// Whole seconds until the next call is accepted.
        retry_after: u64,
    },
    /// No payment has this session.
    #[error("Payment not found")]
    PaymentNotFound,
    /// No payment provider is set up.
    #[error("Payments are not set up")]
    Disabled,
    /// The provider does not answer; the payment stays open.
    #[error("Le paiement n’est pas joignable pour le moment")]
    ProviderBusy,
    /// The provider refused the request.
    #[error("Le paiement n’a pas pu être préparé")]
    ProviderRefused,
    /// The database failed.
    #[error("Something went wrong on our side")]
    Database(#[source] PgError),
}

impl Refusal {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_)
            | Self::PositionMissing
            | Self::DatesMissing
            | Self::DatesRefused
            | Self::ImageMissing
            | Self::PictureRejected(_)
            | Self::WebsiteRefused
            | Self::NoPrice
            | Self::OrderRefused => StatusCode::BAD_REQUEST,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::DaysTaken { .. } | Self::TooManyOpen => StatusCode::CONFLICT,
            Self::ServerNotFound | Self::PaymentNotFound => StatusCode::NOT_FOUND,
            Self::NotOwner | Self::NotAllowed => StatusCode::FORBIDDEN,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Disabled | Self::ProviderBusy => StatusCode::SERVICE_UNAVAILABLE,
            Self::ProviderRefused => StatusCode::BAD_GATEWAY,
            Self::Database(error) if is_transient(error) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Database(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The code that pages translate.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadRequest(_) => "bad_request",
            Self::MethodNotAllowed(_) => "method_not_allowed",
            Self::PositionMissing => "position_missing",
            Self::DatesMissing => "dates_missing",
            Self::DatesRefused => "dates_refused",
            Self::ImageMissing => "image_missing",
            Self::PictureRejected(PictureError::Unreachable) => "picture_unreachable",
            Self::PictureRejected(PictureError::TooLarge) => "picture_too_large",
            Self::PictureRejected(PictureError::NotAPicture) => "picture_invalid",
            Self::PictureRejected(PictureError::NotStored) => "picture_not_stored",
            Self::WebsiteRefused => "website_refused",
            Self::NoPrice => "no_price",
            Self::OrderRefused => "order_refused",
            Self::DaysTaken { .. } => "days_taken",
            Self::TooManyOpen => "open_payments",
            Self::ServerNotFound => "server_not_found",
            Self::NotOwner => "not_owner",
            Self::NotAllowed => "not_allowed",
            Self::Unauthenticated => "authentication_required",
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::PaymentNotFound => "payment_not_found",
            Self::Disabled => "payments_off",
            Self::ProviderBusy => "provider_unavailable",
            Self::ProviderRefused => "provider_refused",
            Self::Database(error) if is_transient(error) => "overloaded",
            Self::Database(_) => "internal_error",
        }
    }

    /// Translates an error of the database about an order. The database's own refusals have a code
    /// in `detail`. [`Refusal::DaysTaken`] is not made here, since the caller has to query which
    /// days are taken.
    pub(crate) fn of_order(error: PgError) -> Self {
        match error.detail() {
            Some("not_owner") => Self::NotOwner,
            Some("not_allowed") => Self::NotAllowed,
            Some("server_not_found") => Self::ServerNotFound,
            Some("open_payments") => Self::TooManyOpen,
            Some("position_missing") => Self::PositionMissing,
            Some("image_missing") => Self::ImageMissing,
            Some("website_refused") => Self::WebsiteRefused,
            Some("dates_refused") => Self::DatesRefused,
            Some("no_price") => Self::NoPrice,
            _ => match error.code() {
                // `insufficient_privilege`: the caller's role lacks the right.
                Some("42501") => Self::NotAllowed,
                // A check constraint of the table, an invalid value, or a character that no text
                // may contain.
                Some("22023" | "23514" | "22021") => Self::OrderRefused,
                _ => Self::Database(error),
            },
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooManyRequests { retry_after } => Some(*retry_after),
            Self::ProviderBusy => Some(RETRY_AFTER),
            Self::Database(error) if is_transient(error) => Some(RETRY_AFTER),
            _ => None,
        }
    }
}

/// Whether a retry may succeed.
fn is_transient(error: &PgError) -> bool {
    error.is_unavailable() || error.is_lock_timeout() || error.is_conflict()
}

impl From<PgError> for Refusal {
    fn from(error: PgError) -> Self {
        Self::Database(error)
    }
}

impl From<ProviderError> for Refusal {
    /// The provider's message goes to the log only; it never contains what we sent.
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Unavailable(_) => {
                tracing::warn!(%error, "session not opened: provider error");
                Self::ProviderBusy
            }
            ProviderError::Refused(_) => {
                tracing::error!(%error, "session not opened: provider error");
                Self::ProviderRefused
            }
        }
    }
}

impl From<JsonBodyError> for Refusal {
    fn from(refusal: JsonBodyError) -> Self {
        match refusal {
            JsonBodyError::Method => Self::MethodNotAllowed("POST"),
            JsonBodyError::Shape(shape) => Self::BadRequest(shape),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        if let Self::Database(error) = &self {
            tracing::error!(%error, "payment request failed: database error");
        }
        let mut body = json!({ "error": self.to_string(), "code": self.code() });
        if let Self::DaysTaken { taken } = &self {
            let stretch = |(starts, ends): &(NaiveDate, NaiveDate)| json!({ "startDate": starts, "endDate": ends });
            body["taken"] = taken.iter().map(stretch).collect();
        }
        let mut response = compat_http::json(self.status(), &body);
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Self::MethodNotAllowed(method) = self {
            headers.insert(header::ALLOW, HeaderValue::from_static(method));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use compat_pg::DatabaseError;

    use super::*;

    fn database_error(code: &str, message: &str) -> PgError {
        let error =
            DatabaseError { code: code.into(), message: message.into(), ..Default::default() };
        error.into()
    }

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table = [
            (Refusal::BadRequest("Say what"), 400, "bad_request", "Say what"),
            (
                Refusal::MethodNotAllowed("POST"),
                405,
                "method_not_allowed",
                "Only POST is answered here",
            ),
            (Refusal::PositionMissing, 400, "position_missing", "Position manquante"),
            (Refusal::DatesMissing, 400, "dates_missing", "Dates manquantes"),
            (Refusal::ImageMissing, 400, "image_missing", "Image manquante"),
            (
                Refusal::DatesRefused,
                400,
                "dates_refused",
                "Ces dates ne peuvent pas être réservées",
            ),
            (Refusal::WebsiteRefused, 400, "website_refused", "L’adresse du site n’est pas valide"),
            (Refusal::NoPrice, 400, "no_price", "Il n’y a pas de prix pour cette durée"),
            (Refusal::OrderRefused, 400, "order_refused", "Cette commande n’est pas possible"),
            (
                Refusal::DaysTaken { taken: Vec::new() },
                409,
                "days_taken",
                "Ces jours ne sont plus disponibles",
            ),
            (Refusal::TooManyOpen, 409, "open_payments", "Trop de paiements en cours"),
            (Refusal::ServerNotFound, 404, "server_not_found", "Server not found"),
            (Refusal::NotOwner, 403, "not_owner", "Only the owner of the server may do this"),
            (Refusal::NotAllowed, 403, "not_allowed", "This account may not do this"),
            (Refusal::Unauthenticated, 401, "authentication_required", "Authentication required"),
            (
                Refusal::TooManyRequests { retry_after: 6 },
                429,
                "too_many_requests",
                "Too many requests; please wait 6 seconds",
            ),
            (Refusal::PaymentNotFound, 404, "payment_not_found", "Payment not found"),
            (Refusal::Disabled, 503, "payments_off", "Payments are not set up"),
            (
                Refusal::from(ProviderError::Unavailable("x".into())),
                503,
                "provider_unavailable",
                "Le paiement n’est pas joignable pour le moment",
            ),
            (
                Refusal::from(ProviderError::Refused("x".into())),
                502,
                "provider_refused",
                "Le paiement n’a pas pu être préparé",
            ),
            (
                Refusal::from(PgError::PoolTimeout),
                503,
                "overloaded",
                "Something went wrong on our side",
            ),
            (
                Refusal::from(PgError::Address("x".into())),
                500,
                "internal_error",
                "Something went wrong on our side",
            ),
        ];
        for (refusal, status, code, text) in table {
            assert_eq!(
                (refusal.status().as_u16(), refusal.code(), refusal.to_string().as_str()),
                (status, code, text)
            );
        }
    }

    #[test]
    fn order_refusal_depends_on_state_and_detail() {
        for (state, detail, ours) in [
            ("42501", Some("not_owner"), "not_owner"),
            ("42501", Some("not_allowed"), "not_allowed"),
            ("42501", None, "not_allowed"),
            ("PT404", Some("server_not_found"), "server_not_found"),
            ("P0001", Some("open_payments"), "open_payments"),
            ("22023", Some("position_missing"), "position_missing"),
            ("22023", Some("image_missing"), "image_missing"),
            ("22023", Some("website_refused"), "website_refused"),
            ("22023", Some("no_price"), "no_price"),
            ("22023", Some("dates_refused"), "dates_refused"),
            ("22023", None, "order_refused"),
            ("23514", Some("Failing row contains (1)."), "order_refused"),
            ("22021", None, "order_refused"),
            ("XX000", None, "internal_error"),
        ] {
            let detail = detail.map(str::to_owned);
            let (code, message) = (state.into(), "Position manquante".into());
            let error = DatabaseError { code, message, detail, ..Default::default() };
            assert_eq!(Refusal::of_order(error.into()).code(), ours, "{state}");
        }
    }

    #[test]
    fn transient_errors_name_a_time_to_retry() {
        let retry_after =
            |refusal: Refusal| refusal.into_response().headers().get("retry-after").cloned();
        assert_eq!(retry_after(ProviderError::Unavailable("x".into()).into()), Some(5.into()));
        assert_eq!(retry_after(database_error("40P01", "deadlock").into()), Some(5.into()));
        assert_eq!(retry_after(Refusal::Disabled), None);
        assert_eq!(retry_after(database_error("XX000", "x").into()), None);
    }
}
