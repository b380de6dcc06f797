//! Runs third-party programs: fetches those that are missing, runs them as an ordinary account when
//! our process is root, and ends them when our process ends.
//!
//! It does not know what a program does, and supervises none of them.

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
