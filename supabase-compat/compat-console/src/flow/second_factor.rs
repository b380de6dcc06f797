//! The second factor: codes of an authenticator app.

use std::net::IpAddr;

use compat_auth::totp;

use crate::error::ConsoleError;
use crate::flow::session;
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::store;

/// A new secret for an authenticator app.
pub(crate) struct Enrolment {
    /// `otpauth://…`
    pub uri: String,
    /// Base 32.
    pub secret: String,
}

/// Creates a secret, which takes effect once a code confirms it.
pub(crate) async fn begin(
    state: &ConsoleState,
    operator: &Operator,
) -> Result<Enrolment, ConsoleError> {
    let config = state.config();
    let entropy = &config.environment.entropy;
    let issuer = format!("{} console", config.project.as_deref().unwrap_or("Supabase-compatible"));
    let new = totp::enrol(entropy.bytes(), &operator.email, &issuer)?;
    let sealed = state.seal().close(entropy, operator.id, &new.secret);
    let mut connection = config.owner.connection().await?;
    match store::operator::set_pending(&mut connection, operator.id, &sealed).await? {
        true => Ok(Enrolment { uri: new.uri, secret: new.secret }),
        false => Err(ConsoleError::SecondFactorExists),
    }
}

/// Activates the new secret if the code matches it.
pub(crate) async fn confirm(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    code: &str,
) -> Result<(), ConsoleError> {
    state.count_attempt(&operator.email, client)?;
    let mut work = state.config().owner.begin().await?;
    let row = store::operator::by_id(&mut work, operator.id).await?;
    let sealed = row.and_then(|row| row.pending_second_factor);
    let sealed = sealed.ok_or(ConsoleError::NoPendingSecondFactor)?;
    let secret = state.seal().open(operator.id, &sealed);
    let secret = secret.ok_or(ConsoleError::NoPendingSecondFactor)?;
    let step = totp::step_of(&secret, code, state.now().timestamp())
        .map_err(|_| ConsoleError::WrongCode)?;
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    store::operator::confirm_pending(&mut work, operator.id, step).await?;
    Ok(work.commit().await?)
}

/// Removes the second factor, for an operator who enters the password.
pub(crate) async fn remove(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    password: &str,
) -> Result<(), ConsoleError> {
    session::check_password(state, operator, client, password).await?;
    let mut connection = state.config().owner.connection().await?;
    Ok(store::operator::clear_second_factor(&mut connection, operator.id).await?)
}
