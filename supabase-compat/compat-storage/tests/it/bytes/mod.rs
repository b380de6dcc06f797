//! Content stores: the behaviour that all stores share, and the behaviour of each one.

mod contract;
mod files;
mod full;
mod parts;
mod remote;
mod server;
mod stores;
