-- Notifies the caches of public objects of changes: with bucket and key; with the bucket alone
-- after a change to many objects or to a long key; with an empty array for all objects. A
-- notification has less than 8000 bytes.
create or replace function storage.tell_of_objects()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    if (select count(*) from (select from before limit 51) as first_ones) > 50 then
        perform pg_catalog.pg_notify('storage_changes', json_build_array(bucket_id)::text)
        from (select distinct bucket_id from before) as buckets;
    else
        perform pg_catalog.pg_notify('storage_changes', case
            when octet_length(json_build_array(bucket_id, name)::text) < 8000
                then json_build_array(bucket_id, name)::text
            else json_build_array(bucket_id)::text
        end)
        from before;
    end if;
    return null;
end
$$;

create or replace function storage.tell_of_buckets()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    perform pg_catalog.pg_notify('storage_changes', json_build_array(id)::text) from before;
    return null;
end
$$;

create or replace function storage.tell_of_all()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    perform pg_catalog.pg_notify('storage_changes', '[]');
    return null;
end
$$;

-- There are no triggers for inserts, since no cache contains a new object.
create or replace trigger tell_of_changed_objects
    after update on storage.objects referencing old table as before
    for each statement execute function storage.tell_of_objects();
create or replace trigger tell_of_deleted_objects
    after delete on storage.objects referencing old table as before
    for each statement execute function storage.tell_of_objects();
create or replace trigger tell_of_changed_buckets
    after update on storage.buckets referencing old table as before
    for each statement execute function storage.tell_of_buckets();
create or replace trigger tell_of_deleted_buckets
    after delete on storage.buckets referencing old table as before
    for each statement execute function storage.tell_of_buckets();
create or replace trigger tell_of_all_objects
    after truncate on storage.objects
    for each statement execute function storage.tell_of_all();
create or replace trigger tell_of_all_buckets
    after truncate on storage.buckets
    for each statement execute function storage.tell_of_all();
