//! What time does to booked tiles.

use compat_pg::PgError;

use crate::State;
use crate::again::again;
use crate::store::arcade_spot;

/// Lets days go that were held for longer than they may be; how many reservations.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub(crate) async fn lapse(state: &State) -> Result<i32, PgError> {
    again(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let lapsed = arcade_spot::lapse(&mut owner, state.environment().clock.now()).await?;
        owner.commit().await?;
        Ok(lapsed)
    })
    .await
}

/// Opens the paid tiles whose first day has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub(crate) async fn open(state: &State) -> Result<i32, PgError> {
    again(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let opened = arcade_spot::open(&mut owner, state.environment().clock.now()).await?;
        owner.commit().await?;
        Ok(opened)
    })
    .await
}

/// Ends those whose last day is over; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub(crate) async fn end(state: &State) -> Result<i32, PgError> {
    again(|| async move {
        let mut owner = state.pools().jobs.begin().await?;
        let ended = arcade_spot::end(&mut owner, state.environment().clock.now()).await?;
        owner.commit().await?;
        Ok(ended)
    })
    .await
}
