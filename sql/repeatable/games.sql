revoke all on public.games from anon, authenticated, service_role;
grant select on public.games to anon, authenticated;
grant insert, update, delete on public.games to authenticated;
grant all on public.games to service_role;

drop policy if exists "everyone sees the games" on public.games;
create policy "everyone sees the games" on public.games
for select to anon, authenticated using (is_active);

drop policy if exists "owners see the games of their listings" on public.games;
create policy "owners see the games of their listings" on public.games
for select to authenticated
using (exists (select from public.servers as s where s.game_id = games.id and s.owner_id = (select auth.uid())));

drop policy if exists "administrators keep the games" on public.games;
create policy "administrators keep the games" on public.games
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.games;
create policy "the service does everything" on public.games
for all to service_role using (true) with check (true);

drop trigger if exists games_touch on public.games;
create trigger games_touch before update on public.games
for each row execute function public.touch_updated_at();

-- A game that is inserted without a slug gets one from its name, and its own page.
create or replace function public.name_game_page() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.slug := coalesce(new.slug, public.slugify(new.name));
    new.page_slug := coalesce(new.page_slug, new.slug);
    return new;
end
$$;
revoke execute on function public.name_game_page() from public;

drop trigger if exists games_name_page on public.games;
create trigger games_name_page before insert on public.games
for each row execute function public.name_game_page();

-- An invalid pattern would fail every vote for the game's servers, so it is compiled here in the
-- same way.
create or replace function public.check_nickname_pattern() returns trigger
language plpgsql set search_path = ''
as $$
begin
    perform '' ~ ('^(?:' || new.nickname_pattern || ')$');
    return new;
end
$$;
revoke execute on function public.check_nickname_pattern() from public;

drop trigger if exists games_check_nickname_pattern on public.games;
create trigger games_check_nickname_pattern before insert or update of nickname_pattern on public.games
for each row execute function public.check_nickname_pattern();
