grant all on storage.objects to anon, authenticated, service_role, supabase_storage_admin;

create or replace trigger protect_objects_delete
    before delete on storage.objects
    for each statement execute function storage.protect_delete();

create or replace trigger update_objects_updated_at
    before update on storage.objects
    for each row execute function storage.update_updated_at_column();

-- Checks whether the caller may insert this row: success raises an error that rolls the row back.
create or replace function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
    insert into storage.objects (bucket_id, name, owner, metadata)
    values (bucketid, name, owner, metadata);
    raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end
$$;

create or replace function storage.get_size_by_bucket()
returns table (size bigint, bucket_id text)
language sql
stable
set search_path = ''
as $$
    select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id
    from storage.objects o
    group by o.bucket_id
$$;
