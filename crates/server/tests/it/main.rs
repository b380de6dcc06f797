//! What holds for the whole workspace, and for the site's binary as one process.

mod build;
mod layers;
mod migrations;
mod names;
mod walls;
