-- Who may upload pictures to the bucket `server-images` (storage/buckets.toml): people to their own
-- folders, `<account>/` and `arcade-spots/<account>/`, administrators everywhere. Everybody reads.
create or replace function public.is_own_picture(p_bucket text, p_name text) returns boolean
language sql stable set search_path = ''
as $$
    select p_bucket = 'server-images'
        and (select public.may_contribute())
        and (select auth.uid())::text in (
            (storage.foldername(p_name))[1],
            case when (storage.foldername(p_name))[1] = 'arcade-spots' then (storage.foldername(p_name))[2] end
        )
$$;
revoke all on function public.is_own_picture(text, text) from public;
grant execute on function public.is_own_picture(text, text) to authenticated, service_role;

drop policy if exists "everyone sees pictures" on storage.objects;
create policy "everyone sees pictures" on storage.objects
for select to anon, authenticated using (bucket_id = 'server-images');

drop policy if exists "people put pictures into their folder" on storage.objects;
create policy "people put pictures into their folder" on storage.objects
for insert to authenticated with check (public.is_own_picture(bucket_id, name));

drop policy if exists "people change pictures in their folder" on storage.objects;
create policy "people change pictures in their folder" on storage.objects
for update to authenticated using (public.is_own_picture(bucket_id, name))
with check (public.is_own_picture(bucket_id, name));

drop policy if exists "people remove pictures from their folder" on storage.objects;
create policy "people remove pictures from their folder" on storage.objects
for delete to authenticated using (public.is_own_picture(bucket_id, name));

drop policy if exists "administrators keep the pictures" on storage.objects;
create policy "administrators keep the pictures" on storage.objects
for all to authenticated using (bucket_id = 'server-images' and (select public.is_admin()))
with check (bucket_id = 'server-images' and (select public.is_admin()));

drop policy if exists "everyone sees the bucket of pictures" on storage.buckets;
create policy "everyone sees the bucket of pictures" on storage.buckets
for select to anon, authenticated using (id = 'server-images');

-- Limits that apply to every upload, also by a signed URL. Animated pictures are allowed for Arcade
-- spots only. So that nobody can fill the disk, an account has a maximum number of pictures in a
-- folder, of bytes in all its folders, and of metadata for each picture.
create or replace function public.check_picture() returns trigger
language plpgsql set search_path = ''
as $$
declare
    most constant integer := 300;
    most_bytes constant bigint := 150 * 1024 * 1024;
    folder text := (storage.foldername(new.name))[1];
    account text;
    size constant bigint := coalesce((new.metadata ->> 'size')::bigint, 0);
    size_before bigint := -1;
begin
    if new.bucket_id <> 'server-images' then
        return new;
    end if;
    if new.metadata ->> 'mimetype' = 'image/gif' and folder is distinct from 'arcade-spots' then
        raise exception 'GIF is for arcade-spots/ only' using errcode = '23514';
    end if;
    if octet_length(new.user_metadata::text) > 4096 then
        raise exception 'What is said of a picture has 4096 bytes at most' using errcode = '23514';
    end if;
    account := folder;
    if folder = 'arcade-spots' then
        account := coalesce((storage.foldername(new.name))[2], '');
        folder := folder || '/' || account;
    end if;
    if tg_op = 'UPDATE' and old.name = new.name then
        size_before := coalesce((old.metadata ->> 'size')::bigint, 0);
    end if;
    -- A picture that gets smaller is accepted even past the limit.
    if size <= size_before then
        return new;
    end if;
    -- Concurrent uploads are counted one after the other.
    perform pg_advisory_xact_lock(hashtextextended('server-images/' || account, 0));
    if most_bytes < size + coalesce(
        (
            select sum((o.metadata ->> 'size')::bigint)
            from unnest(array[account, 'arcade-spots/' || account]) as own (folder)
            inner join storage.objects as o on o.name >= own.folder || '/' and o.name < own.folder || '0'
            where o.bucket_id = new.bucket_id and o.name <> new.name
        ), 0
    ) then
        raise exception 'The pictures of one account take 150 MiB at most' using errcode = '23514';
    end if;
    if tg_op = 'INSERT' and most <= (
        select count(*)
        from (
            select
            from storage.objects o
            where
                o.bucket_id = new.bucket_id and o.name >= folder || '/' and o.name < folder || '0'
                -- A picture that replaces another one is an insert, too.
                and o.name <> new.name
            limit most
        ) as seen
    ) then
        raise exception 'This folder holds % pictures, which is all it may', most using errcode = '23514';
    end if;
    return new;
end
$$;
revoke all on function public.check_picture() from public;

drop trigger if exists check_picture on storage.objects;
create trigger check_picture before insert or update on storage.objects
for each row execute function public.check_picture();

-- Resumable uploads are stored apart from objects until they are complete, and so are their bytes.
-- Only some of the storage services that the site can run on have this table.
create or replace function public.limit_resumable_uploads() returns trigger
language plpgsql set search_path = ''
as $$
declare
    most constant integer := 10;
begin
    if new.bucket_id <> 'server-images' or new.is_done or new.expires_at <= now() then
        return new;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('server-images/resumable/' || coalesce(new.owner_id, ''), 0));
    if most <= (
        select count(*)
        from storage.tus_uploads as u
        where
            u.bucket_id = new.bucket_id and u.owner_id is not distinct from new.owner_id
            and not u.is_done and u.expires_at > now()
    ) then
        raise exception '% uploads of yours are under way, which is all there may be', most using errcode = '23514';
    end if;
    return new;
end
$$;
revoke all on function public.limit_resumable_uploads() from public;

do $$
begin
    if to_regclass('storage.tus_uploads') is not null then
        drop trigger if exists limit_resumable_uploads on storage.tus_uploads;
        create trigger limit_resumable_uploads before insert on storage.tus_uploads
        for each row execute function public.limit_resumable_uploads();
    end if;
end
$$;
