//! The site's schema: who may read and write which rows, and what its procedures do.

mod accounts;
mod addresses;
mod admin_lists;
mod audit;
mod broadcasts;
mod demo;
mod export;
mod limits;
mod listings;
mod matrix;
mod moderation;
mod moderation_cases;
mod names;
mod overview;
mod payments;
mod pictures;
mod plans;
mod players;
mod promotion;
mod search;
mod sessions;
mod settings;
mod site_figures;
mod stage;
mod texts;
mod voting;
