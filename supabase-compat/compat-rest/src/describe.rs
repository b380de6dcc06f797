//! The schema cache as a JSON document, for the operator's port.

use compat_rest_core::SchemaCache;
use compat_rest_core::schema::{Key, Link, Relationship, Routine, Table};
use serde_json::{Value, json};

/// Everything rest/v1 knows about the database, sorted by name.
pub(crate) fn schema(cache: &SchemaCache) -> Value {
    let mut tables: Vec<&Table> = cache.tables.values().collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    let mut relationships: Vec<&Relationship> = cache.relationships.values().flatten().collect();
    relationships.sort_by(|a, b| (&a.origin, &a.target).cmp(&(&b.origin, &b.target)));
    let mut routines: Vec<&Routine> = cache.routines.values().flatten().collect();
    routines.sort_by(|a, b| a.name.cmp(&b.name));
    let handlers = cache.media_handlers.iter().map(|handler| &handler.media_type);
    json!({
        "version": cache.version,
        "tables": tables.into_iter().map(table).collect::<Value>(),
        "relationships": relationships.into_iter().map(relationship).collect::<Value>(),
        "routines": routines.into_iter().map(routine).collect::<Value>(),
        "mediaHandlers": handlers.collect::<Vec<_>>(),
    })
}

fn table(table: &Table) -> Value {
    let columns = table.columns().iter().map(|column| {
        json!({
            "name": &*column.name,
            "type": column.display_type,
            "nullable": column.nullable,
            "default": column.default.as_ref().map(|default| default.as_str()),
        })
    });
    json!({
        "name": table.name.to_string(),
        "isView": table.is_view,
        "insertable": table.insertable,
        "updatable": table.updatable,
        "deletable": table.deletable,
        "primaryKey": table.primary_key.iter().map(|name| &**name).collect::<Vec<&str>>(),
        "columns": columns.collect::<Value>(),
    })
}

fn relationship(relationship: &Relationship) -> Value {
    let by_key = |cardinality: &str, key: &Key| {
        let columns = key.columns.iter().map(|(own, there)| json!([&**own, &**there]));
        (
            cardinality.to_owned(),
            json!({"constraint": &*key.constraint, "columns": columns.collect::<Value>()}),
        )
    };
    let (cardinality, by) = match &relationship.link {
        Link::ManyToOne(key) => by_key("many-to-one", key),
        Link::OneToMany(key) => by_key("one-to-many", key),
        Link::OneToOne(key) => by_key("one-to-one", key),
        Link::ManyToMany(junction) => {
            ("many-to-many".to_owned(), json!({"junction": junction.table.to_string()}))
        }
        Link::Computed { function, .. } => {
            ("computed".to_owned(), json!({"function": function.to_string()}))
        }
    };
    json!({
        "origin": relationship.origin.to_string(),
        "target": relationship.target.to_string(),
        "cardinality": cardinality,
        "by": by,
    })
}

fn routine(routine: &Routine) -> Value {
    let params = routine.params.iter().map(|param| {
        json!({
            "name": &*param.name,
            "type": param.display_type,
            "required": param.required,
            "variadic": param.variadic,
        })
    });
    json!({
        "name": routine.name.to_string(),
        "params": params.collect::<Value>(),
        "volatility": format!("{:?}", routine.volatility).to_lowercase(),
        "returnsSet": routine.returns_set(),
    })
}
