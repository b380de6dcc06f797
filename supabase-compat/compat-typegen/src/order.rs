//! The order in which names are printed.
//!
//! The original sorts by ICU's English collation, which PostgreSQL also has, so one query sorts all
//! names.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use compat_pg::PgError;
use sqlx::PgConnection;

use crate::model::{Metadata, PgType, Relationship, Types};
use crate::names::json_text;

/// The positions of texts in the order of a language.
pub(crate) struct Collation {
    places: HashMap<String, usize>,
}

impl Collation {
    /// Loads the order of all sorted texts from the database.
    pub async fn load(
        connection: &mut PgConnection,
        metadata: &Metadata,
        types: &[PgType],
    ) -> Result<Self, PgError> {
        let texts: Vec<String> = texts_of(metadata, types).into_iter().collect();
        let has_icu: bool = sqlx::query_scalar(
            "select exists (select from pg_catalog.pg_collation where collname = 'en-x-icu')",
        )
        .fetch_one(&mut *connection)
        .await?;
        let ordered: Vec<String> = if has_icu {
            sqlx::query_scalar(
                "select entry from unnest($1::text[]) as entry
                 order by entry collate pg_catalog.\"en-x-icu\"",
            )
            .bind(&texts)
            .fetch_all(connection)
            .await?
        } else {
            // For a server without ICU: this order is correct for names of letters.
            sqlx::query_scalar(
                "select entry from unnest($1::text[]) as entry
                 order by lower(entry) collate \"C\", entry collate \"C\" desc",
            )
            .bind(&texts)
            .fetch_all(connection)
            .await?
        };
        let places = ordered.into_iter().enumerate().map(|(place, text)| (text, place)).collect();
        Ok(Self { places })
    }

    fn place(&self, text: &str) -> usize {
        self.places.get(text).copied().unwrap_or(usize::MAX)
    }

    fn compare(&self, one: &str, other: &str) -> Ordering {
        self.place(one).cmp(&self.place(other))
    }
}

fn texts_of(metadata: &Metadata, types: &[PgType]) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let mut add = |text: &str| {
        if !texts.contains(text) {
            texts.insert(text.to_owned());
        }
    };
    metadata.schemas.iter().for_each(|schema| add(&schema.name));
    for relation in &metadata.relations {
        add(&relation.schema);
        add(&relation.name);
        relation.columns.iter().for_each(|column| add(&column.name));
    }
    for relationship in &metadata.relationships {
        add(&relationship.foreign_key);
        add(&relationship.schema);
        add(&relationship.relation);
        add(&relationship.target_schema);
        add(&relationship.target);
        add(&list(&relationship.columns));
        add(&list(&relationship.target_columns));
    }
    for function in &metadata.functions {
        add(&function.schema);
        add(&function.name);
        add(&function.argument_types);
        add(&function.identity_argument_types);
        add(&function.return_type);
        function.arguments.iter().for_each(|argument| add(&argument.name));
    }
    for one in types {
        add(&one.schema);
        add(&one.name);
    }
    texts
}

/// Names as a JSON array.
fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| json_text(name)).collect();
    format!("[{}]", names.join(","))
}

/// Sorts everything into the order of printing.
pub(crate) fn sort(metadata: &mut Metadata, mut types: Vec<PgType>, collation: &Collation) {
    let by = |one: &str, other: &str| collation.compare(one, other);
    metadata.schemas.sort_by(|a, b| by(&a.name, &b.name).then(a.id.cmp(&b.id)));
    metadata.relations.sort_by(|a, b| {
        by(&a.schema, &b.schema).then_with(|| by(&a.name, &b.name)).then(a.id.cmp(&b.id))
    });
    for relation in &mut metadata.relations {
        relation.columns.sort_by(|a, b| by(&a.name, &b.name));
    }
    let key = |one: &Relationship| {
        [
            collation.place(&one.foreign_key),
            collation.place(&one.target),
            collation.place(&list(&one.target_columns)),
            collation.place(&one.target_schema),
            collation.place(&one.schema),
            collation.place(&one.relation),
            collation.place(&list(&one.columns)),
        ]
    };
    metadata.relationships.sort_by_cached_key(key);
    metadata.functions.sort_by(|a, b| {
        by(&a.schema, &b.schema)
            .then_with(|| by(&a.name, &b.name))
            .then_with(|| by(&a.argument_types, &b.argument_types))
            .then_with(|| by(&a.return_type, &b.return_type))
            .then_with(|| by(&a.identity_argument_types, &b.identity_argument_types))
            .then(a.id.cmp(&b.id))
    });
    for function in &mut metadata.functions {
        function.arguments.sort_by(|a, b| by(&a.name, &b.name));
    }
    types.sort_by(|a, b| {
        by(&a.schema, &b.schema).then_with(|| by(&a.name, &b.name)).then(a.id.cmp(&b.id))
    });
    metadata.types = Types::new(types);
}
