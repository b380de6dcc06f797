//! The WebAuthn relying party: from the settings, or else from the request of the page.

use url::Url;

use crate::error::{AuthError, InvalidRequest};
use crate::model::webauthn::RelyingParty;
use crate::state::State;

/// The relying party of passkeys, from the settings alone.
///
/// # Errors
/// The settings contain no usable address.
pub fn configured(state: &State) -> Result<RelyingParty, AuthError> {
    let config = &state.config.passkey;
    let site = Url::parse(state.redirects.site()).map_err(AuthError::internal)?;
    let host = site.host_str().unwrap_or_default();
    let id = config.rp_id.clone().unwrap_or_else(|| host.to_owned());
    let name = config.rp_display_name.clone().unwrap_or_else(|| id.clone());
    let origins = config.rp_origins.iter().map(|origin| Url::parse(origin));
    let mut origins = origins.collect::<Result<Vec<_>, _>>().map_err(AuthError::internal)?;
    if origins.is_empty() {
        origins.push(site);
    }
    Ok(RelyingParty { id, name, origins, requires_verification: false })
}

/// The relying party of a second factor. As in the original, the page names it. A browser uses a
/// credential only for its own domain, so a page gains nothing by naming another.
///
/// # Errors
/// [`InvalidRequest::WebauthnParty`] when the settings name another party, or the origins do not
/// belong to the domain.
pub fn requested(state: &State, id: &str, origins: &[String]) -> Result<RelyingParty, AuthError> {
    if state.config.passkey.rp_id.is_some() {
        let party = configured(state)?;
        return if id == party.id { Ok(party) } else { Err(InvalidRequest::WebauthnParty.into()) };
    }
    let parsed = origins.iter().map(|origin| Url::parse(origin));
    let parsed =
        parsed.collect::<Result<Vec<_>, _>>().map_err(|_| InvalidRequest::WebauthnParty)?;
    let fits = |origin: &Url| origin.host_str().is_some_and(|host| belongs(host, id));
    if id.is_empty() || parsed.is_empty() || !parsed.iter().all(fits) {
        return Err(InvalidRequest::WebauthnParty.into());
    }
    let (id, name) = (id.to_owned(), id.to_owned());
    Ok(RelyingParty { id, name, origins: parsed, requires_verification: false })
}

fn belongs(host: &str, domain: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::belongs;

    #[test]
    fn relying_party_id_covers_its_subdomains() {
        assert!(belongs("app.example.org", "example.org"));
        assert!(belongs("localhost", "localhost"));
        assert!(!belongs("evilexample.org", "example.org"));
        assert!(!belongs("example.org", "app.example.org"));
    }
}
