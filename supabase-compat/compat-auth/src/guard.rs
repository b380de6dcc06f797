//! Guards of the endpoints: authentication, rate limits, captcha.
//!
//! Guards check values that they are given; the router decides which guard protects which endpoint.

pub mod attempt_limit;
pub mod authenticate;
pub mod captcha;
pub mod limit;
