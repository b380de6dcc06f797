//! The supported statements: one `select` over one log table, with its structs unnested.

mod expressions;

use super::QueryError;
use super::expression::{Cell, Expression};
use super::tables::Table;
use super::tokens::{self, Token};

/// The most rows in an answer, as in Logflare.
const MOST_ROWS: usize = 1000;
/// A parsed statement.
#[derive(Debug)]
pub(super) struct Select {
    pub items: Vec<Item>,
    pub table: Table,
    /// The table's name or alias, in lower case.
    pub alias: String,
    pub unnests: Vec<Unnest>,
    pub condition: Option<Expression>,
    /// Indexes of the items in `group by`.
    pub groups: Vec<usize>,
    pub order: Vec<SortKey>,
    pub limit: usize,
}

/// One column of the answer.
#[derive(Debug)]
pub(super) struct Item {
    pub name: String,
    pub value: ItemValue,
}

#[derive(Debug)]
pub(super) enum ItemValue {
    /// The value of each row, or of each group.
    Plain(Expression),
    /// A value over all rows of a group.
    Aggregate(Aggregate, Option<Expression>),
}

/// An aggregate function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aggregate {
    Count,
    CountIf,
    Sum,
    Average,
    Least,
    Greatest,
}

/// `unnest(m.request) as r`.
#[derive(Debug)]
pub(super) struct Unnest {
    pub path: Vec<String>,
    pub alias: String,
    /// Whether a row without a value is kept.
    pub is_left: bool,
}

/// A key of `order by`.
#[derive(Debug)]
pub(super) struct SortKey {
    pub by: SortBy,
    pub is_descending: bool,
}

#[derive(Debug)]
pub(super) enum SortBy {
    /// A column of the answer.
    Item(usize),
    /// Another expression over the row.
    Row(Expression),
}

/// Parses a statement.
pub(super) fn parse(sql: &str) -> Result<Select, QueryError> {
    let tokens = tokens::split(sql)?;
    let mut reader = Parser { tokens: &tokens, at: 0, depth: 0, values: 0 };
    let select = reader.select()?;
    reader.take(";");
    match reader.peek() {
        None => Ok(select),
        Some(token) => Err(unexpected(token)),
    }
}

fn unexpected(token: &Token) -> QueryError {
    let text = match token {
        Token::Word(text) | Token::Name(text) | Token::Text(text) | Token::Number(text) => {
            text.as_str()
        }
        Token::Sign(sign) => sign,
    };
    let text: String = text.chars().take(64).collect();
    QueryError::query(format!("Unsupported query: unexpected \"{text}\""))
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    values: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Result<Token, QueryError> {
        let token = self.peek().cloned();
        self.at += 1;
        token.ok_or_else(|| QueryError::query("Syntax error: Unexpected end of script"))
    }

    /// Consumes a sign or a keyword, if it comes next.
    fn take(&mut self, keyword: &str) -> bool {
        let is_next = match self.peek() {
            Some(Token::Sign(sign)) => *sign == keyword,
            Some(Token::Word(word)) => word.eq_ignore_ascii_case(keyword),
            _ => false,
        };
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, keyword: &str) -> Result<(), QueryError> {
        if self.take(keyword) {
            return Ok(());
        }
        Err(self.next().map_or_else(|error| error, |token| unexpected(&token)))
    }

    fn is_next(&self, keyword: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword))
    }

    fn select(&mut self) -> Result<Select, QueryError> {
        self.expect("select")?;
        let mut items = vec![self.item(0)?];
        while self.take(",") {
            // BigQuery allows a trailing comma.
            if self.is_next("from") {
                break;
            }
            items.push(self.item(items.len())?);
        }
        self.expect("from")?;
        let name = self.name()?;
        let table = Table::from_name(&name)
            .ok_or_else(|| QueryError::query(format!("Table \"{name}\" was not found")))?;
        let is_alias = !["cross", "left", "inner", "join", "where", "group", "order", "limit"]
            .iter()
            .any(|keyword| self.is_next(keyword));
        let alias = match self.take("as") || (is_alias && self.is_word()) {
            true => self.name()?,
            false => name,
        };
        let unnests = self.unnests()?;
        let condition = self.take("where").then(|| self.expression()).transpose()?;
        let groups = self.groups(&items)?;
        let order = self.order(&items)?;
        let limit = match self.take("limit") {
            true => self.number()?.min(MOST_ROWS),
            false => MOST_ROWS,
        };
        let select = Select { items, table, alias, unnests, condition, groups, order, limit };
        select.must_be_whole()
    }

    fn is_word(&self) -> bool {
        matches!(self.peek(), Some(Token::Word(_) | Token::Name(_)))
    }

    fn item(&mut self, place: usize) -> Result<Item, QueryError> {
        let aggregate = match self.peek() {
            Some(Token::Word(word)) => Aggregate::from_name(word),
            _ => None,
        };
        let is_call = matches!(self.tokens.get(self.at + 1), Some(Token::Sign("(")));
        let (value, name) = match aggregate.filter(|_| is_call) {
            Some(aggregate) => {
                self.at += 2;
                let of_all = aggregate == Aggregate::Count && self.take("*");
                let inner = if of_all { None } else { Some(self.expression()?) };
                self.expect(")")?;
                (ItemValue::Aggregate(aggregate, inner), None)
            }
            None => {
                let expression = self.expression()?;
                let name = match &expression {
                    Expression::Path(path) => path.last().cloned(),
                    _ => None,
                };
                (ItemValue::Plain(expression), name)
            }
        };
        let alias = match self.take("as") || (self.is_word() && !self.is_next("from")) {
            true => Some(self.name()?),
            false => None,
        };
        let name = alias.or(name).unwrap_or_else(|| format!("f{place}_"));
        Ok(Item { name, value })
    }

    fn unnests(&mut self) -> Result<Vec<Unnest>, QueryError> {
        let mut unnests = Vec::new();
        loop {
            let is_left = self.take("left");
            let is_join = if is_left {
                self.take("outer");
                self.expect("join")?;
                true
            } else if self.take("cross") || self.take("inner") {
                self.expect("join")?;
                true
            } else {
                self.take("join") || self.take(",")
            };
            if !is_join {
                return Ok(unnests);
            }
            self.expect("unnest")?;
            self.expect("(")?;
            let Expression::Path(path) = self.primary()? else {
                return Err(QueryError::query("Unsupported query: unnest of a value"));
            };
            self.expect(")")?;
            self.take("as");
            let alias = self.name()?;
            if self.take("on") {
                self.expect("true")?;
            }
            unnests.push(Unnest { path, alias, is_left });
        }
    }

    fn groups(&mut self, items: &[Item]) -> Result<Vec<usize>, QueryError> {
        let mut groups = Vec::new();
        if !self.take("group") {
            return Ok(groups);
        }
        self.expect("by")?;
        loop {
            let place = match self.sort_by(items)? {
                SortBy::Item(place) => place,
                SortBy::Row(_) => {
                    return Err(QueryError::query(
                        "Unsupported query: grouped by what is not selected",
                    ));
                }
            };
            groups.push(place);
            if !self.take(",") {
                return Ok(groups);
            }
        }
    }

    fn order(&mut self, items: &[Item]) -> Result<Vec<SortKey>, QueryError> {
        let mut keys = Vec::new();
        if !self.take("order") {
            return Ok(keys);
        }
        self.expect("by")?;
        loop {
            let by = self.sort_by(items)?;
            let is_descending = self.take("desc");
            if !is_descending {
                self.take("asc");
            }
            keys.push(SortKey { by, is_descending });
            if !self.take(",") {
                return Ok(keys);
            }
        }
    }

    /// A position in the list, the name of a column of the answer, or an expression.
    fn sort_by(&mut self, items: &[Item]) -> Result<SortBy, QueryError> {
        let expression = self.expression()?;
        let of_place = |place: i64| {
            let place = usize::try_from(place).ok()?.checked_sub(1)?;
            (place < items.len()).then_some(place)
        };
        let column = match &expression {
            Expression::Literal(Cell::Int(place)) => {
                let place = of_place(*place);
                return place.map(SortBy::Item).ok_or_else(|| {
                    QueryError::query("GROUP BY or ORDER BY position is not in the select list")
                });
            }
            Expression::Path(path) => items.iter().position(|item| match path.as_slice() {
                [name] => item.name == *name,
                path => matches!(&item.value,
                    ItemValue::Plain(Expression::Path(own)) if own == path),
            }),
            _ => None,
        };
        Ok(column.map_or(SortBy::Row(expression), SortBy::Item))
    }

    fn number(&mut self) -> Result<usize, QueryError> {
        match self.next()? {
            Token::Number(text) => {
                text.parse().map_err(|_| QueryError::query("Syntax error: LIMIT expects a number"))
            }
            other => Err(unexpected(&other)),
        }
    }

    fn name(&mut self) -> Result<String, QueryError> {
        match self.next()? {
            Token::Word(name) | Token::Name(name) => Ok(name.to_ascii_lowercase()),
            other => Err(unexpected(&other)),
        }
    }
}

impl Aggregate {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "count" => Self::Count,
            "countif" => Self::CountIf,
            "sum" => Self::Sum,
            "avg" => Self::Average,
            "min" => Self::Least,
            "max" => Self::Greatest,
            _ => return None,
        })
    }
}

impl Select {
    /// Whether the answer has one row for each group.
    pub fn is_grouped(&self) -> bool {
        let is_aggregate = |item: &Item| matches!(item.value, ItemValue::Aggregate(..));
        !self.groups.is_empty() || self.items.iter().any(is_aggregate)
    }

    /// Refuses a grouping that BigQuery refuses.
    fn must_be_whole(self) -> Result<Self, QueryError> {
        if !self.is_grouped() {
            return Ok(self);
        }
        for (place, item) in self.items.iter().enumerate() {
            let is_plain = matches!(item.value, ItemValue::Plain(_));
            if is_plain != self.groups.contains(&place) {
                let name = &item.name;
                return Err(QueryError::query(format!(
                    "SELECT list expression \"{name}\" is neither grouped nor aggregated"
                )));
            }
        }
        if self.order.iter().any(|key| matches!(key.by, SortBy::Row(_))) {
            return Err(QueryError::query("Unsupported query: ordered by what is not selected"));
        }
        Ok(self)
    }
}
