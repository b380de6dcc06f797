//! Rate limits, counted in the database so that all processes share them.

use std::net::IpAddr;

use compat_http::client_prefix;
use ipnet::IpNet;

use crate::error::{AuthError, RateLimitRefusal};
use crate::state::State;
use crate::store;

/// The size of every bucket.
const BURST: f64 = 30.0;

/// A kind of request; each has a bucket of its own for every client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    Signup,
    Recover,
    Resend,
    MagicLink,
    Otp,
    UpdateUser,
    Verify,
    Token,
    Anonymous,
    Factor,
    Passkey,
    Sso,
}

impl LimitKind {
    fn name(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Recover => "recover",
            Self::Resend => "resend",
            Self::MagicLink => "magiclink",
            Self::Otp => "otp",
            Self::UpdateUser => "update_user",
            Self::Verify => "verify",
            Self::Token => "token",
            Self::Anonymous => "anonymous",
            Self::Factor => "factor",
            Self::Passkey => "passkey",
            Self::Sso => "sso",
        }
    }

    /// How many requests are restored per second.
    fn refill(self, state: &State) -> f64 {
        let limits = &state.config.limits;
        let (count, seconds) = match self {
            Self::Verify => (limits.verify, 300.0),
            Self::Token => (limits.token, 300.0),
            Self::Anonymous => (limits.anonymous, 3600.0),
            Self::Factor => (limits.mfa, 60.0),
            Self::Passkey => (limits.passkey, 300.0),
            Self::Sso => (limits.sso, 300.0),
            _ => (limits.otp, 300.0),
        };
        f64::from(count) / seconds
    }
}

/// Takes one request of this kind from the client's bucket.
///
/// # Errors
/// [`RateLimitRefusal::TooManyRequests`] when the bucket is empty.
pub async fn take(state: &State, bucket: LimitKind, client: IpAddr) -> Result<(), AuthError> {
    if !state.config.limits.enabled {
        return Ok(());
    }
    let (subject, refill) = (network(client), bucket.refill(state));
    let mut tx = state.begin().await?;
    let now = state.now();
    let is_allowed =
        store::allowance::take(&mut tx, bucket.name(), &subject, BURST, refill, now).await?;
    tx.commit().await?;
    if is_allowed { Ok(()) } else { Err(RateLimitRefusal::TooManyRequests.into()) }
}

/// The client's network: one customer of IPv6 has a whole /64 of addresses.
pub(super) fn network(client: IpAddr) -> String {
    match client_prefix(client) {
        IpNet::V4(net) => net.addr().to_string(),
        IpNet::V6(net) => net.to_string(),
    }
}

/// Takes one mail from the installation's hourly budget, inside the flow's transaction.
///
/// # Errors
/// [`RateLimitRefusal::MailBudget`].
pub async fn take_mail(state: &State, tx: &mut compat_pg::Owner) -> Result<(), AuthError> {
    let Some(per_hour) = state.config.email.sent_per_hour else { return Ok(()) };
    let burst = f64::from(per_hour);
    let is_allowed =
        store::allowance::take(tx, "mail", "", burst, burst / 3600.0, state.now()).await?;
    if is_allowed && per_hour > 0 { Ok(()) } else { Err(RateLimitRefusal::MailBudget.into()) }
}

/// Takes one text message from the installation's hourly budget, inside the flow's transaction.
///
/// # Errors
/// [`RateLimitRefusal::TextBudget`].
pub async fn take_text(state: &State, tx: &mut compat_pg::Owner) -> Result<(), AuthError> {
    let Some(per_hour) = state.config.sms.sent_per_hour else { return Ok(()) };
    let burst = f64::from(per_hour);
    let is_allowed =
        store::allowance::take(tx, "text", "", burst, burst / 3600.0, state.now()).await?;
    if is_allowed && per_hour > 0 { Ok(()) } else { Err(RateLimitRefusal::TextBudget.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_prefix_counts_as_one_client() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6".parse().unwrap()), "2001:db8:1:2::/64");
        assert_eq!(network("::ffff:198.51.100.7".parse().unwrap()), "198.51.100.7");
    }
}
