//! Purchases and prizes: Prestige, arcade spots, contests.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, X, Y};

pub const LINES: &[Line] = &[
    ("payments", Select, "select from public.payments where id = it.id('payment')", [X, N, Y, N, Y, Y, Y]),
    ("payments", Select, "select charge_id from public.payments where id = it.id('payment')", [X, X, X, X, X, X, Y]),
    ("payments", Select, "select problem from public.payments where id = it.id('payment')", [X, X, X, X, X, X, Y]),
    (
        "payments",
        Insert,
        "insert into public.payments (kind, days, unit_price_cents, amount_cents, expires_at, look_at)
         values ('prestige', 1, 1, 1, now(), now())",
        [X; 7],
    ),
    ("payments", Update, "update public.payments set amount_cents = 1 where id = it.id('payment')", [X; 7]),
    ("payments", Delete, "delete from public.payments where id = it.id('payment')", [X; 7]),
    ("payment_receipts", Select, "select from public.payment_receipts where number = 1", [X, N, Y, N, Y, Y, Y]),
    ("payment_ledger", Select, "select from public.payment_ledger where id = it.id('payment')", [X, N, N, N, Y, Y, X]),
    ("payment_ledger", Insert, "insert into public.payment_ledger (kind) values ('prestige')", [X; 7]),
    ("payment_ledger", Update, "update public.payment_ledger set amount_cents = 1", [X; 7]),
    ("payment_ledger", Delete, "delete from public.payment_ledger", [X; 7]),
    (
        "payment_receipts",
        Insert,
        "insert into public.payment_receipts select * from public.payment_receipts",
        [X; 7],
    ),
    ("payment_receipts", Update, "update public.payment_receipts set amount_cents = 1", [X; 7]),
    ("payment_receipts", Delete, "delete from public.payment_receipts", [X; 7]),
    ("payment_events", Select, "select from public.payment_events where event_id = 'evt'", [X, N, N, N, Y, Y, Y]),
    (
        "payment_events",
        Insert,
        "insert into public.payment_events (provider, event_id, kind) values ('stripe', 'other', 'x')",
        [X; 7],
    ),
    ("payment_events", Update, "update public.payment_events set kind = 'x'", [X; 7]),
    ("payment_events", Delete, "delete from public.payment_events", [X; 7]),
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
    // Everybody sees which days are taken, also by a reservation that waits for its payment.
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
        Select,
        "select from public.competitive_event_participations
         where event_id = it.id('draft contest') and server_id = it.id('borises')",
        [N, N, N, Y, Y, Y, Y],
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
    (
        "competitive_event_standings",
        Select,
        "select from public.competitive_event_standings where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "competitive_event_standings",
        Select,
        "select from public.competitive_event_standings where server_id = it.id('off')",
        [N, N, N, N, N, N, N],
    ),
    (
        "competitive_event_standings",
        Insert,
        "insert into public.competitive_event_standings (event_id, server_id) values (it.id('contest'), it.id('free'))",
        [X, X, X, X, X, X, X],
    ),
    (
        "competitive_event_standings",
        Update,
        "update public.competitive_event_standings set votes_count = 9 where server_id = it.id('open')",
        [X, X, X, X, X, X, X],
    ),
    (
        "competitive_event_standings",
        Delete,
        "delete from public.competitive_event_standings where server_id = it.id('open')",
        [X, X, X, X, X, X, X],
    ),
    (
        "competitive_event_places",
        Select,
        "select from public.competitive_event_places where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "competitive_event_places",
        Select,
        "select from public.competitive_event_places where server_id = it.id('off')",
        [N, N, N, N, N, N, Y],
    ),
    (
        "competitive_event_places",
        Insert,
        "insert into public.competitive_event_places
         values (it.id('contest'), '2026-02-02', it.id('open'), 1, 1)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "competitive_event_places",
        Update,
        "update public.competitive_event_places set place = 3 where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "competitive_event_places",
        Delete,
        "delete from public.competitive_event_places where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
];
