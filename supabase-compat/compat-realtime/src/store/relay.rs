//! Notifications of processes to each other, and texts that are too long for one.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

/// Bytes of the longest text that a notification carries. PostgreSQL refuses 8000.
const LONGEST: usize = 7_500;
/// What stands between the process and the number of a text in the table.
const MARK: char = '#';

/// The text of a notification.
pub(crate) struct RelayText {
    pub text: String,
    /// Whether it lay in the table, which only this service reads and writes. Any login of the
    /// database can hear a notification, and send one.
    pub is_kept: bool,
}

/// Notifies everybody who listens to `channel` of `text`, which any login may hear only if it is
/// public.
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

/// The text of a notification, from the table where it lies there; none where it is this process's
/// own or not there any more.
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
    let found = sqlx::query_scalar("select payload from realtime.relay_payloads where id = $1");
    let text: Option<String> = found.bind(id).fetch_optional(&mut *connection).await?;
    Ok(text.map(|text| RelayText { text, is_kept: true }))
}

/// Deletes texts that everybody has read.
pub(crate) async fn forget_old(db: &OwnerDb) -> Result<(), PgError> {
    let mut connection = db.connection().await?;
    let delete = sqlx::query(
        "delete from realtime.relay_payloads
        where inserted_at < now() - interval '1 minute'",
    );
    delete.execute(&mut *connection).await?;
    Ok(())
}
