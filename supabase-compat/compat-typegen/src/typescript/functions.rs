//! Functions that a client can call: their arguments, and the information about their results that
//! supabase-js needs.

use super::Generator;
use super::syntax::{Member, Type};
use crate::model::{Argument, Function, Metadata, Relation};

/// Types of a single unnamed argument to which PostgREST passes the body: json, jsonb, text.
const BODY_TYPES: [i64; 3] = [114, 3802, 25];

/// A function that PostgREST serves.
pub(super) struct Overload<'a> {
    pub function: &'a Function,
    inputs: Vec<&'a Argument>,
    /// The relation or composite type of the only input, if it is a row.
    row: Option<Row<'a>>,
}

/// The row type of a function's input.
#[derive(Clone, Copy)]
struct Row<'a> {
    relation_id: i64,
    /// The type as the catalogue writes it.
    format: &'a str,
}

/// The functions of a schema that PostgREST serves.
pub(super) fn overloads_of<'a>(metadata: &'a Metadata, schema: &str) -> Vec<Overload<'a>> {
    let functions = metadata.functions.iter().filter(|function| function.schema == schema);
    let overloads = functions.map(|function| {
        let inputs: Vec<&Argument> = function.inputs().collect();
        let row = match inputs.as_slice() {
            [only] => accepted_row(metadata, only),
            _ => None,
        };
        Overload { function, inputs, row }
    });
    overloads.filter(Overload::is_served).collect()
}

fn accepted_row<'a>(metadata: &'a Metadata, argument: &Argument) -> Option<Row<'a>> {
    let pg_type = metadata.types.by_id(argument.type_id)?;
    Some(Row { relation_id: pg_type.relation_id?, format: &pg_type.format })
}

impl Overload<'_> {
    fn is_served(&self) -> bool {
        let takes_body = |argument: &&Argument| BODY_TYPES.contains(&argument.type_id);
        let unnamed = || self.inputs.iter().filter(|argument| argument.name.is_empty());
        let is_single = self.inputs.len() == 1;
        unnamed().all(|argument| argument.has_default && takes_body(argument))
            || (is_single && unnamed().all(takes_body))
            || (is_single && self.row.is_some())
    }

    /// Whether it computes a field of a relation's rows.
    pub fn computes_field_of(&self, relation: &Relation) -> bool {
        match self.row {
            Some(row) => row.relation_id == relation.id,
            None => self.function.argument_types == relation.name,
        }
    }

    /// The only input, if it is named or unnamed as requested.
    fn only_input(&self, is_named: bool) -> Option<&Argument> {
        match self.inputs.as_slice() {
            [only] if only.name.is_empty() != is_named => Some(only),
            _ => None,
        }
    }
}

impl Generator<'_> {
    /// The functions by name, each with its overloads.
    pub(super) fn functions(&self, overloads: &[Overload<'_>]) -> Vec<Member> {
        let mut groups: Vec<&[Overload<'_>]> =
            overloads.chunk_by(|one, next| one.function.name == next.function.name).collect();
        // JavaScript orders names that are array indexes before the others.
        groups.sort_by_key(|group| group.first().and_then(index_of).map_or((1, 0), |at| (0, at)));
        let members = groups.into_iter().filter_map(|group| {
            let name = &group.first()?.function.name;
            let signatures = group.iter().map(|overload| self.signature(overload, group));
            Some(Member::new(name, Type::union(signatures)))
        });
        members.collect()
    }

    fn signature(&self, overload: &Overload<'_>, group: &[Overload<'_>]) -> Type {
        let arguments = match overload.inputs.as_slice() {
            [] => Type::Applied("Record", ["PropertyKey", "never"]),
            inputs => Type::object(inputs.iter().map(|input| self.argument(input)).collect()),
        };
        let refusal = self.conflict(overload, group).or_else(|| self.row_refusal(overload));
        let value = match refusal {
            Some(refusal) => {
                let error = Member::new("error", Type::plain("true"));
                let error = Box::new(Type::object(vec![error]));
                Type::Intersection(error, Box::new(Type::Literal(refusal)))
            }
            None => self.values.returned(overload.function),
        };
        let function = overload.function;
        let target = self.target(function);
        // A set of at most one row is printed as the row if the options tell the client that it is
        // a set.
        let is_list = function.returns_set && (returns_many(function) || target.is_none());
        let value = if is_list { value.with_brackets() } else { value };
        let mut members = vec![Member::new("Args", arguments), Member::new("Returns", value)];
        members.extend(self.set_options(overload));
        Type::object(members)
    }

    fn argument(&self, argument: &Argument) -> Member {
        let value = self.values.of_type(argument.type_id);
        match argument.has_default {
            true => Member::optional(&argument.name, value),
            false => Member::new(&argument.name, value),
        }
    }

    /// The relation whose rows a function returns.
    fn target(&self, function: &Function) -> Option<&str> {
        self.values.relation_name(function.return_relation_id, function.return_type_id)
    }

    /// Tells the client that the function returns rows of a relation, which it can embed and
    /// filter.
    fn set_options(&self, overload: &Overload<'_>) -> Option<Member> {
        let function = overload.function;
        let target = self.target(function)?;
        let takes_row = match function.arguments.as_slice() {
            [only] => accepted_row(self.metadata, only),
            _ => None,
        };
        let source = takes_row.map_or("*", |row| row.format);
        let literal = |value: bool| Type::plain(value.to_string());
        Some(Member::new(
            "SetofOptions",
            Type::expanded(vec![
                Member::new("from", Type::Literal(source.to_owned())),
                Member::new("to", Type::Literal(target.to_owned())),
                Member::new("isOneToOne", literal(!returns_many(function))),
                Member::new("isSetofReturn", literal(function.returns_set)),
            ]),
        ))
    }

    /// The error if PostgREST could not choose among the overloads.
    fn conflict(&self, overload: &Overload<'_>, group: &[Overload<'_>]) -> Option<String> {
        let function = overload.function;
        let full_name = format!("{}.{}", function.schema, function.name);
        let others = || group.iter().filter(|other| other.function.id != function.id);
        let type_name = |id: i64| self.metadata.types.by_id(id).map_or("unknown", |one| &one.name);
        let candidates = if overload.inputs.is_empty() {
            let other = others()
                .find(|other| other.only_input(false).is_some_and(|only| only.has_default))?;
            let returned = type_name(other.function.return_type_id);
            format!("{full_name}(), {full_name}( => {returned})")
        } else {
            let own = overload.only_input(true)?;
            let alike = others().filter_map(|other| other.only_input(true));
            let alike =
                alike.filter(|other| other.name == own.name && other.type_id != own.type_id);
            let mut inputs: Vec<&Argument> = [own].into_iter().chain(alike).collect();
            if inputs.len() == 1 {
                return None;
            }
            inputs.sort_by_key(|input| input.type_id);
            let list = inputs.iter().map(|input| {
                format!("{full_name}({} => {})", input.name, type_name(input.type_id))
            });
            list.collect::<Vec<_>>().join(", ")
        };
        Some(format!(
            "Could not choose the best candidate function between: {candidates}. Try renaming the \
             parameters or the function itself in the database so function overloading can be resolved"
        ))
    }

    /// The error if a function takes a row and returns none, which PostgREST serves only as a
    /// computed field.
    fn row_refusal(&self, overload: &Overload<'_>) -> Option<String> {
        let function = overload.function;
        overload.only_input(false)?;
        overload.row?;
        self.target(function).is_none().then(|| {
            format!(
                "the function {}.{} with parameter or with a single unnamed json/jsonb parameter, \
                 but no matches were found in the schema cache",
                function.schema, function.name
            )
        })
    }
}

/// Whether the estimated number of rows is more than one.
fn returns_many(function: &Function) -> bool {
    function.rows.is_some_and(|rows| rows > 1.0)
}

/// The number if the name is an array index in JavaScript.
fn index_of(overload: &Overload<'_>) -> Option<u32> {
    let name = &overload.function.name;
    name.parse().ok().filter(|number: &u32| *number != u32::MAX && number.to_string() == *name)
}
