//! Lays statements out.

use sqlformat::{Dialect, FormatOptions, Indent, QueryParams};

use crate::MetaError;

/// Bytes of the longest text: the layout reads it as one.
const LONGEST: usize = 256 * 1024;

/// The statements, a clause a line.
///
/// # Errors
/// The text is too long, or the formatter fails on it.
pub(crate) async fn format(query: String) -> Result<String, MetaError> {
    if query.len() > LONGEST {
        return Err(MetaError::BodyTooLarge);
    }
    let formatted = tokio::task::spawn_blocking(move || {
        let options = FormatOptions {
            indent: Indent::Spaces(2),
            lines_between_queries: 2,
            dialect: Dialect::PostgreSql,
            ..FormatOptions::default()
        };
        let mut text = sqlformat::format(&query, &QueryParams::None, &options);
        text.push('\n');
        text
    });
    formatted.await.map_err(|error| MetaError::Invalid(format!("the formatter failed: {error}")))
}
