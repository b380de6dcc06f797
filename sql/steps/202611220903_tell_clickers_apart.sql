-- A visitor counts once a day for a listing; like a vote, a click knows its visitor by a keyed hash only, for a while.
alter table public.server_clicks
add column ip_hash text,
add column day date not null default current_date;

create unique index server_clicks_visitor_key on public.server_clicks (server_id, day, ip_hash);
create index server_clicks_identities_idx on public.server_clicks (clicked_at) where ip_hash is not null;
