-- The image optimizer's result for each picture. The optimizer claims a check, works on the picture
-- and settles the check: with a reason why the picture stays, or by replacing it with a smaller
-- one, which settles the check in the same transaction.
revoke all on public.image_checks from anon, authenticated, service_role;
grant select on public.image_checks to authenticated, service_role;

drop policy if exists "administrators read what the optimizer found" on public.image_checks;
create policy "administrators read what the optimizer found" on public.image_checks
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service reads what the optimizer found" on public.image_checks;
create policy "the service reads what the optimizer found" on public.image_checks
for select to service_role using (true);

-- Claims one waiting picture for `p_lease` seconds. `is_there` is false if the picture was deleted
-- since. Stores the picture's current version.
create or replace function public.claim_image_check(p_at timestamptz, p_lease integer)
returns table (
    name text, version text, attempts integer, is_there boolean, cache_control text, user_metadata text
)
language sql security definer set search_path = ''
as $$
    update public.image_checks as c
    set
        version = coalesce(due.now, c.version),
        attempts = c.attempts + 1,
        leased_until = p_at + make_interval(secs => p_lease)
    from (
        select w.name, o.version as now, o.metadata ->> 'cacheControl' as kept, o.user_metadata as said
        from public.image_checks as w
        left join storage.objects as o on o.bucket_id = 'server-images' and o.name = w.name
        where w.state = 'waiting' and (w.leased_until is null or w.leased_until <= p_at)
        order by w.name
        limit 1
        for update of w skip locked
    ) as due
    where c.name = due.name
    returning c.name, c.version, c.attempts, due.now is not null, due.kept, due.said::text
$$;

-- Counts a settled picture, and ends the run with the last one.
create or replace function public.count_image_check(
    p_run_id uuid, p_state text, p_before bigint, p_after bigint
) returns void
language sql security definer set search_path = ''
as $$
    update public.image_runs
    set
        optimized = optimized + (p_state = 'optimized')::integer,
        skipped = skipped + (p_state = 'skipped')::integer,
        failed = failed + (p_state = 'failed')::integer,
        bytes_before = bytes_before + p_before,
        bytes_after = bytes_after + p_after,
        finished_at = case when optimized + skipped + failed + 1 >= total then now() end
    where id = p_run_id and finished_at is null
$$;

-- Settles a check with the reason why the picture stays; false if another process settled it, or
-- the run was stopped.
create or replace function public.settle_image_check(
    p_name text, p_at timestamptz, p_state text, p_reason text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
    v_run uuid;
begin
    update public.image_checks
    set state = p_state, reason = p_reason, leased_until = null, checked_at = p_at
    where name = p_name and state = 'waiting'
    returning run_id into v_run;
    if v_run is null then
        return false;
    end if;
    perform public.count_image_check(v_run, p_state, 0, 0);
    return true;
end
$$;

-- The optimizer names the version that it read (`optimized_from`). Its picture replaces only that
-- version, never another one or a deleted picture. The owner stays. Only the service may set the
-- field; it is removed from other callers' rows.
create or replace function public.put_optimized_picture() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_from constant text := new.user_metadata ->> 'optimized_from';
    v_run uuid;
begin
    if auth.role() is distinct from 'service_role' then
        new.user_metadata := new.user_metadata - 'optimized_from';
        return new;
    end if;
    if tg_op = 'INSERT' then
        perform from storage.objects as o
        where o.bucket_id = new.bucket_id and o.name = new.name and o.version = v_from
        for update;
        if not found then
            raise exception 'The picture is no longer there' using errcode = 'P0001';
        end if;
        -- The upsert then runs the UPDATE trigger, which still needs the field.
        return new;
    end if;
    update public.image_checks
    set state = 'optimized', version = new.version, leased_until = null, checked_at = now()
    where name = new.name and state = 'waiting' and old.version = v_from
    returning run_id into v_run;
    if v_run is null then
        raise exception 'The picture was put anew or is done' using errcode = 'P0001';
    end if;
    perform public.count_image_check(
        v_run, 'optimized',
        coalesce((old.metadata ->> 'size')::bigint, 0), coalesce((new.metadata ->> 'size')::bigint, 0)
    );
    new.owner := old.owner;
    new.owner_id := old.owner_id;
    new.user_metadata := nullif(new.user_metadata - 'optimized_from', '{}');
    return new;
end
$$;

drop trigger if exists put_optimized_picture on storage.objects;
create trigger put_optimized_picture before insert or update on storage.objects
for each row when (new.bucket_id = 'server-images' and new.user_metadata ? 'optimized_from')
execute function public.put_optimized_picture();

revoke execute on function
    public.claim_image_check(timestamptz, integer), public.count_image_check(uuid, text, bigint, bigint),
    public.settle_image_check(text, timestamptz, text, text), public.put_optimized_picture()
from public;
