//! The service against a database of its own, router in process: requests in, whole answers out.

mod embed;
mod library;
mod procedures;
mod reads;
mod refusals;
mod writes;
