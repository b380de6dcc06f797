//! The address at which a browser calls the console.

use compat_auth::webauthn::RelyingParty;
use http::{HeaderMap, header};
use url::{Host, Url};

use crate::access::is_local;
use crate::error::ConsoleError;
use crate::state::ConsoleState;

/// The base address that the operator's browser uses; invitation links use it, too.
pub(crate) fn base_of(public_url: &str, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match host {
        Some(host) if is_local(host) => format!("http://{host}"),
        _ => public_url.to_owned(),
    }
}

/// The relying party of passkeys: the page of the request, whose origin the guard has compared with
/// the called address. A page at another name gains nothing, because a passkey works only at its
/// own domain.
pub(crate) fn relying_party(
    state: &ConsoleState,
    headers: &HeaderMap,
) -> Result<RelyingParty, ConsoleError> {
    let config = state.config();
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let base = base_of(&config.environment.public_url, headers);
    let origin = Url::parse(origin.unwrap_or(&base)).map_err(|_| ConsoleError::NoDomain)?;
    let Some(Host::Domain(domain)) = origin.host() else { return Err(ConsoleError::NoDomain) };
    let id = domain.to_owned();
    let name = format!("{} console", config.project.as_deref().unwrap_or(domain));
    Ok(RelyingParty { id, name, origins: vec![origin], requires_verification: true })
}
