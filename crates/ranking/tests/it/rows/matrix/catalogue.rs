//! What the site offers to choose from: everybody reads it, administrators keep it.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, X, Y};

pub const LINES: &[Line] = &[
    ("games", Select, "select from public.games where id = it.id('game')", [Y, Y, Y, Y, Y, Y, Y]),
    ("games", Select, "select from public.games where id = it.id('gone')", [N, N, N, N, Y, Y, Y]),
    ("games", Insert, "insert into public.games (name) values ('Another')", [X, X, X, X, Y, Y, Y]),
    ("games", Update, "update public.games set name = 'Other' where id = it.id('game')", [X, N, N, N, Y, Y, Y]),
    ("games", Delete, "delete from public.games where id = it.id('gone')", [X, N, N, N, Y, Y, Y]),
    ("server_tags", Select, "select from public.server_tags where id = it.id('tag')", [Y, Y, Y, Y, Y, Y, Y]),
    (
        "server_tags",
        Insert,
        "insert into public.server_tags (name, color, name_fr, name_en, name_es) values ('b', '#EF4444', 'b', 'b', 'b')",
        [X, X, X, X, Y, Y, Y],
    ),
    ("server_tags", Update, "update public.server_tags set name_fr = 'z' where id = it.id('tag')", [X, N, N, N, Y, Y, Y]),
    ("server_tags", Delete, "delete from public.server_tags where id = it.id('tag')", [X, N, N, N, Y, Y, Y]),
    ("event_types", Select, "select from public.event_types where key = 'kind'", [Y, Y, Y, Y, Y, Y, Y]),
    (
        "event_types",
        Insert,
        "insert into public.event_types (key, name_fr, name_en, name_es) values ('other', 'a', 'b', 'c')",
        [X, X, X, X, Y, Y, Y],
    ),
    ("event_types", Update, "update public.event_types set icon = 'star' where key = 'kind'", [X, N, N, N, Y, Y, Y]),
    ("event_types", Delete, "delete from public.event_types where key = 'opening'", [X, N, N, N, Y, Y, Y]),
    ("site_settings", Select, "select from public.site_settings where setting_key = 'site_name'", [Y, Y, Y, Y, Y, Y, Y]),
    (
        "site_settings",
        Insert,
        "insert into public.site_settings (setting_key, setting_value) values ('site_name', '\"X\"')
         on conflict (setting_key)
         do update set setting_key = excluded.setting_key, setting_value = excluded.setting_value",
        [X, X, X, X, Y, Y, Y],
    ),
    (
        "site_settings",
        Update,
        "update public.site_settings set setting_value = '\"X\"' where setting_key = 'site_name'",
        [X, N, N, N, Y, Y, Y],
    ),
    ("site_settings", Delete, "delete from public.site_settings where setting_key = 'site_name'", [X, N, N, N, Y, Y, Y]),
    ("partners", Select, "select from public.partners where id = it.id('partner')", [Y, Y, Y, Y, Y, Y, Y]),
    ("partners", Select, "select from public.partners where id = it.id('old partner')", [N, N, N, N, Y, Y, Y]),
    (
        "partners",
        Insert,
        "insert into public.partners (name, url) values ('Three', 'https://three.example')",
        [X, X, X, X, Y, Y, Y],
    ),
    ("partners", Update, "update public.partners set name = 'A' where id = it.id('partner')", [X, N, N, N, Y, Y, Y]),
    ("partners", Delete, "delete from public.partners where id = it.id('partner')", [X, N, N, N, Y, Y, Y]),
    ("prestige_pricing", Select, "select from public.prestige_pricing where min_days = 1", [Y, Y, Y, Y, Y, Y, Y]),
    (
        "prestige_pricing",
        Insert,
        "insert into public.prestige_pricing (min_days, unit_price_cents) values (2, 1)",
        [X, X, X, X, Y, Y, Y],
    ),
    (
        "prestige_pricing",
        Update,
        "update public.prestige_pricing set unit_price_cents = 1 where min_days = 1",
        [X, N, N, N, Y, Y, Y],
    ),
    ("prestige_pricing", Delete, "delete from public.prestige_pricing where min_days = 1", [X, N, N, N, Y, Y, Y]),
    ("image_runs", Select, "select from public.image_runs where total = 1", [X, N, N, N, Y, Y, Y]),
    ("image_runs", Insert, "insert into public.image_runs (retries_failed) values (false)", [X, X, X, X, X, X, X]),
    ("image_runs", Update, "update public.image_runs set total = 0", [X, X, X, X, X, X, X]),
    ("image_runs", Delete, "delete from public.image_runs", [X, X, X, X, X, X, X]),
    ("image_checks", Select, "select from public.image_checks where name = 'a.png'", [X, N, N, N, Y, Y, Y]),
    (
        "image_checks",
        Insert,
        "insert into public.image_checks (name, version, run_id) values ('b.png', '1', gen_random_uuid())",
        [X, X, X, X, X, X, X],
    ),
    ("image_checks", Update, "update public.image_checks set state = 'waiting'", [X, X, X, X, X, X, X]),
    ("image_checks", Delete, "delete from public.image_checks", [X, X, X, X, X, X, X]),
];
