//! Which slice of the rows: `limit`, `offset` and the `Range` header.

/// A slice of a result: how many rows to skip, how many to give at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    pub offset: i64,
    pub limit: Option<i64>,
}

impl Slice {
    /// True when nothing is cut away.
    pub fn is_whole(&self) -> bool {
        self.offset == 0 && self.limit.is_none()
    }

    /// The same slice with at most `rows` rows.
    pub fn capped(self, rows: Option<i64>) -> Self {
        let limit = match (self.limit, rows) {
            (Some(limit), Some(rows)) => Some(limit.min(rows)),
            (limit, rows) => limit.or(rows),
        };
        Self { limit, ..self }
    }

    /// The rows both slices show, counted from the start of the whole; `None` when there are none.
    pub fn intersect(self, other: Slice) -> Option<Slice> {
        let offset = self.offset.max(other.offset);
        let end = |slice: Slice| slice.limit.map(|limit| slice.offset.saturating_add(limit));
        let end = match (end(self), end(other)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        match end {
            Some(end) if end <= offset => None,
            end => Some(Slice { offset, limit: end.map(|end| end - offset) }),
        }
    }
}

/// Why a range cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeFault {
    NegativeLimit,
    LowerAboveUpper,
}

/// Reads `limit` and `offset`; what is no number, and a negative offset, counts as absent.
pub fn slice(limit: Option<&str>, offset: Option<&str>) -> Result<Slice, RangeFault> {
    let limit = limit.and_then(|text| text.trim().parse::<i64>().ok());
    let offset = offset.and_then(|text| text.trim().parse::<i64>().ok()).unwrap_or(0).max(0);
    if limit.is_some_and(|limit| limit < 0) {
        return Err(RangeFault::NegativeLimit);
    }
    Ok(Slice { offset, limit })
}

/// Reads `a-b` or `a-`; anything else is no range at all.
pub fn header(text: &str) -> Result<Option<Slice>, RangeFault> {
    let Some((lower, upper)) = text.trim().split_once('-') else { return Ok(None) };
    let Ok(lower) = lower.trim().parse::<i64>() else { return Ok(None) };
    if lower < 0 {
        return Ok(None);
    }
    if upper.trim().is_empty() {
        return Ok(Some(Slice { offset: lower, limit: None }));
    }
    let Ok(upper) = upper.trim().parse::<i64>() else { return Ok(None) };
    if upper < lower {
        return Err(RangeFault::LowerAboveUpper);
    }
    let limit = upper.saturating_sub(lower).saturating_add(1);
    Ok(Some(Slice { offset: lower, limit: Some(limit) }))
}

/// The slice of the top level: query parameters and header together.
pub fn top_level(query: Slice, header: Option<Slice>) -> Result<Slice, RangeFault> {
    match header {
        None => Ok(query),
        Some(_) if query.limit == Some(0) => Ok(query),
        Some(header) => query.intersect(header).ok_or(RangeFault::NegativeLimit),
    }
}
