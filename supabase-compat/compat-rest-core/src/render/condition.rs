//! Filters and operands.

use super::read;
use crate::plan::{Condition, Node, Operand, Test, TestValue};
use crate::request::field::{Arrow, JsonOperand};
use crate::request::filter::{Comparison, FullText, IsValue, Quantifier};
use crate::schema::QualifiedName;
use crate::sql::Sql;

/// Writes a condition about rows of `alias`; `node` resolves embeds, where there are any.
pub(super) fn condition(sql: &mut Sql, alias: &str, node: Option<&Node>, condition: &Condition) {
    match condition {
        Condition::Test { operand, negated, test } => {
            sql.push(if *negated { "NOT " } else { "" });
            write_test(sql, alias, operand, test);
        }
        Condition::Group { negated, all, members } => {
            sql.push(if *negated { "NOT (" } else { "(" });
            let separator = if *all { " AND " } else { " OR " };
            sql.join(separator, members, |sql, m| self::condition(sql, alias, node, m));
            sql.push(")");
        }
        Condition::EmbedExists { position, negated } => {
            sql.push(if *negated { "NOT " } else { "" });
            match node.and_then(|node| node.embeds.get(*position)) {
                Some(embed) => read::existence(sql, embed, alias),
                None => {
                    sql.push("true");
                }
            }
        }
    }
}

/// Writes a column, computed field or JSON path.
pub(super) fn operand(sql: &mut Sql, alias: &str, operand: &Operand) {
    if operand.path.is_empty() {
        sql.column(alias, &operand.column);
        return;
    }
    sql.push(if operand.to_jsonb { "(to_jsonb(" } else { "(" });
    sql.column(alias, &operand.column);
    sql.push(if operand.to_jsonb { ")" } else { "" });
    for step in &operand.path {
        sql.push(match step.arrow {
            Arrow::Json => "->",
            Arrow::Text => "->>",
        });
        match &step.operand {
            // Left to PostgreSQL, as the dialect's own messages show: `text -> unknown`.
            JsonOperand::Key(key) => sql.bind(key.as_str()),
            JsonOperand::Index(index) => sql.push("(").int(*index).push(")"),
        };
    }
    sql.push(")");
}

fn write_test(sql: &mut Sql, alias: &str, subject: &Operand, test: &Test) {
    match test {
        Test::FullText { function, language, value, to_tsvector } => {
            if *to_tsvector {
                sql.push("to_tsvector(");
                text_search_language(sql, language.as_deref());
                operand(sql, alias, subject);
                sql.push(")");
            } else {
                operand(sql, alias, subject);
            }
            sql.push(" @@ ").push(text_search_function(*function)).push("(");
            text_search_language(sql, language.as_deref());
            sql.bind(value.as_str()).push(")");
        }
        Test::Compare { comparison, quantifier, value } => {
            operand(sql, alias, subject);
            sql.push(" ").push(comparison_operator(*comparison)).push(" ");
            compare_with(sql, *quantifier, value);
        }
        // One array parameter keeps the text of the statement the same for lists of any length.
        Test::In { array, parser } => {
            operand(sql, alias, subject);
            sql.push(" = ANY(");
            list(sql, array, parser.as_ref());
            sql.push(")");
        }
        Test::Is(is_value) => {
            operand(sql, alias, subject);
            sql.push(truth_test(*is_value));
        }
        Test::IsDistinctFrom(value) => {
            operand(sql, alias, subject);
            sql.push(" IS DISTINCT FROM ");
            write_value(sql, value);
        }
    }
}

fn compare_with(sql: &mut Sql, quantifier: Option<Quantifier>, value: &TestValue) {
    match quantifier {
        None => write_value(sql, value),
        Some(quantifier) => {
            sql.push(match quantifier {
                Quantifier::Any => "ANY(",
                Quantifier::All => "ALL(",
            });
            match value {
                TestValue::Parsed { text, parser } => list(sql, text, Some(parser)),
                other => write_value(sql, other),
            }
            sql.push(")");
        }
    }
}

fn list(sql: &mut Sql, array: &str, parser: Option<&QualifiedName>) {
    match parser {
        None => {
            sql.bind(array);
        }
        Some(parser) => {
            sql.push("SELECT ").name(parser).push("(pgrst_v) FROM unnest(");
            sql.bind(array).push("::text[]) AS pgrst_v");
        }
    }
}

pub(super) fn write_value(sql: &mut Sql, value: &TestValue) {
    match value {
        TestValue::Text(text) => sql.bind(text.as_str()),
        TestValue::Parsed { text, parser } => {
            sql.name(parser).push("(").bind(text.as_str()).push("::text)")
        }
        TestValue::Boolean(boolean) => sql.push(if *boolean { "true" } else { "false" }),
    };
}

fn text_search_language(sql: &mut Sql, language: Option<&str>) {
    if let Some(language) = language {
        sql.bind(language).push("::regconfig, ");
    }
}

fn text_search_function(function: FullText) -> &'static str {
    match function {
        FullText::Query => "to_tsquery",
        FullText::Plain => "plainto_tsquery",
        FullText::Phrase => "phraseto_tsquery",
        FullText::WebSearch => "websearch_to_tsquery",
    }
}

fn truth_test(value: IsValue) -> &'static str {
    match value {
        IsValue::Null => " IS NULL",
        IsValue::NotNull => " IS NOT NULL",
        IsValue::True => " IS TRUE",
        IsValue::False => " IS FALSE",
        IsValue::Unknown => " IS UNKNOWN",
    }
}

fn comparison_operator(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Like => "LIKE",
        Comparison::ILike => "ILIKE",
        Comparison::Match => "~",
        Comparison::IMatch => "~*",
        Comparison::Contains => "@>",
        Comparison::ContainedIn => "<@",
        Comparison::Overlaps => "&&",
        Comparison::StrictlyLeft => "<<",
        Comparison::StrictlyRight => ">>",
        Comparison::NotRight => "&<",
        Comparison::NotLeft => "&>",
        Comparison::Adjacent => "-|-",
    }
}
