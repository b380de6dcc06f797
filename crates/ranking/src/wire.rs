//! The wire formats of the ranking's requests and responses.

mod account;
pub(crate) mod appeal;
pub(crate) mod captcha_challenge;
pub(crate) mod content_notice;
pub(crate) mod copy_picture;
pub(crate) mod page_error;
pub(crate) mod receipts;
pub(crate) mod server_click;
pub(crate) mod server_copy;
pub(crate) mod social_media_notify;
pub(crate) mod steam_server_status;
pub(crate) mod try_receiver;
pub(crate) mod vote;
pub(crate) mod vote_api;
pub(crate) mod vote_reminder;
pub(crate) mod vote_ticket;
pub(crate) mod weekly_mail;
