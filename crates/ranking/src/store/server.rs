//! `public.servers_public`: what a vote needs to know of the server it is for.

use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::nickname::Nickname;

/// Whether the nickname fits the rule of the server's game, which may have none; `None` when the
/// server is not a public one.
pub(crate) async fn admits_nickname(
    owner: &mut Owner,
    server: Uuid,
    nickname: &Nickname,
) -> Result<Option<bool>, PgError> {
    let fits = sqlx::query_scalar(
        "select coalesce($2 ~ ('^(?:' || games.nickname_pattern || ')$'), true)
         from public.servers_public
         join public.games on games.id = servers_public.game_id
         where servers_public.id = $1",
    )
    .bind(server)
    .bind(nickname.as_str())
    .fetch_optional(&mut **owner)
    .await?;
    Ok(fits)
}
