//! Functions and types.

use compat_pg::PgError;
use sqlx::PgConnection;

use super::SchemaFilter;
use crate::model::{Argument, ArgumentMode, Attribute, Function, PgType};

#[derive(sqlx_macros::FromRow)]
struct FunctionRow {
    id: i64,
    schema: String,
    name: String,
    argument_type_ids: Vec<i64>,
    /// Empty if every argument is an input.
    argument_modes: Vec<String>,
    /// Empty if no argument has a name.
    argument_names: Vec<String>,
    input_count: i16,
    default_count: i16,
    argument_types: String,
    identity_argument_types: String,
    return_type: String,
    return_type_id: i64,
    return_relation_id: Option<i64>,
    returns_set: bool,
    rows: Option<f32>,
}

/// Functions that a client can call, without trigger functions.
pub(super) async fn functions(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<Vec<Function>, PgError> {
    let rows: Vec<FunctionRow> = sqlx::query_as(
        "select
           p.oid::int8 as id,
           n.nspname::text as schema,
           p.proname::text as name,
           coalesce(p.proallargtypes, array(select unnest(p.proargtypes)))::int8[] as argument_type_ids,
           coalesce(p.proargmodes, '{}')::text[] as argument_modes,
           coalesce(p.proargnames, '{}')::text[] as argument_names,
           p.pronargs as input_count,
           p.pronargdefaults as default_count,
           pg_catalog.pg_get_function_arguments(p.oid) as argument_types,
           pg_catalog.pg_get_function_identity_arguments(p.oid) as identity_argument_types,
           pg_catalog.pg_get_function_result(p.oid) as return_type,
           p.prorettype::int8 as return_type_id,
           nullif(t.typrelid::int8, 0) as return_relation_id,
           p.proretset as returns_set,
           case when p.proretset then nullif(p.prorows, 0) end as rows
         from pg_catalog.pg_proc as p
         join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
         join pg_catalog.pg_type as t on t.oid = p.prorettype
         where p.prokind = 'f'
           and (cardinality($1::text[]) = 0 or n.nspname = any ($1::text[]))
           and (cardinality($1::text[]) > 0 or n.nspname <> all ($2::text[]))
           and p.prorettype not in ('pg_catalog.trigger'::regtype, 'pg_catalog.event_trigger'::regtype)",
    )
    .bind(&filter.included)
    .bind(&filter.excluded)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(FunctionRow::read).collect())
}

impl FunctionRow {
    fn read(self) -> Function {
        Function {
            arguments: self.arguments(),
            id: self.id,
            schema: self.schema,
            name: self.name,
            argument_types: self.argument_types,
            identity_argument_types: self.identity_argument_types,
            return_type: self.return_type,
            return_type_id: self.return_type_id,
            return_relation_id: self.return_relation_id,
            returns_set: self.returns_set,
            rows: self.rows,
        }
    }

    fn arguments(&self) -> Vec<Argument> {
        let inputs = usize::try_from(self.input_count).unwrap_or_default();
        let defaults = usize::try_from(self.default_count).unwrap_or_default();
        // The original counts positions among all arguments, including output arguments.
        let with_default = inputs.saturating_sub(defaults)..inputs;
        let argument = |(place, type_id): (usize, &i64)| Argument {
            mode: match self.argument_modes.get(place).map(String::as_str) {
                None | Some("i" | "b" | "v") => ArgumentMode::In,
                Some("o") => ArgumentMode::Out,
                Some(_) => ArgumentMode::Table,
            },
            name: self.argument_names.get(place).cloned().unwrap_or_default(),
            type_id: *type_id,
            has_default: with_default.contains(&place),
        };
        self.argument_type_ids.iter().enumerate().map(argument).collect()
    }
}

#[derive(sqlx_macros::FromRow)]
struct TypeRow {
    id: i64,
    name: String,
    schema: String,
    format: String,
    variants: Vec<String>,
    attribute_names: Vec<String>,
    attribute_type_ids: Vec<i64>,
    relation_id: Option<i64>,
}

/// The types of every schema, because a column of any schema may use them; includes row types and
/// arrays.
pub(super) async fn types(connection: &mut PgConnection) -> Result<Vec<PgType>, PgError> {
    let rows: Vec<TypeRow> = sqlx::query_as(
        "select
           t.oid::int8 as id,
           t.typname::text as name,
           n.nspname::text as schema,
           pg_catalog.format_type(t.oid, null) as format,
           array(
             select e.enumlabel::text
             from pg_catalog.pg_enum as e
             where e.enumtypid = t.oid
             order by e.enumsortorder
           ) as variants,
           array(
             select a.attname::text
             from pg_catalog.pg_attribute as a
             where c.relkind = 'c' and a.attrelid = c.oid and not a.attisdropped
             order by a.attnum
           ) as attribute_names,
           array(
             select a.atttypid::int8
             from pg_catalog.pg_attribute as a
             where c.relkind = 'c' and a.attrelid = c.oid and not a.attisdropped
             order by a.attnum
           ) as attribute_type_ids,
           nullif(t.typrelid::int8, 0) as relation_id
         from pg_catalog.pg_type as t
         join pg_catalog.pg_namespace as n on n.oid = t.typnamespace
         left join pg_catalog.pg_class as c on c.oid = t.typrelid
         where t.typrelid = 0 or c.relkind in ('c', 'r', 'v', 'm', 'p', 'f')",
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(TypeRow::read).collect())
}

impl TypeRow {
    fn read(self) -> PgType {
        let attributes = self.attribute_names.into_iter().zip(self.attribute_type_ids);
        PgType {
            id: self.id,
            name: self.name,
            schema: self.schema,
            format: self.format,
            variants: self.variants,
            attributes: attributes.map(|(name, type_id)| Attribute { name, type_id }).collect(),
            relation_id: self.relation_id,
        }
    }
}
