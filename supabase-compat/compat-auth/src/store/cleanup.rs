//! Deleting expired rows, a thousand of a kind at a time, so that no transaction holds locks for
//! long.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// The maximum number of rows that one call deletes; fewer mean that none is left.
pub const AT_MOST: u64 = 1000;

/// The kinds of rows that expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiryRule {
    /// Tokens that were exchanged or revoked.
    RefreshTokens,
    /// Sessions that were ended.
    EndedSessions,
    /// Sessions that were opened before the given time.
    OldSessions,
    /// Sessions that were not used since the given time.
    IdleSessions,
    /// PKCE verifiers of ours for a provider's answer.
    ClientStates,
    /// Unfinished PKCE flows.
    Flows,
    /// Challenges of second factors.
    Challenges,
    /// Unfinished enrolments of second factors.
    Factors,
    /// Anonymous accounts.
    AnonymousUsers,
    /// Unfinished passkey ceremonies.
    Ceremonies,
    /// Rate limit counters and single-use values that were not touched since the given time.
    Allowances,
    /// Entries of the audit log.
    AuditLog,
}

/// Deletes rows that are older than `before`, at most [`AT_MOST`], and returns how many.
pub async fn remove(
    conn: &mut PgConnection,
    expired: ExpiryRule,
    before: DateTime<Utc>,
) -> sqlx::Result<u64> {
    match expired {
        ExpiryRule::RefreshTokens => forget(conn, REFRESH_TOKENS, before).await,
        ExpiryRule::EndedSessions => forget(conn, ENDED_SESSIONS, before).await,
        ExpiryRule::OldSessions => forget(conn, OLD_SESSIONS, before).await,
        ExpiryRule::IdleSessions => forget(conn, IDLE_SESSIONS, before).await,
        ExpiryRule::ClientStates => forget(conn, CLIENT_STATES, before).await,
        ExpiryRule::Flows => forget(conn, FLOWS, before).await,
        ExpiryRule::Challenges => forget(conn, CHALLENGES, before).await,
        ExpiryRule::Factors => forget(conn, FACTORS, before).await,
        ExpiryRule::AnonymousUsers => forget(conn, ANONYMOUS_USERS, before).await,
        ExpiryRule::Ceremonies => forget(conn, CEREMONIES, before).await,
        ExpiryRule::Allowances => forget(conn, ALLOWANCES, before).await,
        ExpiryRule::AuditLog => forget(conn, AUDIT_LOG, before).await,
    }
}

async fn forget(
    conn: &mut PgConnection,
    sql: &'static str,
    before: DateTime<Utc>,
) -> sqlx::Result<u64> {
    Ok(sqlx::query(sql).bind(before).execute(conn).await?.rows_affected())
}

const REFRESH_TOKENS: &str = "
    delete from auth.refresh_tokens
    where id in (
        select id
        from auth.refresh_tokens
        where revoked
            and updated_at < $1
        limit 1000
        for update skip locked
    )";

const ENDED_SESSIONS: &str = "
    delete from auth.sessions
    where id in (
        select id
        from auth.sessions
        where not_after < $1
        limit 1000
        for update skip locked
    )";

const OLD_SESSIONS: &str = "
    delete from auth.sessions
    where id in (
        select id
        from auth.sessions
        where created_at < $1
        limit 1000
        for update skip locked
    )";

const IDLE_SESSIONS: &str = "
    delete from auth.sessions
    where id in (
        select id
        from auth.sessions
        where coalesce(refreshed_at at time zone 'utc', created_at) < $1
        limit 1000
        for update skip locked
    )";

const CLIENT_STATES: &str = "
    delete from auth.oauth_client_states
    where id in (
        select id
        from auth.oauth_client_states
        where created_at < $1
        limit 1000
        for update skip locked
    )";

const FLOWS: &str = "
    delete from auth.flow_state
    where id in (
        select id
        from auth.flow_state
        where created_at < $1
        limit 1000
        for update skip locked
    )";

const CHALLENGES: &str = "
    delete from auth.mfa_challenges
    where id in (
        select id
        from auth.mfa_challenges
        where created_at < $1
        limit 1000
        for update skip locked
    )";

const FACTORS: &str = "
    delete from auth.mfa_factors
    where id in (
        select id
        from auth.mfa_factors
        where status = 'unverified'
            and created_at < $1
        limit 1000
        for update skip locked
    )";

const ANONYMOUS_USERS: &str = "
    delete from auth.users
    where id in (
        select id
        from auth.users
        where is_anonymous
            and created_at < $1
        limit 1000
        for update skip locked
    )";

const CEREMONIES: &str = "
    delete from auth.webauthn_challenges
    where id in (
        select id
        from auth.webauthn_challenges
        where expires_at < $1
        limit 1000
        for update skip locked
    )";

const ALLOWANCES: &str = "
    delete from auth.allowances
    where (bucket, subject) in (
        select
            bucket,
            subject
        from auth.allowances
        where refilled_at < $1
        limit 1000
        for update skip locked
    )";

const AUDIT_LOG: &str = "
    delete from auth.audit_log_entries
    where id in (
        select id
        from auth.audit_log_entries
        where created_at < $1
        order by created_at
        limit 1000
        for update skip locked
    )";
