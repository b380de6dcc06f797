//! Types named by the client in `::type`.
//!
//! SQL spells some types with keywords that stop working once quoted; those are recognised here and
//! become static text. Every other name is an identifier and is quoted.

/// A type to cast to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CastType {
    /// A spelling of SQL's own grammar.
    Keyword(&'static str),
    /// A type found through the search path.
    Named(String),
}

const KEYWORDS: [(&str, &str); 24] = [
    ("int", "integer"),
    ("integer", "integer"),
    ("smallint", "smallint"),
    ("bigint", "bigint"),
    ("real", "real"),
    ("float", "double precision"),
    ("double precision", "double precision"),
    ("decimal", "numeric"),
    ("dec", "numeric"),
    ("numeric", "numeric"),
    ("boolean", "boolean"),
    ("char", "character"),
    ("character", "character"),
    ("character varying", "character varying"),
    ("char varying", "character varying"),
    ("nchar", "character"),
    ("bit", "bit"),
    ("bit varying", "bit varying"),
    ("time with time zone", "time with time zone"),
    ("time without time zone", "time without time zone"),
    ("timestamp with time zone", "timestamp with time zone"),
    ("timestamp without time zone", "timestamp without time zone"),
    ("national character", "character"),
    ("national character varying", "character varying"),
];

impl CastType {
    /// Reads a type name: letters, digits, `_ $` and inner blanks, as the parser allows.
    pub fn new(text: &str) -> Self {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let name = words.join(" ");
        match KEYWORDS.iter().find(|(spelling, _)| *spelling == name) {
            Some((_, keyword)) => Self::Keyword(keyword),
            None => Self::Named(name),
        }
    }
}
