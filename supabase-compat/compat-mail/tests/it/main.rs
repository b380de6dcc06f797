//! Integration tests of the transports.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod smtp;
