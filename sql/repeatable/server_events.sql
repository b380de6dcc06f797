revoke all on public.server_events from anon, authenticated, service_role;
grant select on public.server_events to anon, authenticated;
grant insert (server_id, event_type_key, title_fr, title_en, title_es,
    description_fr, description_en, description_es, start_date, end_date, is_active), update (event_type_key, title_fr, title_en, title_es,
    description_fr, description_en, description_es, start_date, end_date, is_active)
on public.server_events to authenticated;
grant all on public.server_events to service_role;

drop policy if exists "everyone sees active events of public listings" on public.server_events;
create policy "everyone sees active events of public listings" on public.server_events
for select to anon, authenticated
using (
    is_active
    and exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden
    )
);

drop policy if exists "owners keep the events of their listings" on public.server_events;
create policy "owners keep the events of their listings" on public.server_events
for all to authenticated
using ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]))
with check ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators keep the events of every listing" on public.server_events;
create policy "administrators keep the events of every listing" on public.server_events
for all to authenticated
using ((select public.is_admin())) with check ((select public.is_admin()));

drop policy if exists "the service does everything" on public.server_events;
create policy "the service does everything" on public.server_events
for all to service_role using (true) with check (true);

drop trigger if exists server_events_touch on public.server_events;
create trigger server_events_touch before update on public.server_events
for each row execute function public.touch_updated_at();

-- Lists show these texts as they are stored, so they are cleaned like a listing's texts. Texts that
-- are too long for the table are refused before they are cleaned.
create or replace function public.clean_server_event() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if
        greatest(char_length(new.title_fr), char_length(new.title_en), char_length(new.title_es)) > 600
        or greatest(
            char_length(new.description_fr), char_length(new.description_en), char_length(new.description_es)
        ) > 12000
    then
        raise exception 'The text is too long' using errcode = '23514', constraint = 'server_events_lengths';
    end if;
    new.title_fr := nullif(btrim(public.clean_text(new.title_fr)), '');
    new.title_en := nullif(btrim(public.clean_text(new.title_en)), '');
    new.title_es := nullif(btrim(public.clean_text(new.title_es)), '');
    new.description_fr := nullif(btrim(public.clean_text(new.description_fr)), '');
    new.description_en := nullif(btrim(public.clean_text(new.description_en)), '');
    new.description_es := nullif(btrim(public.clean_text(new.description_es)), '');
    return new;
end
$$;

-- Limits the number of a listing's events: more than a calendar needs, fewer than a page can show.
-- The listing is locked, so that concurrent inserts are counted one after the other.
create or replace function public.limit_server_events() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if public.is_ordinary_caller() and public.owns_server(new.server_id) and public.may_contribute() then
        perform from public.servers where id = new.server_id for no key update;
        perform public.refuse_over_limit(
            (select count(*) from public.server_events where server_id = new.server_id and is_active),
            50, 'server_event_limit_reached'
        );
    end if;
    return new;
end
$$;

drop trigger if exists server_events_limit on public.server_events;
create trigger server_events_limit before insert on public.server_events
for each row execute function public.limit_server_events();

drop trigger if exists server_events_clean on public.server_events;
create trigger server_events_clean before insert or update on public.server_events
for each row execute function public.clean_server_event();

revoke execute on function public.clean_server_event(), public.limit_server_events() from public;
