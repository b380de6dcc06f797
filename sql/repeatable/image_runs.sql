-- Runs of the image optimizer: administrators start, stop and read them, and only one runs at a
-- time. Only image_checks.sql counts what a run does.
revoke all on public.image_runs from anon, authenticated, service_role;
grant select on public.image_runs to authenticated, service_role;

drop policy if exists "administrators read runs of the optimizer" on public.image_runs;
create policy "administrators read runs of the optimizer" on public.image_runs
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service reads runs of the optimizer" on public.image_runs;
create policy "the service reads runs of the optimizer" on public.image_runs
for select to service_role using (true);

-- Starts a run over pictures that are new, were replaced since their last check, or have failed;
-- with `p_failed_only` over those that failed. Pictures with a known result count as skipped.
create or replace function public.start_image_optimization(p_failed_only boolean default false) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_run uuid;
    v_total integer;
    v_waiting integer;
begin
    perform public.require_admin();
    insert into public.image_runs (retries_failed) values (p_failed_only)
    on conflict ((true)) where finished_at is null do nothing
    returning id into v_run;
    if v_run is null then
        raise exception 'The image optimizer is running already' using errcode = '55006';
    end if;
    delete from public.image_checks as c
    where not exists (
        select from storage.objects as o where o.bucket_id = 'server-images' and o.name = c.name
    );
    insert into public.image_checks as c (name, version, run_id)
    select o.name, o.version, v_run
    from storage.objects as o
    where
        o.bucket_id = 'server-images' and o.version is not null
        and (
            not p_failed_only
            or exists (select from public.image_checks as f where f.name = o.name and f.state = 'failed')
        )
    on conflict (name) do update
    set version = excluded.version, run_id = excluded.run_id, state = 'waiting', reason = null, attempts = 0,
        leased_until = null, checked_at = null
    where c.state = 'failed' or c.version <> excluded.version;
    get diagnostics v_waiting = row_count;
    v_total := case when p_failed_only then v_waiting else (select count(*) from public.image_checks) end;
    update public.image_runs
    set total = v_total, skipped = v_total - v_waiting, finished_at = case when v_waiting = 0 then now() end
    where id = v_run;
    return v_run;
end
$$;

-- Stops the run; its results stay. The next run takes the pictures that it had not reached.
create or replace function public.stop_image_optimization() returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    -- Locks checks before their run, in the same order as settling a check.
    delete from public.image_checks where state = 'waiting';
    update public.image_runs set finished_at = now(), is_stopped = true where finished_at is null;
    if not found then
        raise exception 'The image optimizer is not running' using errcode = 'PT404';
    end if;
end
$$;

revoke execute on function public.start_image_optimization(boolean), public.stop_image_optimization() from public;
grant execute on function public.start_image_optimization(boolean), public.stop_image_optimization()
to authenticated;
