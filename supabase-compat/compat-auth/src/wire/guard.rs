//! Guards as layers; the router decides which endpoint has which.

pub mod captcha;
pub mod limit;
