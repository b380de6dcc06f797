//! Profiles, and other tables about people.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, Outcome, X, Y};

/// The statement violates a check constraint.
const C: Outcome = Outcome::Refused("23514");
const NO_ACCOUNT: Outcome = Outcome::Refused("23503");

pub const LINES: &[Line] = &[
    // A profile holds an e-mail address: only its owner and administrators see the row.
    (
        "profiles",
        Select,
        "select from public.profiles where id = it.id('stan')",
        [X, Y, N, N, Y, Y, Y],
    ),
    (
        "profiles",
        Select,
        "select from public.profiles where id = it.id('boris')",
        [X, N, N, Y, Y, Y, Y],
    ),
    // Even the service cannot create a profile without an account.
    (
        "profiles",
        Insert,
        "insert into public.profiles (id, username) values (it.id('ghost'), 'ghost')",
        [X, X, X, X, X, X, NO_ACCOUNT],
    ),
    (
        "profiles",
        Update,
        "update public.profiles set username = 'other' where id = it.id('stan')",
        [X, Y, N, N, N, N, Y],
    ),
    (
        "profiles",
        Update,
        "update public.profiles set username = 'other' where id = it.id('boris')",
        [X, N, N, N, N, N, Y],
    ),
    (
        "profiles",
        Update,
        "update public.profiles set role = 'admin' where id = it.id('stan')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "profiles",
        Update,
        "update public.profiles set is_banned = false where id = it.id('boris')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "profiles",
        Update,
        "update public.profiles set total_votes = 9 where id = it.id('stan')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "profiles",
        Delete,
        "delete from public.profiles where id = it.id('stan')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "profiles_public",
        Select,
        "select from public.profiles_public where id = it.id('stan')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "profiles_public",
        Insert,
        "insert into public.profiles_public (id, username) values (it.id('ghost'), 'ghost')",
        [X, X, X, X, X, X, X],
    ),
    (
        "profiles_public",
        Update,
        "update public.profiles_public set role = 'founder' where id = it.id('stan')",
        [X, X, X, X, X, X, X],
    ),
    (
        "profiles_public",
        Delete,
        "delete from public.profiles_public where id = it.id('stan')",
        [X, X, X, X, X, X, X],
    ),
    // People read the decisions about them through a procedure, which hides who decided.
    (
        "moderation_cases",
        Select,
        "select from public.moderation_cases where subject_id = it.id('waiting')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "moderation_cases",
        Insert,
        "insert into public.moderation_cases (kind, subject_id, label) values ('account', it.id('stan'), 'stan')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "moderation_cases",
        Update,
        "update public.moderation_cases set label = 'other' where subject_id = it.id('waiting')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "moderation_cases",
        Delete,
        "delete from public.moderation_cases where subject_id = it.id('waiting')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "user_warnings",
        Select,
        "select from public.user_warnings where id = it.id('warning')",
        [X, N, Y, N, Y, Y, Y],
    ),
    (
        "user_warnings",
        Insert,
        "insert into public.user_warnings (user_id, reason) values (it.id('stan'), 'why')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "user_warnings",
        Update,
        "update public.user_warnings set is_active = false where id = it.id('warning')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "user_warnings",
        Delete,
        "delete from public.user_warnings where id = it.id('warning')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "ip_bans",
        Select,
        "select from public.ip_bans where id = it.id('ban')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "ip_bans",
        Insert,
        "insert into public.ip_bans (ip_hash) values (repeat('1', 64))",
        [X, X, X, X, X, X, Y],
    ),
    (
        "ip_bans",
        Update,
        "update public.ip_bans set reason = 'why' where id = it.id('ban')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "ip_bans",
        Update,
        "update public.ip_bans set network = '192.0.2.0/24' where id = it.id('ban')",
        [X, X, X, X, X, X, C],
    ),
    (
        "ip_bans",
        Insert,
        "insert into public.ip_bans (network, reason) values ('192.0.2.0/24', 'why')",
        [X, X, X, X, Y, Y, Y],
    ),
    (
        "ip_bans",
        Insert,
        "insert into public.ip_bans (network) values ('0.0.0.0/0')",
        [X, X, X, X, C, C, C],
    ),
    (
        "ip_bans",
        Insert,
        "insert into public.ip_bans (network, banned_by) values ('192.0.2.0/24', it.id('fanny'))",
        [X, X, X, X, X, X, Y],
    ),
    (
        "voided_votes",
        Select,
        "select from public.voided_votes where id = it.id('voided vote')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "voided_votes",
        Insert,
        "insert into public.voided_votes (id, server_id, voted_at, reason, voided_at) values (it.id('x'), it.id('open'), now(), 'other', now())",
        [X, X, X, X, X, X, Y],
    ),
    (
        "voided_votes",
        Update,
        "update public.voided_votes set note = 'why' where id = it.id('voided vote')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "voided_votes",
        Delete,
        "delete from public.voided_votes where id = it.id('voided vote')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "refused_nicknames",
        Select,
        "select from public.refused_nicknames where id = it.id('refused name')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "refused_nicknames",
        Insert,
        "insert into public.refused_nicknames (pattern, reason) values ('*fuck*', 'rude')",
        [X, X, X, X, Y, Y, Y],
    ),
    (
        "refused_nicknames",
        Insert,
        "insert into public.refused_nicknames (pattern) values ('**.*a*')",
        [X, X, X, X, C, C, C],
    ),
    (
        "refused_nicknames",
        Update,
        "update public.refused_nicknames set pattern = 'another' where id = it.id('refused name')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "refused_nicknames",
        Delete,
        "delete from public.refused_nicknames where id = it.id('refused name')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "ip_bans",
        Delete,
        "delete from public.ip_bans where id = it.id('ban')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "moderation_marks",
        Select,
        "select from public.moderation_marks where decision = 'account_banned'",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "moderation_marks",
        Insert,
        "insert into public.moderation_marks (decision, subject_id, label) values ('account_banned', it.id('stan'), 'x')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "moderation_marks",
        Update,
        "update public.moderation_marks set reason = 'x' where decision = 'account_banned'",
        [X, X, X, X, X, X, Y],
    ),
    (
        "moderation_marks",
        Delete,
        "delete from public.moderation_marks where decision = 'account_banned'",
        [X, X, X, X, X, X, Y],
    ),
    (
        "security_events",
        Select,
        "select from public.security_events where event_type = 'something'",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "security_events",
        Insert,
        "insert into public.security_events (event_type) values ('forged')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "security_events",
        Update,
        "update public.security_events set event_type = 'forged' where event_type = 'something'",
        [X, X, X, X, X, X, Y],
    ),
    (
        "security_events",
        Delete,
        "delete from public.security_events where event_type = 'something'",
        [X, X, X, X, X, X, Y],
    ),
    (
        "page_errors",
        Select,
        "select from public.page_errors where name = 'TypeError'",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "page_errors",
        Insert,
        "insert into public.page_errors (release, page, name, stack_hash, frames, first_at, last_at)
         values ('B1x', 'home', 'Error', repeat('1', 64), '{index.js:1:2}', now(), now())",
        [X, X, X, X, X, X, X],
    ),
    (
        "page_errors",
        Update,
        "update public.page_errors set reports = 0 where name = 'TypeError'",
        [X, X, X, X, X, X, X],
    ),
    (
        "page_errors",
        Delete,
        "delete from public.page_errors where name = 'TypeError'",
        [X, X, X, X, X, X, X],
    ),
    (
        "profiles_overseen",
        Select,
        "select from public.profiles_overseen where id = it.id('stan')",
        [X, N, N, N, Y, Y, X],
    ),
    (
        "profiles_overseen",
        Insert,
        "insert into public.profiles_overseen (username) values ('New')",
        [X; 7],
    ),
    ("profiles_overseen", Update, "update public.profiles_overseen set role = 'founder'", [X; 7]),
    ("profiles_overseen", Delete, "delete from public.profiles_overseen", [X; 7]),
    (
        "audit_log_overseen",
        Select,
        "select from public.audit_log_overseen where subject_kind = 'servers'",
        [X, N, N, N, Y, Y, X],
    ),
    (
        "audit_log_overseen",
        Insert,
        "insert into public.audit_log_overseen (action) values ('created')",
        [X; 7],
    ),
    (
        "audit_log_overseen",
        Update,
        "update public.audit_log_overseen set actor_name = 'olga'",
        [X; 7],
    ),
    ("audit_log_overseen", Delete, "delete from public.audit_log_overseen", [X; 7]),
    (
        "audit_log",
        Select,
        "select from public.audit_log where subject_kind = 'servers'",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "audit_log",
        Insert,
        "insert into public.audit_log (actor_id, actor_name, action, subject_kind)
         values (it.id('fanny'), 'fanny', 'deleted', 'servers')",
        [X, X, X, X, X, X, X],
    ),
    (
        "audit_log",
        Update,
        "update public.audit_log set actor_name = 'olga' where subject_kind = 'servers'",
        [X, X, X, X, X, X, X],
    ),
    (
        "audit_log",
        Delete,
        "delete from public.audit_log where subject_kind = 'servers'",
        [X, X, X, X, X, X, X],
    ),
];
