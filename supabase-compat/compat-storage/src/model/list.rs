//! Queries for the contents of a bucket, and the cursor of a page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The sort column of entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Column {
    #[default]
    Name,
    UpdatedAt,
    CreatedAt,
    LastAccessedAt,
}

impl Column {
    /// The column's name on the wire and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::UpdatedAt => "updated_at",
            Self::CreatedAt => "created_at",
            Self::LastAccessedAt => "last_accessed_at",
        }
    }

    /// The column of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Name, Self::UpdatedAt, Self::CreatedAt, Self::LastAccessedAt];
        all.into_iter().find(|column| column.name() == name)
    }
}

/// One folder level of a bucket, paginated by offset.
#[derive(Debug, Clone, Default)]
pub struct LevelQuery {
    /// Empty, or a folder with its trailing slash.
    pub prefix: String,
    pub limit: u32,
    pub offset: u32,
    pub search: String,
    pub column: Column,
    pub falling: bool,
}

/// A page that follows a cursor.
#[derive(Debug, Clone, Default)]
pub struct PageQuery {
    pub prefix: String,
    pub limit: u32,
    pub column: Column,
    pub falling: bool,
    /// The last name of the previous page; empty for the first page.
    pub after: String,
    /// The timestamp of that entry, if entries are sorted by a timestamp.
    pub moment: String,
}

/// The cursor at the end of a page. Opaque to clients; it carries the order, so that the next page
/// cannot continue in another order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub after: String,
    pub moment: String,
    pub column: Column,
    pub falling: bool,
}

impl Cursor {
    /// Encodes the cursor for clients.
    pub fn write(&self) -> String {
        let order = if self.falling { "desc" } else { "asc" };
        let (name, column, moment) = (&self.after, self.column.name(), &self.moment);
        URL_SAFE_NO_PAD.encode(format!("l:{name}\no:{order}\nc:{column}\na:{moment}"))
    }

    /// Decodes a cursor that [`Self::write`] encoded; none for anything else.
    pub fn read(text: &str) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let mut lines = text.split('\n');
        let mut line = |mark: &str| lines.next()?.strip_prefix(mark).map(str::to_owned);
        let (after, order, column, moment) = (line("l:")?, line("o:")?, line("c:")?, line("a:")?);
        let column = Column::from_name(&column)?;
        let is_whole = lines.next().is_none() && matches!(order.as_str(), "asc" | "desc");
        let is_timed = moment.is_empty() || chrono::DateTime::parse_from_rfc3339(&moment).is_ok();
        let is_clean = !after.contains('\0') && (is_timed || column == Column::Name);
        (is_whole && is_clean).then(|| Self { after, moment, column, falling: order == "desc" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_cursors_are_none() {
        let of = |text: &str| Cursor::read(&URL_SAFE_NO_PAD.encode(text));
        assert!(of("l:a\no:asc\nc:name\na:").is_some());
        for wrong in [
            "",
            "l:a",
            "l:a\no:up\nc:name\na:",
            "l:a\no:asc\nc:id\na:",
            "l:a\no:asc\nc:created_at\na:soon",
            "l:a\no:asc\nc:name\na:\nx",
            "l:\0\no:asc\nc:name\na:",
        ] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
        assert_eq!(Cursor::read("*"), None);
    }

    #[test]
    fn random_cursors_round_trip_or_are_refused() {
        let inputs = ("[a-z/ ]{0,20}", proptest::prelude::any::<bool>(), "\\PC{0,40}");
        compat_testkit::property_test(
            "cursors",
            inputs,
            |(after, falling, junk): (String, bool, String)| {
                let cursor = Cursor { after, moment: String::new(), column: Column::Name, falling };
                assert_eq!(Cursor::read(&cursor.write()).as_ref(), Some(&cursor));
                if let Some(read) = Cursor::read(&junk) {
                    assert_eq!(read.write(), junk);
                }
            },
        );
    }
}
