//! The queries on the catalogue: one fixed query for each kind of object, and a selection among its
//! rows.

use crate::model::{list_of_literals, literal};

/// A kind of object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    /// The kind's segment of the path.
    pub path: &'static str,
    /// The noun for error messages.
    pub noun: &'static str,
    /// The query for every object that the login may see.
    query: &'static str,
    /// The order of a list.
    order: &'static str,
    /// The column with an object's schema, by which a list can be filtered.
    schema: Option<&'static str>,
}

macro_rules! relation {
    ($name:ident, $path:literal, $noun:literal, $file:literal, $order:literal, $schema:expr) => {
        pub(crate) static $name: Relation = Relation {
            path: $path,
            noun: $noun,
            query: include_str!(concat!("../../sql/", $file, ".sql")),
            order: $order,
            schema: $schema,
        };
    };
}

// A macro, because a struct literal for each kind would need eight lines instead of one.
relation!(SCHEMAS, "schemas", "a schema", "schemas", "id", Some("name"));
relation!(TABLES, "tables", "a table", "tables", "id", Some("schema"));
relation!(COLUMNS, "columns", "a column", "columns", "table_id, ordinal_position", Some("schema"));
relation!(TYPES, "types", "a type", "types", "id", Some("schema"));
relation!(FUNCTIONS, "functions", "a function", "functions", "id", Some("schema"));
relation!(TRIGGERS, "triggers", "a trigger", "triggers", "id", Some("schema"));
relation!(INDEXES, "indexes", "a index", "indexes", "id", Some("schema"));
relation!(POLICIES, "policies", "a policy", "policies", "id", Some("schema"));
relation!(ROLES, "roles", "a role", "roles", "id", None);
relation!(PUBLICATIONS, "publications", "a publication", "publications", "id", None);
relation!(EXTENSIONS, "extensions", "an extension", "extensions", "name", None);
relation!(VIEWS, "views", "a view", "views", "id", Some("schema"));
relation!(
    MATERIALIZED_VIEWS,
    "materialized-views",
    "a materialized view",
    "materialized_views",
    "id",
    Some("schema")
);
relation!(FOREIGN_TABLES, "foreign-tables", "a foreign table", "foreign_tables", "id", None);
relation!(
    TABLE_PRIVILEGES,
    "table-privileges",
    "a relation",
    "table_privileges",
    "relation_id",
    Some("schema")
);
relation!(
    COLUMN_PRIVILEGES,
    "column-privileges",
    "a column",
    "column_privileges",
    "relation_schema, relation_name, column_name",
    Some("relation_schema")
);
relation!(CONFIG, "config", "a setting", "config", "category, name", None);

/// The query for the server's version.
pub(crate) const VERSION: &str = include_str!("../../sql/version.sql");

/// The server's own schemas.
const SYSTEM_SCHEMAS: [&str; 3] = ["information_schema", "pg_catalog", "pg_toast"];

/// A filter for the rows of a [`Relation`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    conditions: Vec<String>,
    limit: Option<String>,
    offset: Option<String>,
    includes_columns: bool,
}

impl Selection {
    /// Rows with this value in a column.
    pub fn equal(column: &str, value: &str) -> Self {
        Self::default().and_equal(column, value)
    }

    /// Further restricts the rows to those with this value in a column.
    #[must_use]
    pub fn and_equal(mut self, column: &str, value: &str) -> Self {
        self.conditions.push(format!("o.{column} = {}", literal(value)));
        self
    }

    /// Rows with one of these values in a column.
    pub fn among<T: AsRef<str>>(column: &str, values: &[T]) -> Self {
        let mut selection = Self::default();
        let condition = match values {
            [] => "false".to_owned(),
            values => format!("o.{column} in ({})", list_of_literals(values)),
        };
        selection.conditions.push(condition);
        selection
    }

    /// Restricts the rows by schema, as the original does: to the included schemas or, if there are
    /// none, to all but the excluded ones and, with `hides_system`, the server's own.
    #[must_use]
    pub fn in_schemas(
        mut self,
        relation: &Relation,
        included: &[String],
        excluded: &[String],
        hides_system: bool,
    ) -> Self {
        let Some(column) = relation.schema else { return self };
        if !included.is_empty() {
            let list = list_of_literals(included);
            self.conditions.push(format!("o.{column} in ({list})"));
            return self;
        }
        let system = SYSTEM_SCHEMAS.iter().filter(|_| hides_system).copied();
        let hidden: Vec<&str> = system.chain(excluded.iter().map(String::as_str)).collect();
        if !hidden.is_empty() {
            let list = list_of_literals(&hidden);
            self.conditions.push(format!("o.{column} not in ({list})"));
        }
        self
    }

    /// Excludes rows with this prefix in a column.
    #[must_use]
    pub fn without_prefix(mut self, column: &str, prefix: &str) -> Self {
        self.conditions
            .push(format!("not pg_catalog.starts_with(o.{column}, {})", literal(prefix)));
        self
    }

    /// Excludes array types.
    #[must_use]
    pub fn without_arrays(mut self) -> Self {
        let is_array = "exists (select from pg_catalog.pg_type as e where e.typarray = o.id::oid)";
        self.conditions.push(format!("not {is_array}"));
        self
    }

    /// Sets limit and offset; the server parses the numbers.
    #[must_use]
    pub fn page(mut self, limit: Option<String>, offset: Option<String>) -> Self {
        (self.limit, self.offset) = (limit, offset);
        self
    }

    /// Adds the columns of relations.
    #[must_use]
    pub fn with_columns(mut self, includes_columns: bool) -> Self {
        self.includes_columns = includes_columns;
        self
    }

    /// The statement for a relation.
    pub fn of(&self, relation: &Relation) -> String {
        let mut text = format!("select o.* from ({}) as o", relation.query);
        if !self.conditions.is_empty() {
            text.push_str(" where ");
            text.push_str(&self.conditions.join(" and "));
        }
        text.push_str(" order by ");
        text.push_str(relation.order);
        for (word, number) in [("limit", &self.limit), ("offset", &self.offset)] {
            if let Some(number) = number {
                text.push_str(&format!(" {word} {}", literal(number)));
            }
        }
        match self.includes_columns {
            true => with_columns(&text),
            false => text,
        }
    }
}

/// A query for the relations that a statement selects, each with its columns.
fn with_columns(relations: &str) -> String {
    format!(
        "with relations as materialized ({relations}), \
         columns as (\
           select c.table_id, json_agg(c order by c.ordinal_position) as columns \
           from ({}) as c where c.table_id in (select r.id from relations as r) \
           group by c.table_id\
         ) \
         select r.*, coalesce(c.columns, '[]') as columns \
         from relations as r left join columns as c on c.table_id = r.id \
         order by r.id",
        COLUMNS.query
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(selection: Selection) -> Vec<String> {
        selection.conditions
    }

    #[test]
    fn included_schemas_go_before_excluded_ones() {
        let one = ["a'b".to_owned()];
        let chosen = Selection::default().in_schemas(&TABLES, &one, &one, true);
        assert_eq!(conditions(chosen), ["o.schema in ('a''b')"]);
        let chosen = Selection::default().in_schemas(&TABLES, &[], &one, true);
        let expected = "o.schema not in ('information_schema', 'pg_catalog', 'pg_toast', 'a''b')";
        assert_eq!(conditions(chosen), [expected]);
        let chosen = Selection::default().in_schemas(&TABLES, &[], &[], false);
        assert!(conditions(chosen).is_empty());
        let chosen = Selection::default().in_schemas(&ROLES, &one, &one, true);
        assert!(conditions(chosen).is_empty(), "roles have no schema");
    }

    #[test]
    fn choice_of_nothing_has_no_rows() {
        assert_eq!(conditions(Selection::among::<String>("id", &[])), ["false"]);
    }
}
