//! The links in mails.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::state::State;

/// Characters that would end the `redirect_to` parameter early.
const IN_QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'&').add(b'=').add(b'#').add(b'%').add(b'+');
use crate::model::RequestContext;

/// The link for `token_hash`, below the public address or below an allowed address from which the
/// request was forwarded.
pub fn link(state: &State, context: &RequestContext, token_hash: &str, link_type: &str) -> String {
    let paths = &state.config.email.url_paths;
    let path = match link_type {
        "invite" => &paths.invite,
        "recovery" | "magiclink" => &paths.recovery,
        "email_change" => &paths.email_change,
        _ => &paths.confirmation,
    };
    let base = context.mail_base.clone().unwrap_or_else(|| state.external_url());
    let base = match path.strip_prefix(state.config.mount.as_str()) {
        Some(rest) => format!("{base}{rest}"),
        None => format!("{base}{path}"),
    };
    let redirect_to = context.redirect_to.as_str();
    let redirect_to = if redirect_to.contains(['&', '=', '#']) {
        utf8_percent_encode(redirect_to, IN_QUERY).to_string()
    } else {
        redirect_to.to_owned()
    };
    format!("{base}?token={token_hash}&type={link_type}&redirect_to={redirect_to}")
}
