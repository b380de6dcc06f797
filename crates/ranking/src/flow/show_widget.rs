//! The facts of a server's widget, which other sites embed.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use crate::WidgetFacts;
use crate::model::plain_text::unescape;
use crate::store::widget;

/// The facts of a server's widget; `None` when there is no such server, or a visitor may not see
/// it.
#[tracing::instrument(name = "ranking.widget_facts", skip_all)]
pub async fn widget_facts(owner: &OwnerDb, server: Uuid) -> Result<Option<WidgetFacts>, PgError> {
    let mut owner = owner.begin().await?;
    let stored = widget::find(&mut owner, server).await?;
    owner.rollback().await?;
    Ok(stored.map(|facts| WidgetFacts { name: unescape(&facts.name), ..facts }))
}
