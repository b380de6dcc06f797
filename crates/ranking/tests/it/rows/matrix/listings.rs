//! Listings, the view of them, and their tokens.

use super::Outcome::Refused;
use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, X, Y};

pub const LINES: &[Line] = &[
    // A listing is seen by all once it is approved and while it is not hidden.
    ("servers", Select, "select from public.servers where id = it.id('open')", [Y, Y, Y, Y, Y, Y, Y]),
    ("servers", Select, "select from public.servers where id = it.id('waiting')", [N, N, Y, N, Y, Y, Y]),
    ("servers", Select, "select from public.servers where id = it.id('off')", [N, N, Y, N, Y, Y, Y]),
    ("servers", Select, "select * from public.servers where id = it.id('open')", [X, Y, Y, Y, Y, Y, Y]),
    ("servers", Select, "select name, s.monthly_votes from public.servers as s where id = it.id('open')", [X, Y, Y, Y, Y, Y, Y]),
    ("servers", Select, "select warnings from public.servers where id = it.id('open')", [X, Y, Y, Y, Y, Y, Y]),
    ("servers", Select, "select hidden_reason from public.servers where id = it.id('open')", [X, Y, Y, Y, Y, Y, Y]),
    ("servers", Select, "select prestige_payment_id from public.servers where id = it.id('open')", [X, Y, Y, Y, Y, Y, Y]),
    (
        "servers",
        Select,
        "select from public.servers s where s.id = it.id('open') and s.api_token is not null",
        [X, N, Y, N, Y, Y, Y],
    ),
    // People list for themselves, and only what they may write.
    ("servers", Insert, "insert into public.servers (name, game_id) values ('New', it.id('game'))", [X, Y, Y, X, Y, Y, Y]),
    (
        "servers",
        Insert,
        "insert into public.servers (name, game_id, owner_id) values ('New', it.id('game'), it.id('olga'))",
        [X, X, Y, X, X, X, Y],
    ),
    (
        "servers",
        Insert,
        "insert into public.servers (name, game_id, owner_id) values ('New', it.id('game'), null)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "servers",
        Insert,
        "insert into public.servers (name, game_id, is_hidden) values ('New', it.id('game'), true)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "servers",
        Insert,
        "insert into public.servers (name, game_id, sponsor_tier) values ('New', it.id('game'), 'gold')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "servers",
        Insert,
        "insert into public.servers (name, game_id, is_sponsored) values ('New', it.id('game'), true)",
        [X, X, X, X, X, X, Y],
    ),
    (
        "servers",
        Insert,
        "insert into public.servers (name, game_id, custom_color) values ('New', it.id('game'), '#123456')",
        [X, X, X, X, Y, Y, Y],
    ),
    ("servers", Update, "update public.servers set name = 'Renamed' where id = it.id('open')", [X, N, Y, N, Y, Y, Y]),
    ("servers", Update, "update public.servers set name = 'Renamed' where id = it.id('off')", [X, N, Y, N, Y, Y, Y]),
    ("servers", Update, "update public.servers set name = 'Renamed' where id = it.id('borises')", [X, N, N, N, Y, Y, Y]),
    ("servers", Update, "update public.servers set name = 'Renamed' where id = it.id('free')", [X, N, N, N, Y, Y, Y]),
    ("servers", Update, "update public.servers set open_vote_api = true where id = it.id('open')", [X, N, Y, N, Y, Y, Y]),
    ("servers", Update, "update public.servers set is_sponsored = true where id = it.id('open')", [X, X, X, X, X, X, Y]),
    ("servers", Update, "update public.servers set sponsor_tier = 'gold' where id = it.id('open')", [X, X, X, X, X, X, Y]),
    ("servers", Update, "update public.servers set prestige_expires_at = now() where id = it.id('open')", [X, X, X, X, X, X, Y]),
    ("servers", Update, "update public.servers set is_approved = true where id = it.id('waiting')", [X, X, X, X, X, X, Y]),
    ("servers", Update, "update public.servers set is_hidden = false where id = it.id('off')", [X, X, X, X, X, X, Y]),
    ("servers", Update, "update public.servers set owner_id = it.id('stan') where id = it.id('open')", [X, X, X, X, X, X, Y]),
    ("servers", Update, "update public.servers set slug = 'mine' where id = it.id('open')", [X, X, X, X, X, X, Y]),
    ("servers", Delete, "delete from public.servers where id = it.id('open')", [X, N, Y, N, Y, Y, Y]),
    ("servers", Delete, "delete from public.servers where id = it.id('borises')", [X, N, N, N, Y, Y, Y]),
    // A standing is seen with its listing, but for the periods its counters are about; procedures write it.
    (
        "server_standings",
        Select,
        "select total_votes from public.server_standings where server_id = it.id('open')",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "server_standings",
        Select,
        "select total_votes from public.server_standings where server_id = it.id('waiting')",
        [N, N, Y, N, Y, Y, Y],
    ),
    (
        "server_standings",
        Select,
        "select total_votes from public.server_standings where server_id = it.id('off')",
        [N, N, Y, N, Y, Y, Y],
    ),
    (
        "server_standings",
        Select,
        "select month from public.server_standings where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_standings",
        Insert,
        "insert into public.server_standings (server_id, game_id, game_slug, is_listed, created_at) values (it.id('nowhere'), it.id('game'), 'a-game', true, now())",
        [X, X, X, X, X, X, Refused("23503")],
    ),
    (
        "server_standings",
        Update,
        "update public.server_standings set total_votes = 9 where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_standings",
        Delete,
        "delete from public.server_standings where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    ("rank_steps", Select, "select from public.rank_steps where votes = 0", [Y, Y, Y, Y, Y, Y, Y]),
    (
        "rank_steps",
        Insert,
        "insert into public.rank_steps (game_id, votes, rank) values (it.id('game'), 7, 7)",
        [X, X, X, X, X, X, Y],
    ),
    ("rank_steps", Update, "update public.rank_steps set rank = 9", [X, X, X, X, X, X, Y]),
    ("rank_steps", Delete, "delete from public.rank_steps", [X, X, X, X, X, X, Y]),
    // The view never shows more than that, not even to owners, and is read only.
    ("servers_public", Select, "select from public.servers_public where id = it.id('open')", [Y, Y, Y, Y, Y, Y, Y]),
    ("servers_public", Select, "select from public.servers_public where id = it.id('waiting')", [N, N, N, N, N, N, N]),
    ("servers_public", Select, "select from public.servers_public where id = it.id('off')", [N, N, N, N, N, N, N]),
    (
        "servers_public",
        Insert,
        "insert into public.servers_public (name, game_id) values ('New', it.id('game'))",
        [X, X, X, X, X, X, X],
    ),
    (
        "servers_public",
        Update,
        "update public.servers_public set total_votes = 9 where id = it.id('open')",
        [X, X, X, X, X, X, X],
    ),
    ("servers_public", Delete, "delete from public.servers_public where id = it.id('open')", [X, X, X, X, X, X, X]),
    // What those who run the site look through shows nothing to anybody else, whatever they own.
    ("servers_overseen", Select, "select from public.servers_overseen where id = it.id('waiting')", [X, N, N, N, Y, Y, X]),
    ("servers_overseen", Insert, "insert into public.servers_overseen (name) values ('New')", [X; 7]),
    ("servers_overseen", Update, "update public.servers_overseen set name = 'Renamed'", [X; 7]),
    ("servers_overseen", Delete, "delete from public.servers_overseen", [X; 7]),
    ("servers_of_owners", Select, "select from public.servers_of_owners where id = it.id('waiting')", [X, N, N, N, Y, Y, X]),
    ("servers_of_owners", Insert, "insert into public.servers_of_owners (name) values ('New')", [X; 7]),
    ("servers_of_owners", Update, "update public.servers_of_owners set name = 'Renamed'", [X; 7]),
    ("servers_of_owners", Delete, "delete from public.servers_of_owners", [X; 7]),
    (
        "server_api_tokens",
        Select,
        "select from public.server_api_tokens where server_id = it.id('open')",
        [X, N, Y, N, Y, Y, Y],
    ),
    (
        "server_api_tokens",
        Select,
        "select from public.server_api_tokens where server_id = it.id('borises')",
        [X, N, N, Y, Y, Y, Y],
    ),
    (
        "server_api_tokens",
        Insert,
        "insert into public.server_api_tokens (server_id, token) values (it.id('open'), repeat('a', 40))
         on conflict (server_id) do update set token = excluded.token",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_api_tokens",
        Update,
        "update public.server_api_tokens set token = repeat('a', 40) where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "server_api_tokens",
        Delete,
        "delete from public.server_api_tokens where server_id = it.id('open')",
        [X, X, X, X, X, X, Y],
    ),
];
