-- A decision applies until it is taken back, even if its subject is deleted. Triggers on profiles,
-- servers and reviews create and lift the marks (the *_marks.sql files); administrators lift marks
-- of deleted subjects.
revoke all on public.moderation_marks from anon, authenticated, service_role;
grant select on public.moderation_marks to authenticated;
grant all on public.moderation_marks to service_role;

drop policy if exists "administrators see what was decided" on public.moderation_marks;
create policy "administrators see what was decided" on public.moderation_marks
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.moderation_marks;
create policy "the service does everything" on public.moderation_marks
for all to service_role using (true) with check (true);

create or replace function public.email_hash(p_email text) returns text
language sql immutable strict parallel safe
as $$
    select encode(sha256(convert_to(lower(btrim(p_email)), 'UTF8')), 'hex')
$$;

-- The key by which marks compare a listing's name; null for a name without letters and digits,
-- which equals no other.
create or replace function public.listing_key(p_name text) returns text
language sql immutable strict parallel safe
as $$
    select nullif(public.name_key(public.plain_text(p_name)), '')
$$;

-- The key by which marks compare a connect address: with its port, so that two servers on one
-- machine differ.
create or replace function public.address_key(p_address text, p_game_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
    select case when p_address <> 'N/A' then concat(
        split_part(lower(p_address), ':', 1), ':',
        coalesce(
            nullif(split_part(p_address, ':', 2), ''),
            (select default_port::text from public.games where id = p_game_id)
        )
    ) end
$$;

create or replace function public.has_standing_decision(p_subject_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
    select
        exists (select from public.profiles where id = p_subject_id and is_banned)
        or exists (
            select from public.servers
            where id = p_subject_id and (not is_approved or (is_hidden and hidden_reason = 'moderation'))
        )
        or exists (select from public.reviews where id = p_subject_id and is_hidden)
$$;

-- Lifts a mark of a deleted subject. A decision about an existing subject is taken back where it
-- was made.
create or replace function public.lift_moderation_mark(p_mark_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_mark public.moderation_marks;
begin
    perform public.require_admin();
    select * into v_mark from public.moderation_marks where id = p_mark_id;
    if not found then
        raise exception 'Mark not found' using errcode = 'PT404';
    elsif public.has_standing_decision(v_mark.subject_id) then
        raise exception 'The decision stands; take it back first' using errcode = '22023';
    end if;
    delete from public.moderation_marks where decision = v_mark.decision and subject_id = v_mark.subject_id;
    perform public.record_decision('mark_lifted', jsonb_build_object(
        'decision', v_mark.decision, 'subject', v_mark.subject_id, 'label', v_mark.label
    ));
end
$$;

revoke execute on function
    public.email_hash(text), public.listing_key(text), public.address_key(text, uuid),
    public.has_standing_decision(uuid),
    public.lift_moderation_mark(uuid)
from public;
grant execute on function public.lift_moderation_mark(uuid) to authenticated, service_role;
