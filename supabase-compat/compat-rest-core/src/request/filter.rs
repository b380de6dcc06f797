//! Horizontal filters: `column=[not.]operator[modifier].value`.

use super::cursor::{Cursor, ParseFailure, ParseMiss, ParseResult};
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
    fn takes_quantifier(self) -> bool {
        use Comparison::*;
        matches!(
            self,
            Equal | Greater | GreaterOrEqual | Less | LessOrEqual | Like | ILike | Match | IMatch
        )
    }

    /// True for the two operators that take a regular expression.
    fn is_match(self) -> bool {
        matches!(self, Self::Match | Self::IMatch)
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
pub enum IsValue {
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
    Is(IsValue),
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

impl Operation {
    /// True for a regular expression that may hold a back reference: PostgreSQL then tries every
    /// way the groups can match, which takes a time without bound. Where in doubt it is one: an
    /// escaped backslash before a digit, and among several patterns, which are escaped once more
    /// and may be quoted.
    fn may_refer_back(&self) -> bool {
        let Self::Compare { comparison, quantifier, value } = self else { return false };
        let refers = |pattern: &str| {
            let mut parts = pattern.split('\\').skip(1);
            parts.any(|part| part.starts_with(|c| matches!(c, '1'..='9')))
        };
        comparison.is_match()
            && match quantifier {
                Some(_) => refers(&value.replace('"', "")),
                None => refers(value),
            }
    }
}

impl Filter {
    /// See [`Query::may_refer_back`](super::query::Query::may_refer_back).
    pub(super) fn may_refer_back(&self) -> bool {
        self.operation.may_refer_back()
    }
}

/// Parses the value side of `key=value`.
pub fn parse_operation(value: &str) -> Result<(bool, Operation), ParseFailure> {
    Cursor::parse(value, &format!("filter ({value})"), |cursor| {
        operation(cursor, &mut |c| Ok(c.take_rest().to_owned()))
    })
}

/// True when a value is to be read as a filter: on procedure calls everything else is an argument.
/// What starts with one of three words cannot be anything but a filter, a broken one included.
pub fn looks_like_filter(value: &str) -> bool {
    ["not.", "in.", "is."].iter().any(|word| value.starts_with(word))
        || parse_operation(value).is_ok()
}

/// The name of an operator in messages.
const OPERATOR: &str = "operator (eq, gt, ...)";

/// Operators with a grammar of their own.
#[derive(Clone, Copy)]
enum Word {
    In,
    Is,
    IsDistinct,
    FullText(FullText),
    Compare(Comparison),
}

const WORDS: [(&str, Word); 7] = [
    ("in", Word::In),
    ("is", Word::Is),
    ("isdistinct", Word::IsDistinct),
    ("fts", Word::FullText(FullText::Query)),
    ("plfts", Word::FullText(FullText::Plain)),
    ("phfts", Word::FullText(FullText::Phrase)),
    ("wfts", Word::FullText(FullText::WebSearch)),
];

/// `[not.]operator.value`, where the caller knows how far a value reaches.
pub fn operation<'a>(
    cursor: &mut Cursor<'a>,
    value: &mut dyn FnMut(&mut Cursor<'a>) -> ParseResult<String>,
) -> ParseResult<(bool, Operation)> {
    cursor.miss_text("not", "\"not\"");
    let negated = cursor.take("not.");
    Ok((negated, positive_operation(cursor, value)?))
}

fn positive_operation<'a>(
    cursor: &mut Cursor<'a>,
    value: &mut dyn FnMut(&mut Cursor<'a>) -> ParseResult<String>,
) -> ParseResult<Operation> {
    match word(cursor)? {
        Word::In => {
            delimiter(cursor)?;
            in_list(cursor).map(Operation::In)
        }
        Word::Is => {
            delimiter(cursor)?;
            is_value(cursor).map(Operation::Is)
        }
        Word::IsDistinct => {
            delimiter(cursor)?;
            value(cursor).map(Operation::IsDistinctFrom)
        }
        Word::FullText(function) => {
            let language = language(cursor)?;
            delimiter(cursor)?;
            Ok(Operation::FullText { function, language, value: value(cursor)? })
        }
        Word::Compare(comparison) => {
            let quantifier = quantifier(cursor, comparison)?;
            delimiter(cursor)?;
            Ok(Operation::Compare { comparison, quantifier, value: value(cursor)? })
        }
    }
}

/// The longest operator at the current position.
fn word(cursor: &mut Cursor<'_>) -> ParseResult<Word> {
    let comparisons = COMPARISONS.iter().map(|(name, c)| (*name, Word::Compare(*c)));
    let standing =
        WORDS.into_iter().chain(comparisons).filter(|(name, _)| cursor.rest().starts_with(name));
    let longest = standing.max_by_key(|(name, _)| name.len());
    let (name, word) = longest.ok_or_else(|| cursor.miss(OPERATOR))?;
    cursor.take(name);
    Ok(word)
}

fn delimiter(cursor: &mut Cursor<'_>) -> ParseResult<()> {
    cursor.expect(".", OPERATOR)
}

fn quantifier(cursor: &mut Cursor<'_>, comparison: Comparison) -> ParseResult<Option<Quantifier>> {
    if !comparison.takes_quantifier() || !cursor.take("(") {
        return Ok(None);
    }
    let quantifier = if cursor.take("any") {
        Quantifier::Any
    } else {
        cursor.expect("all", OPERATOR)?;
        Quantifier::All
    };
    cursor.expect(")", OPERATOR)?;
    Ok(Some(quantifier))
}

fn language(cursor: &mut Cursor<'_>) -> ParseResult<Option<String>> {
    if !cursor.take("(") {
        return Ok(None);
    }
    let Some(language) = cursor.attempt(field::identifier) else {
        return Err(cursor.miss(OPERATOR));
    };
    cursor.expect(")", OPERATOR)?;
    Ok(Some(language))
}

fn is_value(cursor: &mut Cursor<'_>) -> ParseResult<IsValue> {
    let words = [
        ("null", IsValue::Null),
        ("not_null", IsValue::NotNull),
        ("true", IsValue::True),
        ("false", IsValue::False),
        ("unknown", IsValue::Unknown),
    ];
    let pair = words.into_iter().find(|(word, _)| cursor.take_ignoring_case(word));
    pair.map(|(_, value)| value)
        .ok_or_else(|| cursor.miss("isVal: (null, not_null, true, false, unknown)"))
}

/// `(a,"b,c",d)`; quotes only count when they enclose a whole element.
pub fn in_list(cursor: &mut Cursor<'_>) -> ParseResult<Vec<String>> {
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
    cursor.miss("\",\"");
    cursor.expect(")", "\")\"")?;
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
        if c.sees(",") || c.sees(")") { Ok(text) } else { Err(ParseMiss) }
    });
    quoted.unwrap_or_else(|| cursor.take_while(|c| c != ',' && c != ')').to_owned())
}
