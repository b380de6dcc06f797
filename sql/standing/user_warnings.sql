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

-- The listing a warning is about counts it, so that the lists of the admin area can show it.
create or replace function public.warn_user(p_user_id uuid, p_reason text, p_server_id uuid default null)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_warning_id uuid;
begin
    perform public.require_authority_over(p_user_id);
    insert into public.user_warnings (user_id, server_id, reason, issued_by)
    values (p_user_id, p_server_id, p_reason, (select id from public.profiles where id = auth.uid()))
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
        raise exception 'Warning not found' using errcode = 'P0002';
    end if;
    update public.servers set warnings = greatest(warnings - 1, 0) where id = v_warning.server_id;
end
$$;

revoke execute on function public.warn_user(uuid, text, uuid), public.withdraw_warning(uuid) from public;
grant execute on function public.warn_user(uuid, text, uuid), public.withdraw_warning(uuid)
to authenticated, service_role;
