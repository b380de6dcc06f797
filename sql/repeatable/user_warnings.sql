revoke all on public.user_warnings from anon, authenticated, service_role;
grant select on public.user_warnings to authenticated;
grant all on public.user_warnings to service_role;

drop policy if exists "people see the warnings they got" on public.user_warnings;
create policy "people see the warnings they got" on public.user_warnings
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every warning" on public.user_warnings;
create policy "administrators see every warning" on public.user_warnings
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.user_warnings;
create policy "the service does everything" on public.user_warnings
for all to service_role using (true) with check (true);

-- Warns a user. The listing that the warning is about counts it for the lists of the
-- administration.
drop function if exists public.warn_user(uuid, text, uuid);
create or replace function public.warn_user(
    p_user_id uuid, p_reason text, p_server_id uuid default null, p_until timestamptz default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_warning_id uuid;
begin
    perform public.require_authority_over(p_user_id);
    insert into public.user_warnings (user_id, server_id, reason, issued_by, expires_at)
    values (p_user_id, p_server_id, p_reason, (select id from public.profiles where id = auth.uid()), p_until)
    returning id into v_warning_id;
    update public.servers set warnings = warnings + 1 where id = p_server_id;
    return v_warning_id;
end
$$;

create or replace function public.withdraw_warning(p_warning_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_warning public.user_warnings;
begin
    perform public.require_admin();
    update public.user_warnings set is_active = false where id = p_warning_id and is_active
    returning * into v_warning;
    if not found then
        raise exception 'Warning not found' using errcode = 'PT404';
    end if;
    update public.servers set warnings = greatest(warnings - 1, 0) where id = v_warning.server_id;
end
$$;

-- Ends expired warnings, at most `p_rows`; returns how many.
create or replace function public.end_warnings(p_at timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with over as (
        select id from public.user_warnings
        where is_active and expires_at <= p_at
        order by expires_at
        limit p_rows
        for update skip locked
    ),
    ended as (
        update public.user_warnings as w set is_active = false
        from over
        where w.id = over.id
        returning w.server_id
    ),
    counted as (
        update public.servers as s set warnings = greatest(s.warnings - e.ended, 0)
        from (select server_id, count(*)::integer as ended from ended group by server_id) as e
        where s.id = e.server_id
    )
    select count(*)::integer from ended
$$;

revoke execute on function
    public.warn_user(uuid, text, uuid, timestamptz), public.withdraw_warning(uuid),
    public.end_warnings(timestamptz, integer)
from public;
grant execute on function public.end_warnings(timestamptz, integer) to service_role;
grant execute on function public.warn_user(uuid, text, uuid, timestamptz), public.withdraw_warning(uuid)
to authenticated, service_role;
