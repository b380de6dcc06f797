//! Values as text on the way in, bytes as they came on the way out.

use std::{error::Error, fmt};

use tokio_postgres::types::{
    Format, FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked,
};

type Cause = Box<dyn Error + Sync + Send>;

/// A value in text form for a parameter of any type: the server's input function reads it.
#[derive(Clone, Copy)]
pub struct TextParam<'a>(pub Option<&'a str>);

/// The driver prints parameters when it logs; values are nobody's business there.
impl fmt::Debug for TextParam<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "…" } else { "null" })
    }
}

impl ToSql for TextParam<'_> {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Cause> {
        match self.0 {
            Some(text) => {
                out.extend_from_slice(text.as_bytes());
                Ok(IsNull::No)
            }
            None => Ok(IsNull::Yes),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

/// The bytes of a column exactly as the server sent them: for `text` and `json` the text itself.
/// `None` is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub Option<&'a [u8]>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, bytes: &'a [u8]) -> Result<Self, Cause> {
        Ok(Self(Some(bytes)))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Cause> {
        Ok(Self(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
