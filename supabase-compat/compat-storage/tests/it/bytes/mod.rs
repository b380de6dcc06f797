//! Where bytes lie: what every store promises, and what only one of them can break.

mod contract;
mod files;
mod full;
mod parts;
mod remote;
mod server;
mod stores;
