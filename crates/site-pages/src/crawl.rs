//! What crawlers and feed readers ask for: the sitemap, the rules for robots, and feeds of new servers.

pub mod feed;
pub mod sitemap;
