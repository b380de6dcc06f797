//! The `select` clause: columns, casts, aggregates, and the tree of embeds.

use super::cursor::{Cursor, END, ParseFailure, ParseResult};
use super::field::{self, Field};

/// An aggregate function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    Sum,
    Avg,
    Count,
    Max,
    Min,
}

impl Aggregate {
    /// Its name, which is also the key it answers under.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Avg => "avg",
            Self::Count => "count",
            Self::Max => "max",
            Self::Min => "min",
        }
    }
}

/// Whether parents without children stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Left,
    Inner,
}

/// One selected column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectField {
    pub field: Field,
    pub alias: Option<String>,
    /// Type the column is cast to, before an aggregate.
    pub cast: Option<String>,
    pub aggregate: Option<Aggregate>,
    /// Type the aggregate's result is cast to.
    pub aggregate_cast: Option<String>,
}

/// One embedded resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectEmbed {
    pub target: String,
    pub alias: Option<String>,
    pub hint: Option<String>,
    pub join: Option<Join>,
    /// `...target(…)`: columns go into the parent.
    pub spread: bool,
    pub items: Vec<SelectItem>,
}

/// One item of a select list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectItem {
    Field(SelectField),
    Embed(SelectEmbed),
}

/// Parses a whole select clause; an empty one means all columns.
pub fn parse(text: &str) -> Result<Vec<SelectItem>, ParseFailure> {
    let text = if text.trim().is_empty() { "*" } else { text };
    // Fields check their own end; text after an embed's closing parenthesis is ignored, as in
    // PostgREST.
    Cursor::parse(text, &format!("select parameter ({text})"), list)
}

fn list(cursor: &mut Cursor<'_>) -> ParseResult<Vec<SelectItem>> {
    let mut items = Vec::new();
    loop {
        cursor.room_for(items.len())?;
        cursor.blanks();
        items.push(item(cursor)?);
        cursor.blanks();
        if !cursor.take(",") {
            return Ok(items);
        }
    }
}

fn item(cursor: &mut Cursor<'_>) -> ParseResult<SelectItem> {
    if !cursor.sees("...") {
        let starts = ["\"...\"", "field name (* or [a..z0..9_$])", "\"*\"", "\"count()\""];
        for label in starts {
            cursor.miss(label);
        }
    }
    // Two dots are the older spelling.
    let spread = cursor.take("...") || cursor.take("..");
    if let Some(head) = cursor.attempt(|c| embed_head(c, spread)) {
        cursor.count_embed()?;
        let items = cursor.nested(embed_items)?;
        return Ok(SelectItem::Embed(SelectEmbed { items, ..head }));
    }
    if spread {
        return embed_head(cursor, spread).map(SelectItem::Embed);
    }
    select_field(cursor).map(SelectItem::Field)
}

/// `alias:target!hint!inner(`, up to and with the parenthesis.
fn embed_head(cursor: &mut Cursor<'_>, spread: bool) -> ParseResult<SelectEmbed> {
    let alias = if spread { None } else { cursor.attempt(alias) };
    let target = field::name(cursor)?;
    let (mut hint, mut join) = (None, None);
    for _ in 0..2 {
        if !cursor.take("!") {
            break;
        }
        match field::name(cursor)?.as_str() {
            "inner" => join = join.or(Some(Join::Inner)),
            "left" => join = join.or(Some(Join::Left)),
            other => hint = hint.or(Some(other.to_owned())),
        }
    }
    cursor.blanks();
    cursor.expect("(", "\"(\"")?;
    if target == "count" && !spread {
        return Err(cursor.miss("\"count()\""));
    }
    Ok(SelectEmbed { target, alias, hint, join, spread, items: Vec::new() })
}

fn embed_items(cursor: &mut Cursor<'_>) -> ParseResult<Vec<SelectItem>> {
    cursor.blanks();
    if cursor.take(")") {
        return Ok(Vec::new());
    }
    let items = list(cursor)?;
    cursor.expect(")", "\")\"")?;
    Ok(items)
}

fn alias(cursor: &mut Cursor<'_>) -> ParseResult<String> {
    cursor.blanks();
    let name = field::name(cursor)?;
    cursor.blanks();
    cursor.expect(":", "\":\"")?;
    if cursor.sees(":") {
        return Err(cursor.miss("field name (* or [a..z0..9_$])"));
    }
    cursor.blanks();
    Ok(name)
}

fn select_field(cursor: &mut Cursor<'_>) -> ParseResult<SelectField> {
    let alias = cursor.attempt(alias);
    if let Some(field) = cursor.attempt(bare_count) {
        return tail(cursor, field, alias, None, Some(Aggregate::Count));
    }
    if cursor.take("*") {
        let aggregate = cursor.attempt(aggregate);
        return tail(cursor, Field::plain("*"), alias, None, aggregate);
    }
    let field = field::field(cursor)?;
    let cast = cast(cursor)?;
    let aggregate = cursor.attempt(aggregate);
    tail(cursor, field, alias, cast, aggregate)
}

fn tail(
    cursor: &mut Cursor<'_>,
    field: Field,
    alias: Option<String>,
    cast_before: Option<String>,
    aggregate: Option<Aggregate>,
) -> ParseResult<SelectField> {
    let aggregate_cast = if aggregate.is_some() { cast(cursor)? } else { None };
    cursor.blanks();
    if !cursor.rest().is_empty() && !cursor.sees(",") && !cursor.sees(")") {
        if cast_before.is_none() && aggregate.is_none() && field.name != "*" {
            cursor.miss("\"::\"");
        }
        if aggregate.is_none() && field.name != "*" {
            cursor.miss("\".\"");
        }
        cursor.miss("\")\"");
        cursor.miss("\",\"");
        return Err(cursor.miss(END));
    }
    Ok(SelectField { field, alias, cast: cast_before, aggregate, aggregate_cast })
}

fn bare_count(cursor: &mut Cursor<'_>) -> ParseResult<Field> {
    cursor.expect("count()", "\"count()\"")?;
    Ok(Field::plain("*"))
}

fn cast(cursor: &mut Cursor<'_>) -> ParseResult<Option<String>> {
    if cursor.take("::") { field::identifier(cursor).map(Some) } else { Ok(None) }
}

fn aggregate(cursor: &mut Cursor<'_>) -> ParseResult<Aggregate> {
    cursor.expect(".", "\".\"")?;
    let all = [Aggregate::Sum, Aggregate::Avg, Aggregate::Count, Aggregate::Max, Aggregate::Min];
    let function = all.into_iter().find(|a| cursor.take(a.name()));
    let aggregate =
        function.ok_or_else(|| cursor.miss("aggregate function (sum, avg, count, max, min)"))?;
    cursor.expect("()", "\"()\"")?;
    Ok(aggregate)
}
