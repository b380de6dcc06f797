//! Rules of the whole workspace, checked on its sources.

mod build;
mod layers;
mod migrations;
mod names;
mod walls;
