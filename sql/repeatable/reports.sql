revoke all on public.reports from anon, authenticated, service_role;
grant select on public.reports to authenticated;
grant insert (server_id, comment_id, reporter_id, reason, custom_reason, status) on public.reports to authenticated;
grant all on public.reports to service_role;

drop policy if exists "people see their own reports" on public.reports;
create policy "people see their own reports" on public.reports
for select to authenticated using (reporter_id = (select auth.uid()));

drop policy if exists "administrators see every report" on public.reports;
create policy "administrators see every report" on public.reports
for select to authenticated using ((select public.is_admin()));

drop policy if exists "people report" on public.reports;
create policy "people report" on public.reports
for insert to authenticated
with check (
    reporter_id = (select auth.uid())
    and status = 'pending'
    and (select public.may_contribute())
);

drop policy if exists "the service does everything" on public.reports;
create policy "the service does everything" on public.reports
for all to service_role using (true) with check (true);

-- Limits the number of a person's open reports; see limit_tag_proposals.
create or replace function public.limit_reports() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if public.is_ordinary_caller() and new.reporter_id = auth.uid() and public.may_contribute() then
        perform from public.profiles where id = new.reporter_id for no key update;
        perform public.refuse_over_limit(
            (select count(*) from public.reports where reporter_id = new.reporter_id and status = 'pending'),
            20, 'report_limit_reached'
        );
    end if;
    return new;
end
$$;

drop trigger if exists reports_limit on public.reports;
create trigger reports_limit before insert on public.reports
for each row execute function public.limit_reports();

create or replace function public.resolve_report(p_report_id uuid, p_status text, p_note text default null)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    if p_status is null or p_status not in ('resolved', 'dismissed') then
        raise exception 'A report is resolved or dismissed' using errcode = '22023';
    end if;
    update public.reports
    set
        status = p_status,
        resolution_note = p_note,
        resolved_by = (select id from public.profiles where id = auth.uid()),
        resolved_at = now()
    where id = p_report_id;
    if not found then
        raise exception 'Report not found' using errcode = 'PT404';
    end if;
end
$$;
revoke execute on function public.limit_reports(), public.resolve_report(uuid, text, text) from public;
grant execute on function public.resolve_report(uuid, text, text) to authenticated, service_role;
