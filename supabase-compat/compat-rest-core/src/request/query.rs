//! The query string: which parameter belongs to which clause.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::cursor::{Cursor, ParseFailure};
use super::field::{self, Field};
use super::filter::{self, Filter};
use super::logic::{self, Logic};
use super::nesting::{self, MAX_BRACKETS};
use super::order::{self, OrderTerm};
use super::range::{self, RangeFault, Slice};
use super::select::{self, SelectItem};

/// Names of embeds from the top down; empty for the top level.
pub type EmbedPath = Vec<String>;

/// Everything the query string says, clause by clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pub select: Vec<SelectItem>,
    pub filters: Vec<(EmbedPath, Filter)>,
    pub logic: Vec<(EmbedPath, Logic)>,
    pub order: Vec<(EmbedPath, Vec<OrderTerm>)>,
    pub slices: Vec<(EmbedPath, Slice)>,
    /// `limit` or `offset` of the top level.
    pub top: Slice,
    pub columns: Option<Vec<String>>,
    pub on_conflict: Option<Vec<String>>,
    /// Arguments of a procedure called by GET.
    pub arguments: Vec<(String, String)>,
    /// The query string with sorted keys, for `Content-Location`.
    pub canonical: String,
}

/// Why a query string is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryFault {
    Parse(ParseFailure),
    Range(RangeFault),
}

impl From<ParseFailure> for QueryFault {
    fn from(failure: ParseFailure) -> Self {
        Self::Parse(failure)
    }
}

const UNRESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Percent-encodes a query key or value.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, &UNRESERVED).to_string()
}

/// Splits `a=b&c=d` or `a=b;c=d`, `+` being a space; a pair without `=` has an empty value.
pub fn decode_pairs(text: &str) -> Vec<(String, String)> {
    split(text).into_iter().map(|(key, value)| (key, value.unwrap_or_default())).collect()
}

fn split(text: &str) -> Vec<(String, Option<String>)> {
    let decode =
        |part: &str| percent_decode_str(&part.replace('+', " ")).decode_utf8_lossy().into_owned();
    text.split(['&', ';'])
        .filter(|pair| !pair.is_empty())
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) => (decode(key), Some(decode(value))),
            None => (decode(pair), None),
        })
        .collect()
}

impl Query {
    /// True if a filter is a regular expression that may hold a back reference, with which a
    /// stranger could keep the database busy.
    pub fn may_refer_back(&self) -> bool {
        self.filters.iter().any(|(_, filter)| filter.may_refer_back())
            || self.logic.iter().any(|(_, logic)| logic.may_refer_back())
    }

    /// Reads a query string. `arguments_allowed` is set for procedures called by GET or HEAD, where
    /// a value without operator is an argument.
    pub fn parse(text: &str, arguments_allowed: bool) -> Result<Self, QueryFault> {
        let pairs = split(text);
        let mut query = Self { canonical: canonical(&pairs), ..Self::default() };
        let mut ranges = RangeWords::default();
        let mut select_text = None;
        for (key, value) in pairs {
            let Some(value) = value else { continue };
            match key.as_str() {
                "select" => select_text = select_text.or(Some(value)),
                "columns" => query.columns = names("columns parameter", &value, query.columns)?,
                "on_conflict" => {
                    query.on_conflict = names("on_conflict parameter", &value, query.on_conflict)?;
                }
                _ => query.take_pair(key, value, arguments_allowed, &mut ranges)?,
            }
        }
        query.select = select::parse(select_text.as_deref().unwrap_or("*"))?;
        query.slices = ranges.slices()?;
        if let Some(at) = query.slices.iter().position(|(path, _)| path.is_empty()) {
            query.top = query.slices.swap_remove(at).1;
        }
        Ok(query)
    }

    fn take_pair(
        &mut self,
        key: String,
        value: String,
        arguments_allowed: bool,
        ranges: &mut RangeWords,
    ) -> Result<(), QueryFault> {
        match last_word(&key) {
            "order" => self.order.push((embed_path(&key)?, order::parse(&value)?)),
            "and" | "or" => {
                self.logic.push(logic::parse(&key, &value)?);
                shallow("logic tree", &value)?;
            }
            "limit" => ranges.set(embed_path(&key)?, |words| &mut words.0, value),
            "offset" => ranges.set(embed_path(&key)?, |words| &mut words.1, value),
            // PostgREST's rule for calls by GET: a value that reads as a filter is one, any other
            // is an argument.
            _ if arguments_allowed && !filter::looks_like_filter(&value) => {
                shallow("filter", &value)?;
                self.arguments.push((tree_path(&key)?.1.name, value));
            }
            _ => {
                shallow("filter", &value)?;
                self.filters.push(filter_pair(&key, &value)?);
            }
        }
        Ok(())
    }

    /// Filters of the top level, which choose the rows of a write.
    pub fn root_filters(&self) -> impl Iterator<Item = &Filter> {
        self.filters.iter().filter(|(path, _)| path.is_empty()).map(|(_, filter)| filter)
    }
}

fn names(
    subject: &str,
    value: &str,
    known: Option<Vec<String>>,
) -> Result<Option<Vec<String>>, ParseFailure> {
    match known {
        Some(known) => Ok(Some(known)),
        None => Cursor::parse(value, &format!("{subject} ({value})"), field::names).map(Some),
    }
}

/// Refuses a value deeper than PostgreSQL reads.
fn shallow(subject: &str, value: &str) -> Result<(), ParseFailure> {
    if nesting::depth(value) <= MAX_BRACKETS {
        return Ok(());
    }
    Err(ParseFailure {
        message: format!("\"failed to parse {subject} ({value})\" (line 1, column 1)"),
        details: format!("nesting deeper than {MAX_BRACKETS} levels"),
    })
}

fn filter_pair(key: &str, value: &str) -> Result<(EmbedPath, Filter), ParseFailure> {
    let (path, field) = tree_path(key)?;
    let (negated, operation) = filter::parse_operation(value)?;
    Ok((path, Filter { field, negated, operation }))
}

fn tree_path(key: &str) -> Result<(EmbedPath, Field), ParseFailure> {
    Cursor::parse(key, &format!("tree path ({key})"), |cursor| {
        let path = field::tree_path(cursor)?;
        cursor.end()?;
        Ok(path)
    })
}

fn embed_path(key: &str) -> Result<EmbedPath, ParseFailure> {
    tree_path(key).map(|(path, _)| path)
}

fn last_word(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or("")
}

/// Sorted by key; values of one key follow each other behind commas, as PostgREST writes them.
fn canonical(pairs: &[(String, Option<String>)]) -> String {
    let mut sorted: Vec<_> = pairs.iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let mut text = String::new();
    let mut last = None;
    for (key, value) in sorted {
        if last == Some(key) {
            text.push(',');
        } else {
            text.push_str(if last.is_some() { "&" } else { "" });
            text.push_str(&encode(key));
            text.push('=');
        }
        text.push_str(&encode(value.as_deref().unwrap_or("")));
        last = Some(key);
    }
    text
}

/// The texts of `limit` and `offset` of one level.
type LimitAndOffset = (Option<String>, Option<String>);

/// `limit` and `offset` texts by level, until all are known; the last of a kind counts.
#[derive(Default)]
struct RangeWords(BTreeMap<EmbedPath, LimitAndOffset>);

impl RangeWords {
    fn set(
        &mut self,
        path: EmbedPath,
        slot: impl Fn(&mut LimitAndOffset) -> &mut Option<String>,
        value: String,
    ) {
        *slot(self.0.entry(path).or_default()) = Some(value);
    }

    fn slices(self) -> Result<Vec<(EmbedPath, Slice)>, QueryFault> {
        self.0
            .into_iter()
            .map(|(path, (limit, offset))| {
                range::slice(limit.as_deref(), offset.as_deref())
                    .map(|slice| (path, slice))
                    .map_err(QueryFault::Range)
            })
            .collect()
    }
}
