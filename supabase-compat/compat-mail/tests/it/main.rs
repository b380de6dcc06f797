//! The relay as a listener sees it.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod smtp;
