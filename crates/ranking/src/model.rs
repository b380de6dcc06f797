//! The nouns of the ranking that need no database.

pub(crate) mod announcement;
pub(crate) mod backlink;
pub(crate) mod ban;
pub(crate) mod card;
pub(crate) mod content_notice;
pub(crate) mod delivery;
pub(crate) mod digest;
pub(crate) mod feed;
pub(crate) mod moderation_decision;
pub(crate) mod nickname;
pub(crate) mod notification;
pub(crate) mod page;
pub(crate) mod picture_copy;
pub(crate) mod picture_outcome;
pub(crate) mod plain_text;
pub(crate) mod reason;
pub(crate) mod receiver_disabled;
pub(crate) mod reminder;
pub(crate) mod server_figures;
pub(crate) mod server_key;
pub(crate) mod stored_picture;
pub(crate) mod ticket;
pub(crate) mod vote;
pub(crate) mod voter;
pub(crate) mod webhook_message;
pub(crate) mod widget;
