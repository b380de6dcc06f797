//! `GET /payments/test/{session}`: the checkout page that takes no money. `POST`: its form, with
//! `choice`. The page has no script: only four buttons, and a text that says what it is.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State as Axum};
use axum::response::{IntoResponse as _, Response};
use compat_http::escape_html;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use page_registry::Language;
use serde::Deserialize;

use crate::flow::test_checkout::{CheckoutView, choose, show};
use crate::model::money::amount;
use crate::model::test_checkout::{Choice, TestCheckoutStatus};
use crate::{Refusal, State};

/// Allows only the page's own style and forms to this site, and forbids framing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c1e26;--paper:#fff;--ground:#f4f4f6;--line:#d9d4e8;--mark:#6d3ae6}\
@media(prefers-color-scheme:dark){:root{--ink:#f1eff8;--paper:#191724;--ground:#0f0d17;--line:#3a3450;--mark:#b79bff}}\
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;\
background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\
main{width:100%;max-width:440px;background:var(--paper);border:1px solid var(--line);border-radius:16px;padding:24px}\
.test{margin:0 0 20px;padding:10px 14px;border:2px dashed #b45309;border-radius:10px;color:#b45309;font-weight:700}\
@media(prefers-color-scheme:dark){.test{color:#fbbf24;border-color:#fbbf24}}\
h1{margin:0 0 4px;font-size:18px}.sum{margin:0 0 20px;font-size:32px;font-weight:800}\
form{display:grid;gap:10px}button{min-height:48px;padding:10px 16px;border:1px solid var(--line);border-radius:10px;\
background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}\
button:first-of-type{border-color:transparent;background:#6d3ae6;color:#fff}\
button:focus-visible,a:focus-visible{outline:3px solid var(--mark);outline-offset:2px}a{color:var(--mark)}";

struct Words {
    title: &'static str,
    test: &'static str,
    pay: &'static str,
    later: &'static str,
    fail: &'static str,
    give_up: &'static str,
    arriving: &'static str,
    paid: &'static str,
    failed: &'static str,
    expired: &'static str,
    back: &'static str,
}

fn words(language: Language) -> Words {
    match language {
        Language::Fr => Words {
            title: "Paiement de test",
            test: "TEST\u{a0}: aucun argent n’est prélevé sur cette page.",
            pay: "Payer maintenant",
            later: "Payer, l’argent arrive dans 20 secondes",
            fail: "Faire échouer le paiement",
            give_up: "Renoncer et revenir",
            arriving: "Le paiement est en route.",
            paid: "Ce paiement est fait.",
            failed: "Ce paiement a échoué.",
            expired: "Le temps pour payer est écoulé.",
            back: "Revenir au site",
        },
        Language::En => Words {
            title: "Test payment",
            test: "TEST: no money is taken on this page.",
            pay: "Pay now",
            later: "Pay, the money arrives in 20 seconds",
            fail: "Let the payment fail",
            give_up: "Give up and go back",
            arriving: "The payment is on its way.",
            paid: "This payment is made.",
            failed: "This payment has failed.",
            expired: "The time to pay is over.",
            back: "Back to the site",
        },
        Language::Es => Words {
            title: "Pago de prueba",
            test: "PRUEBA: en esta página no se cobra nada.",
            pay: "Pagar ahora",
            later: "Pagar, el dinero llega en 20 segundos",
            fail: "Hacer fallar el pago",
            give_up: "Renunciar y volver",
            arriving: "El pago está en camino.",
            paid: "Este pago está hecho.",
            failed: "Este pago ha fallado.",
            expired: "El tiempo para pagar ha terminado.",
            back: "Volver al sitio",
        },
    }
}

/// Answers with the page.
pub(crate) async fn page(Axum(state): Axum<State>, Path(session): Path<String>) -> Response {
    match show(&state, &session).await {
        Ok(view) => html(&view),
        Err(refusal) => refusal.into_response(),
    }
}

#[derive(Deserialize)]
pub(crate) struct ChoiceForm {
    choice: String,
}

/// Applies the choice that the form contains.
pub(crate) async fn submit(
    Axum(state): Axum<State>,
    Path(session): Path<String>,
    headers: HeaderMap,
    form: Result<Form<ChoiceForm>, FormRejection>,
) -> Response {
    let choice = form.ok().and_then(|Form(form)| Choice::parse(&form.choice));
    let Some(choice) = choice.filter(|_| is_same_origin(&headers)) else {
        return Refusal::BadRequest("The form of this page must be sent").into_response();
    };
    match choose(&state, &session, choice).await {
        Ok(url) => redirect(&url),
        Err(refusal) => refusal.into_response(),
    }
}

/// Whether the form comes from this site. Other sites must not submit it: browsers send
/// `Sec-Fetch-Site`, and over plain HTTP only `Origin`.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let header_value = |name: http::HeaderName| headers.get(name).map(HeaderValue::as_bytes);
    if let Some(site) = headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        return site == b"same-origin" || site == b"none";
    }
    let Some(origin) = header_value(header::ORIGIN) else { return true };
    let host =
        [&b"http://"[..], b"https://"].iter().find_map(|scheme| origin.strip_prefix(*scheme));
    host.is_some() && host == header_value(header::HOST)
}

fn redirect(url: &str) -> Response {
    let Ok(url) = HeaderValue::from_str(url) else {
        return Refusal::PaymentNotFound.into_response();
    };
    (StatusCode::SEE_OTHER, [(header::LOCATION, url)]).into_response()
}

fn html(view: &CheckoutView) -> Response {
    let language = view.checkout.language();
    let words = words(language);
    let body = match view.status {
        TestCheckoutStatus::Open => buttons(&words),
        over => {
            let status_text = match over {
                TestCheckoutStatus::Arriving => words.arriving,
                TestCheckoutStatus::Paid => words.paid,
                TestCheckoutStatus::Failed => words.failed,
                TestCheckoutStatus::Open | TestCheckoutStatus::Expired => words.expired,
            };
            let back = escape_html(&view.checkout.cancel_url);
            format!(
                "<p role=\"status\">{status_text}</p><p><a href=\"{back}\">{}</a></p>",
                words.back
            )
        }
    };
    let page = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{}</title><style>{STYLE}</style></head>\
         <body><main><p class=\"test\">{}</p><h1>{}</h1><p class=\"sum\">{}</p>{body}</main>\
         </body></html>",
        language.code(),
        words.title,
        words.test,
        escape_html(&view.checkout.description),
        amount(language, view.checkout.amount_cents, &view.checkout.currency),
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // With `no-referrer`, browsers would send the page's own form with the origin `null`.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, page).into_response()
}

fn buttons(words: &Words) -> String {
    let button = |choice: Choice| {
        let word = match choice {
            Choice::Pay => words.pay,
            Choice::PayLater => words.later,
            Choice::Fail => words.fail,
            Choice::GiveUp => words.give_up,
        };
        format!("<button name=\"choice\" value=\"{}\">{word}</button>", choice.as_str())
    };
    let buttons: String = Choice::ALL.into_iter().map(button).collect();
    format!("<form method=\"post\">{buttons}</form>")
}
