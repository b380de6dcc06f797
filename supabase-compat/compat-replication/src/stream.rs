//! A replication stream: a temporary slot, its messages, and the confirmations that let the server
//! discard its log.

use std::time::Duration;

use bytes::{Buf as _, BufMut as _, Bytes};
use compat_pg::{CopyBoth, CopyMessage, OwnerDb, PgError};
use thiserror::Error;
use tokio::time::{Instant, sleep_until, timeout};

use crate::decoder::{DecodeError, decode};
use crate::message::Message;

/// How often the read position is confirmed while messages arrive.
const CONFIRMATION: Duration = Duration::from_secs(1);

/// After `QUIET` without a message the server is asked to reply; after `SILENCE` the connection
/// counts as lost. A server that reads much log of other tables may be silent for a while.
const QUIET: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(120);

/// Why a stream cannot be opened, or has ended.
#[derive(Debug, Error)]
pub enum ReplicationError {
    /// The server's `wal_level` is too low for logical replication.
    #[error("the server's wal_level is {0}, and logical replication needs logical")]
    WalLevel(String),
    /// None of the publications exists.
    #[error("there is no publication {0}")]
    Publication(String),
    /// The server did not create the slot in time, because earlier transactions are still open.
    #[error("the server made no replication slot in time: a transaction has been open for long")]
    SlotTimeout,
    /// The server failed, or cannot be reached.
    #[error(transparent)]
    Database(#[from] PgError),
    /// A message cannot be decoded.
    #[error(transparent)]
    Message(#[from] DecodeError),
    /// The consumer is too slow, so the server would keep its log for it.
    #[error("changes are not taken in time")]
    Slow,
    /// The server does not answer, so the connection is broken.
    #[error("the server has not been heard for two minutes")]
    Silent,
    /// The server ended the stream.
    #[error("the server ended the replication stream")]
    Ended,
}

/// The publications, slot and limits of a stream.
#[derive(Debug, Clone)]
pub struct StreamOptions {
    /// Names of publications; those that do not exist are left out.
    pub publications: Vec<String>,
    /// The slot's unique name: lower-case letters, digits and underscores.
    pub slot: String,
    /// The most bytes that are kept of one row.
    pub largest_row: usize,
    /// How long the server may take to create the slot: it waits for the end of every transaction
    /// that has written something.
    pub slot_timeout: Duration,
}

/// The changes of published tables, from the moment of [`Self::open`] on. Dropping it ends the slot.
#[derive(Debug)]
pub struct ReplicationStream {
    copy: CopyBoth,
    limit: usize,
    slot: String,
    publications: Vec<String>,
    /// The log position after everything that was read.
    read: u64,
    confirmed: u64,
    /// The time of the server's last keepalive, in its own format.
    keepalive_time: i64,
    /// Whether a transaction is being read: keepalives within it report later positions.
    is_in_transaction: bool,
    confirm_at: Instant,
    /// When the last message of the server arrived.
    received_at: Instant,
}

impl ReplicationStream {
    /// Opens the stream. It delivers every transaction that commits after this function returns.
    ///
    /// # Errors
    /// The server's log is not logical, there is no publication, or the login may not replicate.
    pub async fn open(db: &OwnerDb, options: &StreamOptions) -> Result<Self, ReplicationError> {
        let mut connection = db.replication().await?;
        let level = connection.command("show wal_level").await?;
        let level = level.into_iter().flatten().flatten().next().unwrap_or_default();
        if level != "logical" {
            return Err(ReplicationError::WalLevel(level));
        }
        // The server formats values with the settings of this session.
        connection
            .command(
                "select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO', false), \
                 set_config('intervalstyle', 'postgres', false), \
                 set_config('extra_float_digits', '1', false), \
                 set_config('bytea_output', 'hex', false)",
            )
            .await?;
        let names: Vec<_> = options.publications.iter().map(|name| literal(name)).collect();
        let known = connection
            .command(&format!(
                "select pubname::text from pg_catalog.pg_publication where pubname in ({})",
                names.join(", ")
            ))
            .await?;
        let publications: Vec<String> = known.into_iter().flatten().flatten().collect();
        if publications.is_empty() {
            return Err(ReplicationError::Publication(options.publications.join(", ")));
        }
        let slot = options.slot.clone();
        // The older form of the command, which every supported version accepts.
        let make =
            format!("CREATE_REPLICATION_SLOT {slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT");
        let result = timeout(options.slot_timeout, connection.command(&make)).await;
        let Ok(result) = result else {
            drop(connection);
            end_slot(db, &slot).await?;
            return Err(ReplicationError::SlotTimeout);
        };
        let result = result?;
        let begin = result.first().and_then(|row| row.get(1)).and_then(Option::as_deref);
        let read = begin.and_then(position).unwrap_or_default();
        let quoted: Vec<_> = publications.iter().map(|name| identifier(name)).collect();
        let start = format!(
            "START_REPLICATION SLOT {slot} LOGICAL 0/0 (proto_version '1', publication_names {})",
            literal(&quoted.join(", "))
        );
        let copy = connection.copy_both(&start).await?;
        Ok(Self {
            copy,
            limit: options.largest_row,
            slot,
            publications,
            read,
            confirmed: 0,
            keepalive_time: 0,
            is_in_transaction: false,
            confirm_at: Instant::now() + CONFIRMATION,
            received_at: Instant::now(),
        })
    }

    /// The slot's name.
    pub fn slot(&self) -> &str {
        &self.slot
    }

    /// The publications it reads.
    pub fn publications(&self) -> &[String] {
        &self.publications
    }

    /// The next message. Dropping the future loses nothing.
    ///
    /// # Errors
    /// The connection is lost, the server ended it or is silent, or a message cannot be decoded.
    pub async fn next(&mut self) -> Result<Message, ReplicationError> {
        loop {
            let due = self.confirm_at;
            let arrived = tokio::select! {
                arrived = self.copy.next(self.limit) => arrived?,
                () = sleep_until(due) => {
                    if self.received_at.elapsed() > SILENCE {
                        return Err(ReplicationError::Silent);
                    }
                    self.confirm().await?;
                    continue;
                }
            };
            self.received_at = Instant::now();
            if Instant::now() >= due {
                self.confirm().await?;
            }
            let Some(CopyMessage { mut bytes, is_whole }) = arrived else {
                return Err(ReplicationError::Ended);
            };
            match bytes.try_get_u8().map_err(|_| DecodeError::TooShort)? {
                b'w' => return self.message(&mut bytes, is_whole),
                b'k' => self.keepalive(&mut bytes).await?,
                _ => {}
            }
        }
    }

    /// Parses `XLogData`: start, end of the log, time, then the plugin's message.
    fn message(&mut self, bytes: &mut Bytes, is_whole: bool) -> Result<Message, ReplicationError> {
        const HEAD: usize = 24;
        if bytes.len() < HEAD {
            return Err(DecodeError::TooShort.into());
        }
        bytes.advance(HEAD);
        let message = decode(bytes, is_whole)?;
        match message {
            Message::Begin(_) => self.is_in_transaction = true,
            Message::Commit { end } => {
                self.is_in_transaction = false;
                self.read = self.read.max(end);
            }
            _ => {}
        }
        Ok(message)
    }

    async fn keepalive(&mut self, bytes: &mut Bytes) -> Result<(), ReplicationError> {
        let end = bytes.try_get_u64().map_err(|_| DecodeError::TooShort)?;
        self.keepalive_time = bytes.try_get_i64().map_err(|_| DecodeError::TooShort)?;
        let wants_reply = bytes.try_get_u8().map_err(|_| DecodeError::TooShort)? == 1;
        // Most of the log may concern unpublished tables; the server may discard that part, too.
        if !self.is_in_transaction {
            self.read = self.read.max(end);
        }
        if wants_reply {
            self.confirm().await?;
        }
        Ok(())
    }

    /// Confirms the position up to which the server may discard its log ("Standby status update").
    async fn confirm(&mut self) -> Result<(), ReplicationError> {
        let mut status = Vec::with_capacity(34);
        status.put_u8(b'r');
        for _ in ["written", "flushed", "applied"] {
            status.put_u64(self.read);
        }
        // The time by the server's own clock; the server only shows it in a view.
        status.put_i64(self.keepalive_time);
        // Whether the server shall reply.
        status.put_u8(u8::from(self.received_at.elapsed() > QUIET));
        self.confirmed = self.read;
        self.confirm_at = Instant::now() + CONFIRMATION;
        Ok(self.copy.send(&status).await?)
    }

    /// The position up to which the server may discard its log.
    pub fn confirmed(&self) -> u64 {
        self.confirmed
    }
}

/// Terminates the session that is creating a slot. That session waits for the end of a transaction
/// and does not notice that its connection is closed, so each attempt would leave one of few slots
/// behind.
async fn end_slot(db: &OwnerDb, slot: &str) -> Result<(), PgError> {
    let mut connection = db.replication().await?;
    let end = format!(
        "select pg_catalog.pg_terminate_backend(active_pid) from pg_catalog.pg_replication_slots \
         where slot_name = {}",
        literal(slot)
    );
    connection.command(&end).await.map(drop)
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Parses a log position in the server's format, `16/B374D848`.
fn position(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('/')?;
    let high = u64::from_str_radix(high, 16).ok()?;
    let low = u64::from_str_radix(low, 16).ok()?;
    high.checked_shl(32)?.checked_add(low)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn position_is_two_numbers_in_one() {
        assert_eq!(position("16/B374D848"), Some(0x16_B374_D848));
        assert_eq!(position("16"), None);
        assert_eq!(position("x/1"), None);
    }
}
