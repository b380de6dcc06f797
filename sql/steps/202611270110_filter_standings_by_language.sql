-- Lists are filtered by the language a listing is presented in, so it stands where they look. A language that many are in
-- is met soon along any order; one that few are in is looked up by this index.
alter table public.server_standings add column language text;
update public.server_standings as t set language = s.language from public.servers as s where s.id = t.server_id;
alter table public.server_standings
alter column language set not null,
add constraint server_standings_language check (language in ('fr', 'en', 'es'));
create index server_standings_language_idx on public.server_standings (language) where is_listed;
