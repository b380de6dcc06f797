//! The only way to build SQL text.
//!
//! A [`Sql`] grows by static text, by identifiers it quotes itself, by integers it prints itself
//! and by bound parameters. The one further source is a [`CatalogueExpression`]: a column default
//! exactly as PostgreSQL printed it. There is no constructor from a request's string.

use crate::schema::QualifiedName;

/// A value bound to a statement, always sent in text format with its type left to PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// A value written in the URL or derived from it.
    Text(String),
    /// The request body, unchanged (for `bytea` arguments in hexadecimal form).
    Body,
}

/// An expression that was read from the catalogue (`pg_get_expr`), never from a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueExpression(String);

impl CatalogueExpression {
    /// Wraps a text PostgreSQL printed itself. Only the schema cache loader calls this.
    pub fn printed_by_postgres(text: String) -> Self {
        Self(text)
    }

    /// The expression's text, for documentation (OpenAPI defaults).
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// SQL under construction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sql {
    text: String,
    params: Vec<Param>,
    body: Option<usize>,
}

impl Sql {
    /// Appends text that is part of this program.
    pub fn push(&mut self, text: &'static str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a quoted identifier. NUL, which no identifier may hold, is dropped.
    pub fn ident(&mut self, name: &str) -> &mut Self {
        self.text.push('"');
        for c in name.chars().filter(|c| *c != '\0') {
            if c == '"' {
                self.text.push('"');
            }
            self.text.push(c);
        }
        self.text.push('"');
        self
    }

    /// Appends a schema-qualified name.
    pub fn name(&mut self, name: &QualifiedName) -> &mut Self {
        if !name.schema.is_empty() {
            self.ident(&name.schema).push(".");
        }
        self.ident(&name.name)
    }

    /// Appends `alias."column"`, or `alias.*` for the star.
    pub fn column(&mut self, alias: &str, column: &str) -> &mut Self {
        self.ident(alias).push(".");
        if column == "*" { self.push("*") } else { self.ident(column) }
    }

    /// Binds a value and appends its placeholder.
    pub fn bind(&mut self, value: impl Into<String>) -> &mut Self {
        self.params.push(Param::Text(value.into()));
        let number = self.params.len();
        self.placeholder(number)
    }

    /// Appends the placeholder of the request body; however often, it is sent once.
    pub fn bind_body(&mut self) -> &mut Self {
        let number = *self.body.get_or_insert_with(|| {
            self.params.push(Param::Body);
            self.params.len()
        });
        self.placeholder(number)
    }

    /// Appends an integer the parser already turned into a number.
    pub fn int(&mut self, value: i64) -> &mut Self {
        self.text.push_str(&value.to_string());
        self
    }

    /// Appends an expression PostgreSQL printed.
    pub fn expression(&mut self, expression: &CatalogueExpression) -> &mut Self {
        self.text.push_str(&expression.0);
        self
    }

    /// Appends every item, separated by static text.
    pub fn join<T>(
        &mut self,
        separator: &'static str,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            each(self, item);
        }
        self
    }

    /// The finished text and its parameters in order.
    pub fn finish(self) -> (String, Vec<Param>) {
        (self.text, self.params)
    }

    fn placeholder(&mut self, number: usize) -> &mut Self {
        self.text.push('$');
        self.text.push_str(&number.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_quoted_without_nul_bytes() {
        let mut sql = Sql::default();
        sql.ident("a\"b\0c");
        assert_eq!(sql.finish().0, "\"a\"\"bc\"");
    }

    #[test]
    fn repeated_body_is_bound_once() {
        let mut sql = Sql::default();
        sql.bind("x").push(" ").bind_body().push(" ").bind_body();
        assert_eq!(sql.finish(), ("$1 $2 $2".into(), vec![Param::Text("x".into()), Param::Body]));
    }
}
