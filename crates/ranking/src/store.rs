//! The SQL of the ranking, one file per aggregate. No function here begins or ends a transaction.

pub(crate) mod captcha_spent;
pub(crate) mod card;
pub(crate) mod delivery;
pub(crate) mod digest;
pub(crate) mod feed;
pub(crate) mod housekeeping;
pub(crate) mod image_check;
pub(crate) mod moderation_case;
pub(crate) mod network_ban;
pub(crate) mod page;
pub(crate) mod page_error;
pub(crate) mod partner;
pub(crate) mod picture_copy;
pub(crate) mod reminder;
pub(crate) mod report_notice;
pub(crate) mod server_announcement;
pub(crate) mod server_click;
pub(crate) mod server_copy;
pub(crate) mod server_question;
pub(crate) mod server_status;
pub(crate) mod standing;
pub(crate) mod vote;
pub(crate) mod vote_claim;
pub(crate) mod vote_outcome;
pub(crate) mod vote_ticket;
pub(crate) mod widget;
