//! Work outside a request: `deliver` sends votes to their receivers, `status` queries game servers,
//! `push` sends messages to browsers. `jobs` decides when.

pub(crate) mod deliver;
pub(crate) mod push;
pub(crate) mod status;
