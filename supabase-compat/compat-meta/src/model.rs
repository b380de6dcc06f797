//! Encodes values as JSON, quotes names and values for SQL, and reads the fields of a request.

mod array;
mod fields;
mod interval;
mod json_row;
mod sql;

pub(crate) use fields::Fields;
pub(crate) use json_row::RowWriter;
pub(crate) use sql::{identifier, list_of_literals, literal, literal_of, qualified, type_name};
