//! What is paid for or won: Prestige, arcade spots, contests.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, X, Y};

pub const LINES: &[Line] = &[
    ("prestige_payments", Select, "select from public.prestige_payments where id = it.id('payment')", [X, N, Y, N, Y, Y, Y]),
    (
        "prestige_payments",
        Insert,
        "insert into public.prestige_payments (days, unit_price_cents, amount_cents, provider, status)
         values (1, 1, 1, 'test', 'paid')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "prestige_payments",
        Update,
        "update public.prestige_payments set status = 'paid' where id = it.id('payment')",
        [X, X, X, X, X, X, Y],
    ),
    ("prestige_payments", Delete, "delete from public.prestige_payments where id = it.id('payment')", [X, X, X, X, X, X, Y]),
    ("prestige_pass_days", Select, "select from public.prestige_pass_days where id = it.id('pass')", [X, N, Y, N, Y, Y, Y]),
    (
        "prestige_pass_days",
        Insert,
        "insert into public.prestige_pass_days (user_id, milestone) values (it.id('olga'), 2000)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "prestige_pass_days",
        Update,
        "update public.prestige_pass_days set milestone = 5 where id = it.id('pass')",
        [X, X, X, X, X, X, Y],
    ),
    ("prestige_pass_days", Delete, "delete from public.prestige_pass_days where id = it.id('pass')", [X, X, X, X, X, X, Y]),
    ("arcade_spots", Select, "select from public.arcade_spots where id = it.id('spot')", [Y, Y, Y, Y, Y, Y, Y]),
    ("arcade_spots", Select, "select image_url, status from public.arcade_spots where id = it.id('spot')", [Y, Y, Y, Y, Y, Y, Y]),
    ("arcade_spots", Select, "select booked_by from public.arcade_spots where id = it.id('spot')", [X, X, X, X, X, X, Y]),
    ("arcade_spots", Select, "select total_amount from public.arcade_spots where id = it.id('spot')", [X, X, X, X, X, X, Y]),
    ("arcade_spots", Select, "select price_per_day from public.arcade_spots where id = it.id('spot')", [X, X, X, X, X, X, Y]),
    ("arcade_spots", Select, "select from public.arcade_spots where id = it.id('booking')", [N, N, Y, N, Y, Y, Y]),
    ("arcade_spots", Select, "select from public.arcade_spots where id = it.id('old spot')", [N, N, N, N, Y, Y, Y]),
    (
        "arcade_spots",
        Insert,
        "insert into public.arcade_spots (position, start_date, end_date, image_url, status)
         values (3, public.site_today(), public.site_today(), '/x.png', 'active')",
        [X, X, X, X, Y, Y, Y],
    ),
    ("arcade_spots", Update, "update public.arcade_spots set status = 'active' where id = it.id('booking')", [X, N, N, N, Y, Y, Y]),
    ("arcade_spots", Delete, "delete from public.arcade_spots where id = it.id('booking')", [X, N, N, N, Y, Y, Y]),
    // Everybody sees that the days are taken, those of a reservation that waits for its payment too.
    ("arcade_days_taken", Select, "select from public.arcade_days_taken where position = 1", [Y; 7]),
    ("arcade_days_taken", Select, "select from public.arcade_days_taken where position = 2", [Y; 7]),
    (
        "arcade_days_taken",
        Insert,
        "insert into public.arcade_days_taken (position, start_date, end_date) values (3, now(), now())",
        [X; 7],
    ),
    ("arcade_days_taken", Update, "update public.arcade_days_taken set position = 3", [X; 7]),
    ("arcade_days_taken", Delete, "delete from public.arcade_days_taken", [X; 7]),
    ("arcade_payments", Select, "select from public.arcade_payments where spot_id = it.id('booking')", [X, N, Y, N, Y, Y, Y]),
    (
        "arcade_payments",
        Insert,
        "insert into public.arcade_payments (spot_id, amount_cents, provider) values (it.id('spot'), 0, 'test')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "arcade_payments",
        Update,
        "update public.arcade_payments set status = 'paid' where spot_id = it.id('booking')",
        [X, X, X, X, X, X, Y],
    ),
    ("arcade_payments", Delete, "delete from public.arcade_payments where spot_id = it.id('booking')", [X, X, X, X, X, X, Y]),
    ("competitive_events", Select, "select from public.competitive_events where id = it.id('contest')", [Y, Y, Y, Y, Y, Y, Y]),
    (
        "competitive_events",
        Select,
        "select from public.competitive_events where id = it.id('draft contest')",
        [N, N, N, N, Y, Y, Y],
    ),
    (
        "competitive_events",
        Insert,
        "insert into public.competitive_events (name, start_date, end_date, target_votes)
         values ('Next', now(), now() + interval '1 day', 5)",
        [X, X, X, X, Y, Y, Y],
    ),
    (
        "competitive_events",
        Update,
        "update public.competitive_events set target_votes = 1 where id = it.id('contest')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "competitive_events",
        Update,
        "update public.competitive_events set is_finished = true where id = it.id('contest')",
        [X, X, X, X, X, X, Y],
    ),
    ("competitive_events", Delete, "delete from public.competitive_events where id = it.id('contest')", [X, N, N, N, Y, Y, Y]),
    (
        "competitive_event_participations",
        Select,
        "select from public.competitive_event_participations where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "competitive_event_participations",
        Select,
        "select from public.competitive_event_participations where server_id = it.id('off')",
        [N, N, Y, N, Y, Y, Y],
    ),
    (
        "competitive_event_participations",
        Insert,
        "insert into public.competitive_event_participations (event_id, server_id, votes_count)
         values (it.id('contest'), it.id('free'), 9)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "competitive_event_participations",
        Update,
        "update public.competitive_event_participations set votes_count = 9 where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "competitive_event_participations",
        Delete,
        "delete from public.competitive_event_participations where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
];
