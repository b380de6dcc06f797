//! Guards as layers: the router says which door has which.

pub mod captcha;
pub mod limit;
