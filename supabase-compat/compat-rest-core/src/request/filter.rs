//! Horizontal filters: `column=[not.]operator[modifier].value`.

use super::cursor::{Cursor, Miss, ParseFailure, Parsed};
use super::field::{self, Field};

/// Operators that compare a column with one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Like,
    ILike,
    Match,
    IMatch,
    Contains,
    ContainedIn,
    Overlaps,
    StrictlyLeft,
    StrictlyRight,
    NotRight,
    NotLeft,
    Adjacent,
}

const COMPARISONS: [(&str, Comparison); 18] = [
    ("eq", Comparison::Equal),
    ("neq", Comparison::NotEqual),
    ("gt", Comparison::Greater),
    ("gte", Comparison::GreaterOrEqual),
    ("lt", Comparison::Less),
    ("lte", Comparison::LessOrEqual),
    ("like", Comparison::Like),
    ("ilike", Comparison::ILike),
    ("match", Comparison::Match),
    ("imatch", Comparison::IMatch),
    ("cs", Comparison::Contains),
    ("cd", Comparison::ContainedIn),
    ("ov", Comparison::Overlaps),
    ("sl", Comparison::StrictlyLeft),
    ("sr", Comparison::StrictlyRight),
    ("nxr", Comparison::NotRight),
    ("nxl", Comparison::NotLeft),
    ("adj", Comparison::Adjacent),
];

impl Comparison {
    fn from_word(word: &str) -> Option<Self> {
        COMPARISONS.iter().find(|(name, _)| *name == word).map(|(_, comparison)| *comparison)
    }

    fn takes_quantifier(self) -> bool {
        use Comparison::*;
        matches!(
            self,
            Equal | Greater | GreaterOrEqual | Less | LessOrEqual | Like | ILike | Match | IMatch
        )
    }

    /// True for the two operators whose `*` means `%`.
    pub fn is_like(self) -> bool {
        matches!(self, Self::Like | Self::ILike)
    }
}

/// Compare with any or with all elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Any,
    All,
}

/// The right side of `is`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    Null,
    NotNull,
    True,
    False,
    Unknown,
}

/// Which function builds the text search query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullText {
    Query,
    Plain,
    Phrase,
    WebSearch,
}

/// An operator with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    Compare { comparison: Comparison, quantifier: Option<Quantifier>, value: String },
    In(Vec<String>),
    Is(Truth),
    IsDistinctFrom(String),
    FullText { function: FullText, language: Option<String>, value: String },
}

/// A filter on one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub field: Field,
    pub negated: bool,
    pub operation: Operation,
}

/// Parses the value side of `key=value`.
pub fn parse_operation(value: &str) -> Result<(bool, Operation), ParseFailure> {
    Cursor::parse(value, &format!("filter ({value})"), |cursor| {
        operation(cursor, &mut |c| Ok(c.take_rest().to_owned()))
    })
}

/// True when a value starts like an operator: on procedure calls it is then a filter, else an argument.
pub fn looks_like_filter(value: &str) -> bool {
    let mut parts = value.splitn(3, '.');
    let (first, second) = (parts.next().unwrap_or(""), parts.next());
    if first == "not" {
        return second.is_some() && parts.next().is_some();
    }
    let word = first.split('(').next().unwrap_or("");
    let known = matches!(word, "is" | "in" | "isdistinct" | "fts" | "plfts" | "phfts" | "wfts")
        || Comparison::from_word(word).is_some();
    known && (second.is_some() || first.contains('('))
}

/// `[not.]operator.value`, where the caller knows how far a value reaches.
pub fn operation<'a>(
    cursor: &mut Cursor<'a>,
    value: &mut dyn FnMut(&mut Cursor<'a>) -> Parsed<String>,
) -> Parsed<(bool, Operation)> {
    let negated = cursor.take("not.");
    if !negated {
        cursor.miss("\"not\"");
    }
    Ok((negated, positive_operation(cursor, value)?))
}

fn positive_operation<'a>(
    cursor: &mut Cursor<'a>,
    value: &mut dyn FnMut(&mut Cursor<'a>) -> Parsed<String>,
) -> Parsed<Operation> {
    if cursor.take("in.") {
        return in_list(cursor).map(Operation::In);
    }
    if cursor.take("is.") {
        return truth(cursor).map(Operation::Is);
    }
    if cursor.take("isdistinct.") {
        return value(cursor).map(Operation::IsDistinctFrom);
    }
    if let Some((function, language)) = cursor.attempt(full_text) {
        return Ok(Operation::FullText { function, language, value: value(cursor)? });
    }
    let (comparison, quantifier) =
        cursor.attempt(comparison).ok_or_else(|| cursor.miss("operator (eq, gt, ...)"))?;
    Ok(Operation::Compare { comparison, quantifier, value: value(cursor)? })
}

fn comparison(cursor: &mut Cursor<'_>) -> Parsed<(Comparison, Option<Quantifier>)> {
    let word = cursor.take_while(|c| c.is_ascii_lowercase());
    let comparison = Comparison::from_word(word).ok_or(Miss)?;
    let quantifier = if !comparison.takes_quantifier() {
        None
    } else if cursor.take("(any)") {
        Some(Quantifier::Any)
    } else if cursor.take("(all)") {
        Some(Quantifier::All)
    } else {
        None
    };
    if cursor.take(".") { Ok((comparison, quantifier)) } else { Err(Miss) }
}

fn full_text(cursor: &mut Cursor<'_>) -> Parsed<(FullText, Option<String>)> {
    let function = match cursor.take_while(|c| c.is_ascii_lowercase()) {
        "fts" => FullText::Query,
        "plfts" => FullText::Plain,
        "phfts" => FullText::Phrase,
        "wfts" => FullText::WebSearch,
        _ => return Err(Miss),
    };
    let language = if cursor.take("(") {
        let language = field::identifier(cursor)?;
        cursor.expect(")", "\")\"")?;
        Some(language)
    } else {
        None
    };
    if cursor.take(".") { Ok((function, language)) } else { Err(Miss) }
}

fn truth(cursor: &mut Cursor<'_>) -> Parsed<Truth> {
    let words = [
        ("null", Truth::Null),
        ("not_null", Truth::NotNull),
        ("true", Truth::True),
        ("false", Truth::False),
        ("unknown", Truth::Unknown),
    ];
    let found = words.into_iter().find(|(word, _)| cursor.take_ignoring_case(word));
    found
        .map(|(_, truth)| truth)
        .ok_or_else(|| cursor.miss("isVal: (null, not_null, true, false, unknown)"))
}

/// `(a,"b,c",d)`; quotes only count when they enclose a whole element.
pub fn in_list(cursor: &mut Cursor<'_>) -> Parsed<Vec<String>> {
    cursor.blanks();
    cursor.expect("(", "\"(\"")?;
    cursor.blanks();
    let mut elements = Vec::new();
    loop {
        elements.push(list_element(cursor));
        if !cursor.take(",") {
            break;
        }
    }
    cursor.expect(")", "\",\" or \")\"")?;
    cursor.blanks();
    if let [only] = elements.as_slice()
        && only.is_empty()
    {
        elements.clear();
    }
    Ok(elements)
}

fn list_element(cursor: &mut Cursor<'_>) -> String {
    let quoted = cursor.attempt(|c| {
        let text = field::quoted(c)?;
        if c.sees(",") || c.sees(")") { Ok(text) } else { Err(Miss) }
    });
    quoted.unwrap_or_else(|| cursor.take_while(|c| c != ',' && c != ')').to_owned())
}
