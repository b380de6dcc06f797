//! The use cases of the ranking, one file each. A flow begins and ends its own transaction.

pub(crate) mod announce_server;
pub(crate) mod appeal;
pub(crate) mod broadcast_standings;
pub(crate) mod cast_vote;
pub(crate) mod check_backlinks;
pub(crate) mod check_statuses;
pub(crate) mod check_vote;
pub(crate) mod claim_vote;
pub(crate) mod copy_picture;
pub(crate) mod describe_card;
pub(crate) mod describe_page;
pub(crate) mod digest;
pub(crate) mod file_notice;
pub(crate) mod list_new_servers;
pub(crate) mod list_pages;
pub(crate) mod list_votes;
pub(crate) mod optimize_images;
pub(crate) mod record_click;
pub(crate) mod record_copy;
pub(crate) mod record_page_error;
pub(crate) mod remind;
mod render_email;
pub(crate) mod show_status;
pub(crate) mod show_widget;
pub(crate) mod try_receiver;
pub(crate) mod vote_ticket;
