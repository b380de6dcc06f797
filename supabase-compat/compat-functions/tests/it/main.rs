//! `functions/v1` from outside: a router with the edge's layers around it, and functions that show
//! what reached them.

mod admission;
mod failure;
mod host;
mod proxy;
