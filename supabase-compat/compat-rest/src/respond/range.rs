//! `Content-Range`, the status it implies, and the planner's guess of a total.

use http::StatusCode;

/// `lower-upper/total`, with `*` for what is empty or unknown.
pub(super) fn content_range(offset: i64, rows: i64, total: Option<i64>) -> String {
    let total = total.map_or("*".to_owned(), |total| total.to_string());
    if rows <= 0 || total == "0" {
        return format!("*/{total}");
    }
    format!("{offset}-{}/{total}", offset.saturating_add(rows) - 1)
}

/// 200 for the whole or an unknown total, 206 for a part, 416 beyond the end.
pub(super) fn status(offset: i64, rows: i64, total: Option<i64>) -> StatusCode {
    match total {
        Some(total) if offset > total => StatusCode::RANGE_NOT_SATISFIABLE,
        Some(total) if rows < total => StatusCode::PARTIAL_CONTENT,
        _ => StatusCode::OK,
    }
}

/// `Plan Rows` of the topmost node of an `EXPLAIN (FORMAT JSON)`.
pub(crate) fn planned_rows(explained: &[u8]) -> Option<i64> {
    let plans: serde_json::Value = serde_json::from_slice(explained).ok()?;
    plans.get(0)?.get("Plan")?.get("Plan Rows")?.as_i64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_as_clients_read_them() {
        assert_eq!(content_range(0, 15, None), "0-14/*");
        assert_eq!(content_range(5, 0, None), "*/*");
        assert_eq!(content_range(0, 0, Some(0)), "*/0");
        assert_eq!(content_range(10, 5, Some(30)), "10-14/30");
    }

    #[test]
    fn the_status_follows_the_range() {
        assert_eq!(status(0, 15, None).as_u16(), 200);
        assert_eq!(status(0, 15, Some(15)).as_u16(), 200);
        assert_eq!(status(0, 10, Some(15)).as_u16(), 206);
        assert_eq!(status(16, 0, Some(15)).as_u16(), 416);
        assert_eq!(status(0, 0, Some(0)).as_u16(), 200);
    }
}
