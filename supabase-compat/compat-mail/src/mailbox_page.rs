//! The captured mailbox as pages and JSON, for a developer's browser. Mount it only on the loopback
//! interface: its emails contain valid links.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use compat_http::escape_html;
use http::{HeaderMap, StatusCode, header};

use crate::{CapturedEmail, Mailbox};

/// `GET /mailbox` and `GET /mailbox/{id}`: JSON, or a page for a browser that asks for HTML.
pub fn mailbox_router(mailbox: Mailbox) -> Router {
    Router::new().route("/mailbox", get(list)).route("/mailbox/{id}", get(read)).with_state(mailbox)
}

async fn list(State(mailbox): State<Mailbox>, headers: HeaderMap) -> Response {
    let emails = mailbox.list();
    if wants_html(&headers) {
        return Html(list_page(&emails)).into_response();
    }
    compat_http::json(StatusCode::OK, &emails)
}

async fn read(
    State(mailbox): State<Mailbox>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let email = id.parse().ok().and_then(|id| mailbox.read(id));
    match email {
        None => compat_http::json(
            StatusCode::NOT_FOUND,
            &serde_json::json!({"message": "There is no such mail"}),
        ),
        Some(email) if wants_html(&headers) => Html(email_page(&email)).into_response(),
        Some(email) => compat_http::json(StatusCode::OK, &email),
    }
}

fn wants_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

fn list_page(emails: &[CapturedEmail]) -> String {
    let rows: String = emails.iter().map(row).collect();
    let content = if emails.is_empty() {
        "<p>No mail yet. Whatever the service sends appears here.</p>".to_owned()
    } else {
        format!("<table><tr><th>To</th><th>Subject</th><th>Sent</th></tr>{rows}</table>")
    };
    page("Captured mail", &content)
}

fn row(email: &CapturedEmail) -> String {
    format!(
        "<tr><td>{}</td><td><a href=\"/mailbox/{}\">{}</a></td><td>{}</td></tr>",
        escape_html(&email.to),
        email.id,
        escape_html(&email.subject),
        email.at.format("%Y-%m-%d %H:%M:%S UTC"),
    )
}

/// Shows the email in a frame without scripts, whose links open in the whole window.
fn email_page(email: &CapturedEmail) -> String {
    let content = format!(
        "<p><a href=\"/mailbox\">All mail</a></p><p>To {} · {}</p>\
         <iframe sandbox=\"allow-top-navigation-by-user-activation allow-popups\" srcdoc=\"{}\" title=\"Mail\"></iframe>\
         <h2>As text</h2><pre>{}</pre>",
        escape_html(&email.to),
        email.at.format("%Y-%m-%d %H:%M:%S UTC"),
        escape_html(&format!("<base target=\"_top\">{}", email.html)),
        escape_html(&email.text),
    );
    page(&email.subject, &content)
}

fn page(title: &str, content: &str) -> String {
    let title = escape_html(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>\
         body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1e26}}\
         table{{width:100%;border-collapse:collapse}}th,td{{text-align:left;padding:.5rem;border-bottom:1px solid #ddd}}\
         iframe{{width:100%;height:32rem;border:1px solid #ddd;border-radius:.5rem}}\
         pre{{white-space:pre-wrap;background:#f4f4f6;padding:1rem;border-radius:.5rem}}\
         </style></head><body><h1>{title}</h1>{content}</body></html>"
    )
}
