//! `POST /import`: a CSV file for a table. The first line of the body describes the import as JSON;
//! the file follows.

use axum::Extension;
use axum::body::BodyDataStream;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};
use http::StatusCode;

use crate::error::ConsoleError;
use crate::flow;
use crate::flow::import::ImportOrder;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::guard::{DisconnectToken, require_role, with_summary};

/// The longest description, in bytes: it may name every column of a table.
const LONGEST_ORDER: usize = 512 * 1024;

/// `POST /import`.
pub(crate) async fn run(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Extension(DisconnectToken(disconnect)): Extension<DisconnectToken>,
    request: Request,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Developer)?;
    let (order, file) = open(request.into_body().into_data_stream()).await?;
    let name = format!("{}.{}", order.schema, order.table);
    let done = flow::import::run(&state, &operator, order, file, disconnect).await;
    Ok(match done {
        Ok(outcome) if outcome.imported == 0 && !outcome.refused.is_empty() => {
            let summary = format!("import into {name}: no row, {} refused", outcome.refused.len());
            with_summary(ConsoleError::RowsRefused(Box::new(outcome)), summary)
        }
        Ok(outcome) => {
            let refused_count = outcome.refused.len();
            let summary =
                format!("import into {name}: {} rows, {refused_count} refused", outcome.imported);
            with_summary(compat_http::json(StatusCode::OK, &outcome.body()), summary)
        }
        Err(refusal) => with_summary(refusal.into_response(), format!("import into {name}")),
    })
}

/// Reads the description before a file; returns it with the rest of the body.
async fn open(
    mut body: BodyDataStream,
) -> Result<(ImportOrder, impl Stream<Item = Result<Bytes, ConsoleError>>), ConsoleError> {
    let invalid = |text: &str| ConsoleError::InvalidRequest(text.to_owned());
    let incomplete = |_| ConsoleError::InvalidRequest("the file did not arrive".to_owned());
    let mut line = BytesMut::new();
    let end = loop {
        if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
            break end;
        }
        if line.len() > LONGEST_ORDER {
            return Err(invalid("the order in its first line is too long"));
        }
        let piece = body.next().await.ok_or_else(|| invalid("its first line has no end"))?;
        line.extend_from_slice(&piece.map_err(incomplete)?);
    };
    let mut rest = line.split_off(end).freeze();
    let order = serde_json::from_slice(&line);
    let order = order.map_err(|_| invalid("its first line is no order for an import"))?;
    let first = rest.split_off(1);
    let file = stream::iter([Ok(first)]).chain(body.map(move |piece| piece.map_err(incomplete)));
    Ok((order, file))
}
