//! What administrators may ask.

pub mod audit;
pub mod custom_providers;
pub mod enterprise;
pub mod links;
pub mod page;
pub mod users;
