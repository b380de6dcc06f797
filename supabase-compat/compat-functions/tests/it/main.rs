//! `functions/v1` from outside: a router with the layers of `compat-http`, and functions that
//! return what they received.

mod admission;
mod failure;
mod host;
mod proxy;
