//! The endpoints for administrators.

pub mod audit;
pub mod custom_providers;
pub mod links;
pub mod page;
pub mod users;
