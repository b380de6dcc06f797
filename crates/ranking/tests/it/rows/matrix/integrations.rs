//! Events of a listing, and the receivers of its votes.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, X, Y};

pub const LINES: &[Line] = &[
    ("server_events", Select, "select from public.server_events where id = it.id('event')", [Y, Y, Y, Y, Y, Y, Y]),
    ("server_events", Select, "select from public.server_events where id = it.id('past event')", [N, N, Y, N, Y, Y, Y]),
    ("server_events", Select, "select from public.server_events where id = it.id('event of off')", [N, N, Y, N, Y, Y, Y]),
    (
        "server_events",
        Insert,
        "insert into public.server_events (server_id, event_type_key, title_fr, start_date, end_date)
         values (it.id('open'), 'kind', 'Autre', now(), now() + interval '1 day')",
        [X, X, Y, X, Y, Y, Y],
    ),
    (
        "server_events",
        Insert,
        "insert into public.server_events (server_id, event_type_key, title_fr, start_date, end_date)
         values (it.id('borises'), 'kind', 'Autre', now(), now() + interval '1 day')",
        [X, X, X, X, Y, Y, Y],
    ),
    (
        "server_events",
        Update,
        "update public.server_events set is_active = false where id = it.id('event')",
        [X, N, Y, N, Y, Y, Y],
    ),
    (
        "server_events",
        Update,
        "update public.server_events set server_id = it.id('borises') where id = it.id('event')",
        [X, X, X, X, X, X, Y],
    ),
    ("server_events", Delete, "delete from public.server_events where id = it.id('event')", [X, X, X, X, X, X, Y]),
    ("webhooks", Select, "select from public.webhooks where id = it.id('hook')", [X, N, Y, N, Y, Y, Y]),
    (
        "webhooks",
        Insert,
        "insert into public.webhooks (server_id, url, secret) values (it.id('off'), 'https://h.example', 'a long secret')",
        [X, X, Y, X, Y, Y, Y],
    ),
    (
        "webhooks",
        Insert,
        "insert into public.webhooks (server_id, url, secret) values (it.id('borises'), 'https://h.example', 'a long secret')",
        [X, X, X, X, Y, Y, Y],
    ),
    ("webhooks", Update, "update public.webhooks set is_active = false where id = it.id('hook')", [X, N, Y, N, Y, Y, Y]),
    ("webhooks", Delete, "delete from public.webhooks where id = it.id('hook')", [X, N, Y, N, Y, Y, Y]),
    ("votifier_configs", Select, "select from public.votifier_configs where id = it.id('votifier')", [X, N, Y, N, Y, Y, Y]),
    (
        "votifier_configs",
        Insert,
        "insert into public.votifier_configs (server_id, host, token) values (it.id('off'), 'mc.example', 'token')",
        [X, X, Y, X, Y, Y, Y],
    ),
    (
        "votifier_configs",
        Update,
        "update public.votifier_configs set port = 1 where id = it.id('votifier')",
        [X, N, Y, N, Y, Y, Y],
    ),
    ("votifier_configs", Delete, "delete from public.votifier_configs where id = it.id('votifier')", [X, N, Y, N, Y, Y, Y]),
    ("deliveries", Select, "select from public.deliveries where id = it.id('delivery')", [X, N, Y, N, Y, Y, Y]),
    (
        "deliveries",
        Insert,
        "insert into public.deliveries (server_id, channel, payload) values (it.id('open'), 'webhook', '{}')",
        [X, X, X, X, X, X, Y],
    ),
    ("deliveries", Update, "update public.deliveries set status = 'failed' where id = it.id('delivery')", [X, X, X, X, X, X, Y]),
    ("deliveries", Delete, "delete from public.deliveries where id = it.id('delivery')", [X, X, X, X, X, X, Y]),
    (
        "push_subscriptions",
        Select,
        "select language from public.push_subscriptions where id = it.id('phone')",
        [X, Y, N, N, N, N, Y],
    ),
    (
        "push_subscriptions",
        Select,
        "select endpoint from public.push_subscriptions where id = it.id('phone')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "push_subscriptions",
        Insert,
        "insert into public.push_subscriptions (user_id, endpoint, p256dh, auth, language)
         values (it.id('stan'), 'https://push.example/2', decode(repeat('04', 65), 'hex'),
            decode(repeat('01', 16), 'hex'), 'fr')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "push_subscriptions",
        Update,
        "update public.push_subscriptions set language = 'en' where id = it.id('phone')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "push_subscriptions",
        Delete,
        "delete from public.push_subscriptions where id = it.id('phone')",
        [X, Y, N, N, N, N, Y],
    ),
];
