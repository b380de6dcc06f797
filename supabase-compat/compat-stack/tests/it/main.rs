//! The stack against a real PostgreSQL: what is started, mounted, told and stopped.

mod alone;
mod mounted;
mod readiness;
mod stop;
mod world;
