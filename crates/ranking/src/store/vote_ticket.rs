//! `public.vote_tickets`, through its procedures.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::ticket::{Holder, Ticket, TicketStatus};

/// A ticket to be stored.
#[derive(Debug)]
pub(crate) struct NewTicket {
    pub ticket: Ticket,
    pub reference: Option<String>,
    pub nickname: Option<String>,
    pub at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Stores a ticket; returns the outcome and the server.
pub(crate) async fn open(
    owner: &mut Owner,
    holder: Holder<'_>,
    new: &NewTicket,
) -> Result<(String, Option<Uuid>), PgError> {
    let opened = sqlx::query_as(
        "select outcome, server_id from public.open_vote_ticket($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(holder.server.as_text())
    .bind(holder.token.as_text())
    .bind(new.ticket.as_str())
    .bind(new.reference.as_deref())
    .bind(new.nickname.as_deref())
    .bind(new.at)
    .bind(new.expires_at)
    .fetch_one(&mut **owner)
    .await?;
    Ok(opened)
}

/// Finds a ticket of this server.
pub(crate) async fn find(
    owner: &mut Owner,
    holder: Holder<'_>,
    ticket: &Ticket,
    at: DateTime<Utc>,
) -> Result<TicketStatus, PgError> {
    let status = sqlx::query_as(
        "select outcome, reference, nickname, expires_at, vote_id, voted_as, spent_at
         from public.find_vote_ticket($1, $2, $3, $4)",
    )
    .bind(holder.server.as_text())
    .bind(holder.token.as_text())
    .bind(ticket.as_str())
    .bind(at)
    .fetch_one(&mut **owner)
    .await?;
    Ok(status)
}
