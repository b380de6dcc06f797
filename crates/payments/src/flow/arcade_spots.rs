//! Bookings of Arcade spots: reservations that expire, days that begin and end.

use compat_pg::PgError;

use crate::State;
use crate::retry::retry_on_conflict;
use crate::store::arcade_spot;

/// Lets days go that were held for longer than they may be; how many reservations.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub(crate) async fn expire_reservations(state: &State) -> Result<i32, PgError> {
    retry_on_conflict(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let expired =
            arcade_spot::expire_reservations(&mut owner, state.edge().clock.now()).await?;
        owner.commit().await?;
        Ok(expired)
    })
    .await
}

/// Opens the paid tiles whose first day has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub(crate) async fn start(state: &State) -> Result<i32, PgError> {
    retry_on_conflict(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let started = arcade_spot::start(&mut owner, state.edge().clock.now()).await?;
        owner.commit().await?;
        Ok(started)
    })
    .await
}

/// Ends those whose last day is over; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub(crate) async fn end(state: &State) -> Result<i32, PgError> {
    retry_on_conflict(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let ended = arcade_spot::end(&mut owner, state.edge().clock.now()).await?;
        owner.commit().await?;
        Ok(ended)
    })
    .await
}
