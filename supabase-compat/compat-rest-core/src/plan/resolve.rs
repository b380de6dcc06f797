//! Resolves names to operands, with the types and representations of their columns.

use super::cast::CastType;
use super::condition::{Condition, Operand, Test, TestValue};
use super::error::PlanError;
use super::node::{AggregateCall, OutputColumn, Value};
use crate::request::field::{Field, JsonOperand};
use crate::request::filter::{Comparison, Filter, IsValue, Operation};
use crate::request::logic::Logic;
use crate::request::select::SelectField;
use crate::schema::{Column, QualifiedName, SchemaCache, Table};

/// The relation names are resolved against, if it is known at all.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub cache: &'a SchemaCache,
    pub table: Option<&'a Table>,
}

impl<'a> Scope<'a> {
    fn column(&self, name: &str) -> Option<&'a Column> {
        self.table.and_then(|table| table.column(name))
    }

    /// A field as an operand; unknown names are left to PostgreSQL, which may know a computed
    /// field.
    pub fn operand(&self, field: &Field) -> Operand {
        let json = self
            .column(&field.name)
            .is_some_and(|c| c.data_type.is_system("json") || c.data_type.is_system("jsonb"));
        Operand {
            column: field.name.clone(),
            path: field.path.clone(),
            to_jsonb: !field.path.is_empty() && !json,
        }
    }

    fn text_parser(&self, field: &Field) -> Option<&'a QualifiedName> {
        let column = self.column(&field.name).filter(|_| field.path.is_empty())?;
        self.cache.representation(&QualifiedName::system("text"), &column.data_type)
    }

    fn formatter(&self, column: &Column) -> Option<&'a QualifiedName> {
        self.cache.representation(&column.data_type, &QualifiedName::system("json"))
    }

    /// True when the star has to be spelled out because some column has a JSON form of its own.
    pub fn star_has_formats(&self) -> bool {
        !self.cache.representations.is_empty()
            && self.table.is_some_and(|t| t.columns().iter().any(|c| self.formatter(c).is_some()))
    }

    /// A selected field. Casts apply on top of a domain's JSON form.
    pub fn output(&self, selected: &SelectField) -> OutputColumn {
        let cast = selected.cast.as_deref().map(CastType::new);
        let aggregate = selected.aggregate.map(|function| AggregateCall {
            function,
            cast: selected.aggregate_cast.as_deref().map(CastType::new),
        });
        if selected.field.name == "*" && selected.field.path.is_empty() {
            let alias = selected.alias.clone();
            return OutputColumn { value: Value::Star, format: None, cast, aggregate, alias };
        }
        let plain = selected.field.path.is_empty() && aggregate.is_none();
        let format = self
            .column(&selected.field.name)
            .filter(|_| plain)
            .and_then(|column| self.formatter(column))
            .cloned();
        let alias = selected.alias.clone().or_else(|| default_key(&selected.field, &aggregate));
        let alias = alias
            .or_else(|| (format.is_some() || cast.is_some()).then(|| selected.field.name.clone()));
        let alias = if aggregate.is_some() { selected.alias.clone() } else { alias };
        let value = Value::Field(self.operand(&selected.field));
        OutputColumn { value, format, cast, aggregate, alias }
    }

    /// Every column of the relation as if it had been selected by name.
    pub fn all_columns(&self) -> Option<Vec<OutputColumn>> {
        let columns = self.table?.columns().iter().map(|column| {
            let format = self.formatter(column).cloned();
            OutputColumn {
                value: Value::Field(self.operand(&Field::plain(&*column.name))),
                alias: format.as_ref().map(|_| column.name.to_string()),
                format,
                cast: None,
                aggregate: None,
            }
        });
        Some(columns.collect())
    }

    /// A logical tree; `embed` tells the position of an embed by its key.
    pub fn logic(
        &self,
        logic: &Logic,
        embed: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Condition, PlanError> {
        match logic {
            Logic::Filter(filter) => self.filter(filter, embed),
            Logic::Group { negated, all, members } => Ok(Condition::Group {
                negated: *negated,
                all: *all,
                members: members.iter().map(|m| self.logic(m, embed)).collect::<Result<_, _>>()?,
            }),
        }
    }

    /// A filter; one on an embed's name asks whether its rows exist.
    pub fn filter(
        &self,
        filter: &Filter,
        embed: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Condition, PlanError> {
        if filter.field.path.is_empty()
            && let Some(position) = embed(&filter.field.name)
        {
            match (&filter.operation, self.column(&filter.field.name)) {
                (Operation::Is(IsValue::Null), _) => {
                    return Ok(Condition::EmbedExists { position, negated: !filter.negated });
                }
                (Operation::Is(IsValue::NotNull), _) => {
                    return Ok(Condition::EmbedExists { position, negated: filter.negated });
                }
                (_, Some(_)) => {}
                (_, None) => {
                    return Err(PlanError::EmbedOperator { name: filter.field.name.clone() });
                }
            }
        }
        let operand = self.operand(&filter.field);
        Ok(Condition::Test { operand, negated: filter.negated, test: self.test(filter) })
    }

    fn test(&self, filter: &Filter) -> Test {
        let parser = self.text_parser(&filter.field);
        match &filter.operation {
            Operation::Compare { comparison, quantifier, value } => {
                // PostgREST takes `*` for `%` in patterns, since `%` has to be encoded in a URL.
                let value =
                    if comparison.is_like() { value.replace('*', "%") } else { value.clone() };
                let parser = parser.filter(|_| !comparison.is_like());
                let value = match self.boolean(filter, *comparison, &value) {
                    Some(boolean) if quantifier.is_none() => TestValue::Boolean(boolean),
                    _ => test_value(value, parser),
                };
                Test::Compare { comparison: *comparison, quantifier: *quantifier, value }
            }
            Operation::In(elements) => {
                Test::In { array: array_literal(elements), parser: parser.cloned() }
            }
            Operation::Is(boolean) => Test::Is(*boolean),
            Operation::IsDistinctFrom(value) => {
                Test::IsDistinctFrom(test_value(value.clone(), parser))
            }
            Operation::FullText { function, language, value } => Test::FullText {
                function: *function,
                language: language.clone(),
                value: value.clone(),
                to_tsvector: self.holds_no_tsvector(&filter.field),
            },
        }
    }

    /// True for a column of another type. The type of a computed field is known to PostgreSQL only.
    fn holds_no_tsvector(&self, field: &Field) -> bool {
        self.column(&field.name).is_some_and(|c| !c.base_type.is_system("tsvector"))
    }

    fn boolean(&self, filter: &Filter, comparison: Comparison, value: &str) -> Option<bool> {
        let column = self.column(&filter.field.name).filter(|_| filter.field.path.is_empty())?;
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        match value {
            "true" if equality && column.data_type.is_system("bool") => Some(true),
            "false" if equality && column.data_type.is_system("bool") => Some(false),
            _ => None,
        }
    }
}

fn test_value(text: String, parser: Option<&QualifiedName>) -> TestValue {
    match parser {
        Some(parser) => TestValue::Parsed { text, parser: parser.clone() },
        None => TestValue::Text(text),
    }
}

/// The key of a JSON path: its last key, for an index the last key before it, else the column.
fn default_key(field: &Field, aggregate: &Option<AggregateCall>) -> Option<String> {
    if field.path.is_empty() || aggregate.is_some() {
        return None;
    }
    let key = field.path.iter().rev().find_map(|step| match &step.operand {
        JsonOperand::Key(key) => Some(key.clone()),
        JsonOperand::Index(_) => None,
    });
    Some(key.unwrap_or_else(|| field.name.clone()))
}

/// `{"a","b"}` as PostgreSQL reads an array of unknown element type.
pub fn array_literal<S: AsRef<str>>(elements: &[S]) -> String {
    let quoted: Vec<String> = elements
        .iter()
        .map(|e| format!("\"{}\"", e.as_ref().replace('\\', "\\\\").replace('"', "\\\"")))
        .collect();
    format!("{{{}}}", quoted.join(","))
}
