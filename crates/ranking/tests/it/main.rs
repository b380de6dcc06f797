//! The ranking on a database of its own, router in process.

mod ballots;
mod captcha_challenge;
mod captcha_outside;
mod cast_vote;
mod deliveries;
mod demo;
mod dialects;
mod digests;
mod jobs;
mod lost;
mod page_facts;
mod places;
mod reminders;
mod rows;
mod server_click;
mod server_copy;
mod social_media_notify;
mod statements;
mod status;
mod storms;
mod thinning;
mod vote_api;
mod vote_tickets;
mod world;
