//! Files for crawlers and feed readers: the sitemap, `robots.txt`, and feeds of new servers.

pub mod feed;
pub mod sitemap;
