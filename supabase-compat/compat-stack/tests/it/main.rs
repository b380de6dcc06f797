//! The stack against a real PostgreSQL: what is started, mounted, told and stopped.

mod console;
mod mounted;
mod readiness;
mod standalone;
mod stop;
mod world;
