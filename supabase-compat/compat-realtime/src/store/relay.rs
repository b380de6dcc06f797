//! Notifications between processes, and the texts that are too long or too secret for one.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

/// Bytes of the longest text that a notification carries. PostgreSQL refuses 8000.
const LONGEST: usize = 7_500;
/// The separator between the process and the number of a text in the table.
const MARK: char = '#';

/// The text of a notification.
pub(crate) struct RelayText {
    pub text: String,
    /// Whether the text came from the table, which only this service reads and writes. Any login of
    /// the database can receive and send notifications.
    pub is_kept: bool,
}

/// Sends `text` to the listeners of `channel`. Only a public text may be visible to every login, so
/// that any other text goes through the table.
pub(crate) async fn send(
    db: &OwnerDb,
    channel: &str,
    node: &Uuid,
    text: &str,
    is_public: bool,
) -> Result<(), PgError> {
    let mut connection = db.connection().await?;
    if is_public && text.len() <= LONGEST {
        let notify = sqlx::query("select pg_notify($1, $2)").bind(channel).bind(text);
        notify.execute(&mut *connection).await?;
        return Ok(());
    }
    let notify = sqlx::query(
        "with kept as (
            insert into realtime.relay_payloads (payload)
            values ($2)
            returning id
        )
        select pg_notify($1, $3 || id::text)
        from kept",
    );
    let notify = notify.bind(channel).bind(text).bind(format!("{node}{MARK}"));
    notify.execute(&mut *connection).await?;
    Ok(())
}

/// The text of a notification, which may lie in the table; `None` if this process sent it, or if
/// the row is gone.
pub(crate) async fn text_of(
    db: &OwnerDb,
    notification: &str,
    own: &Uuid,
) -> Result<Option<RelayText>, PgError> {
    let reference = notification.split_once(MARK).and_then(|(node, id)| {
        let node: Uuid = node.parse().ok()?;
        Some((node, id.parse::<i64>().ok()?))
    });
    let Some((node, id)) = reference else {
        return Ok(Some(RelayText { text: notification.to_owned(), is_kept: false }));
    };
    if node == *own {
        return Ok(None);
    }
    let mut connection = db.connection().await?;
    let payload = sqlx::query_scalar("select payload from realtime.relay_payloads where id = $1");
    let text: Option<String> = payload.bind(id).fetch_optional(&mut *connection).await?;
    Ok(text.map(|text| RelayText { text, is_kept: true }))
}

/// Deletes texts that are older than a minute, which all processes have read.
pub(crate) async fn forget_old(db: &OwnerDb) -> Result<(), PgError> {
    let mut connection = db.connection().await?;
    let delete = sqlx::query(
        "delete from realtime.relay_payloads
        where inserted_at < now() - interval '1 minute'",
    );
    delete.execute(&mut *connection).await?;
    Ok(())
}
