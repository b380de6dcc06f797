//! Functions that may be called, and functions that define a computed relationship.

use std::collections::HashMap;

use compat_pg::PgError;
use compat_pg::Row;
use compat_rest_core::schema::{
    Link, Name, QualifiedName, Relationship, ReturnShape, Routine, RoutineParam, Volatility,
};

use super::relations::Relations;
use super::rows::{get, text, texts};
use crate::config::Config;

type Routines = HashMap<QualifiedName, Vec<Routine>>;

/// Reads the functions; the second part are computed relationships.
pub(super) fn read(
    rows: &[Row],
    config: &Config,
    relations: &Relations,
) -> Result<(Routines, Vec<Relationship>), PgError> {
    let mut routines = Routines::new();
    let mut computed = Vec::new();
    for row in rows {
        let name = QualifiedName::new(text(row, "schema_name")?, text(row, "routine_name")?);
        computed.extend(relationship(row, &name, relations)?);
        let is_exposed = config.schemas.iter().any(|schema| **schema == *name.schema);
        // Functions that cannot be called include computed fields and relationships.
        if is_exposed && get(row, "can_be_called")? {
            routines.entry(name.clone()).or_default().push(routine(row, name)?);
        }
    }
    for overloads in routines.values_mut() {
        overloads.sort_by(|a, b| place(a).cmp(&place(b)));
    }
    Ok((routines, computed))
}

/// The order in which an ambiguous call lists its candidates: few parameters first, then by comment
/// and by the parameters themselves.
fn place(routine: &Routine) -> impl Ord + '_ {
    let each = routine.params.iter();
    let params = each.map(|p| (&*p.name, p.display_type.as_str(), p.required, p.variadic));
    (routine.params.len(), routine.description.as_deref(), params.collect::<Vec<_>>())
}

fn routine(row: &Row, name: QualifiedName) -> Result<Routine, PgError> {
    Ok(Routine {
        name,
        description: get(row, "description")?,
        params: params(row)?,
        returns: returns(row)?,
        volatility: match text(row, "volatility")?.as_str() {
            "i" => Volatility::Immutable,
            "s" => Volatility::Stable,
            _ => Volatility::Volatile,
        },
        settings: super::settings(row)?,
    })
}

fn params(row: &Row) -> Result<Vec<RoutineParam>, PgError> {
    let names = texts(row, "argument_names")?;
    let schemas = texts(row, "argument_schemas")?;
    let types = texts(row, "argument_types")?;
    let displays = texts(row, "argument_displays")?;
    let arrays: Vec<bool> = get(row, "argument_arrays")?;
    let defaults: i16 = get(row, "default_count")?;
    let has_variadic: bool = get(row, "has_variadic")?;
    // PostgreSQL allows defaults on the last parameters only, and gives their number alone.
    let required = names.len().saturating_sub(usize::try_from(defaults).unwrap_or(0));
    let last = names.len().saturating_sub(1);
    let each = names.into_iter().zip(schemas).zip(types).zip(displays).zip(arrays).enumerate();
    Ok(each
        .map(|(index, ((((name, schema), data_type), display_type), is_array))| {
            let variadic = has_variadic && index == last;
            RoutineParam {
                name: name.into(),
                data_type: QualifiedName::new(schema, data_type),
                display_type,
                required: index < required,
                variadic,
                is_array,
            }
        })
        .collect())
}

fn returns(row: &Row) -> Result<ReturnShape, PgError> {
    let returned = QualifiedName::new(text(row, "return_schema")?, text(row, "return_name")?);
    let kind = text(row, "return_kind")?;
    let set: bool = get(row, "returns_set")?;
    let columns: bool = get(row, "has_output_columns")?;
    if returned.is_system("void") {
        return Ok(ReturnShape::Void);
    }
    if kind != "c" && !columns {
        let scalar = if set { ReturnShape::SetOfScalar } else { ReturnShape::Scalar };
        return Ok(scalar(returned));
    }
    let composite = if kind == "c" {
        QualifiedName::new(text(row, "composite_schema")?, text(row, "composite_name")?)
    } else {
        QualifiedName::system("record")
    };
    let shape = if set { ReturnShape::SetOfComposite } else { ReturnShape::Composite };
    Ok(shape(composite))
}

/// A function of one row that gives rows of a relation.
fn relationship(
    row: &Row,
    name: &QualifiedName,
    relations: &Relations,
) -> Result<Option<Relationship>, PgError> {
    let arguments: Vec<u32> = get(row, "argument_relation_ids")?;
    let target_id: u32 = get(row, "return_relation_id")?;
    let set: bool = get(row, "returns_set")?;
    let one_row: bool = get(row, "one_row")?;
    let ([origin_id], Some(target)) = (arguments.as_slice(), relations.name(target_id)) else {
        return Ok(None);
    };
    let Some(origin) = relations.name(*origin_id) else { return Ok(None) };
    let function: QualifiedName =
        QualifiedName { schema: name.schema.clone(), name: Name::clone(&name.name) };
    Ok(Some(Relationship {
        origin: origin.clone(),
        target: target.clone(),
        target_is_view: relations.is_view(target_id),
        link: Link::Computed { function, to_one: !set || one_row },
    }))
}
