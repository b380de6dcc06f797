//! What administrators may ask.

pub mod audit;
pub mod links;
pub mod page;
pub mod users;
