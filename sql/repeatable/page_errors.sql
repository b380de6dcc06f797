revoke all on public.page_errors from anon, authenticated, service_role;
grant select on public.page_errors to authenticated, service_role;

drop policy if exists "administrators read errors of pages" on public.page_errors;
create policy "administrators read errors of pages" on public.page_errors
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service reads errors of pages" on public.page_errors;
create policy "the service reads errors of pages" on public.page_errors
for select to service_role using (true);

-- Counts one report; returns whether it was stored. At most `p_rows` different errors are kept, so
-- that nobody can fill the disk with invented ones; past that number, only known errors are
-- counted.
create or replace function public.record_page_error(
    p_release text,
    p_page text,
    p_name text,
    p_stack_hash text,
    p_frames text[],
    p_rows integer,
    p_at timestamptz default now()
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
    update public.page_errors
    set reports = reports + 1, last_at = greatest(last_at, p_at)
    where release = p_release and page = p_page and stack_hash = p_stack_hash;
    if found then
        return true;
    end if;
    if (select count(*) from (select from public.page_errors limit p_rows) as kept) >= p_rows then
        return false;
    end if;
    insert into public.page_errors as e (release, page, name, stack_hash, frames, first_at, last_at)
    values (p_release, p_page, p_name, p_stack_hash, p_frames, p_at, p_at)
    on conflict (release, page, stack_hash) do update
    set reports = e.reports + 1, last_at = greatest(e.last_at, excluded.last_at);
    return true;
end
$$;

-- Deletes errors that were last reported before `p_before`; returns how many.
create or replace function public.prune_page_errors(p_before timestamptz, p_rows integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
    v_pruned integer;
begin
    delete from public.page_errors
    where id in (
        select id from public.page_errors
        where last_at < p_before
        order by last_at
        limit p_rows
        for update skip locked
    );
    get diagnostics v_pruned = row_count;
    return v_pruned;
end
$$;

revoke execute on function
    public.record_page_error(text, text, text, text, text[], integer, timestamptz),
    public.prune_page_errors(timestamptz, integer)
from public;
grant execute on function
    public.record_page_error(text, text, text, text, text[], integer, timestamptz),
    public.prune_page_errors(timestamptz, integer)
to service_role;
