//! Profiles, and what is kept about people.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, Outcome, X, Y};

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
    // Even the service makes none without an account.
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
        [X, X, X, X, X, X, Y],
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
];
