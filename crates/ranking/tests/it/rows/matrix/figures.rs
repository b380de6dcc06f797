//! Counts of public listings: read by all, written by procedures.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, X, Y};

pub const LINES: &[Line] = &[
    (
        "game_figures",
        Select,
        "select from public.game_figures where game_id = it.id('game')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "game_figures",
        Select,
        "select from public.game_figures where game_id = it.id('gone')",
        [N, N, N, N, Y, Y, Y],
    ),
    (
        "game_figures",
        Insert,
        "insert into public.game_figures (game_id) values (it.id('game'))",
        [X, X, X, X, X, X, X],
    ),
    ("game_figures", Update, "update public.game_figures set servers = 9", [X, X, X, X, X, X, X]),
    ("game_figures", Delete, "delete from public.game_figures", [X, X, X, X, X, X, X]),
    (
        "game_tag_figures",
        Select,
        "select from public.game_tag_figures where game_id = it.id('game')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "game_tag_figures",
        Select,
        "select from public.game_tag_figures where game_id = it.id('gone')",
        [N, N, N, N, Y, Y, Y],
    ),
    (
        "game_tag_figures",
        Insert,
        "insert into public.game_tag_figures values (it.id('game'), 'New', 1, 0)",
        [X, X, X, X, X, X, X],
    ),
    (
        "game_tag_figures",
        Update,
        "update public.game_tag_figures set servers = 9",
        [X, X, X, X, X, X, X],
    ),
    ("game_tag_figures", Delete, "delete from public.game_tag_figures", [X, X, X, X, X, X, X]),
    (
        "server_daily_counts",
        Select,
        "select from public.server_daily_counts where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "server_daily_counts",
        Select,
        "select from public.server_daily_counts where server_id = it.id('off')",
        [N, N, Y, N, Y, Y, Y],
    ),
    (
        "server_daily_counts",
        Insert,
        "insert into public.server_daily_counts (server_id, day) values (it.id('free'), '2026-01-01')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_daily_counts",
        Update,
        "update public.server_daily_counts set votes = 9 where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_daily_counts",
        Delete,
        "delete from public.server_daily_counts where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_monthly_votes",
        Select,
        "select from public.server_monthly_votes where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "server_monthly_votes",
        Select,
        "select from public.server_monthly_votes where server_id = it.id('off')",
        [N, N, Y, N, Y, Y, Y],
    ),
    (
        "server_monthly_votes",
        Insert,
        "insert into public.server_monthly_votes (server_id, month, votes) values (it.id('free'), '2026-01-01', 1)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_monthly_votes",
        Update,
        "update public.server_monthly_votes set votes = 9 where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_monthly_votes",
        Delete,
        "delete from public.server_monthly_votes where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_clicks",
        Select,
        "select from public.server_clicks where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "server_clicks",
        Select,
        "select from public.server_clicks where server_id = it.id('off')",
        [N, N, Y, N, Y, Y, Y],
    ),
    (
        "server_clicks",
        Select,
        "select ip_hash from public.server_clicks where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_clicks",
        Insert,
        "insert into public.server_clicks (server_id) values (it.id('open'))",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_clicks",
        Update,
        "update public.server_clicks set clicked_at = now() where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_clicks",
        Delete,
        "delete from public.server_clicks where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
];
