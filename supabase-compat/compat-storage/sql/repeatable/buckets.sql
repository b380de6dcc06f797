grant all on storage.buckets to anon, authenticated, service_role, supabase_storage_admin;

create or replace trigger protect_buckets_delete
    before delete on storage.buckets
    for each statement execute function storage.protect_delete();

-- Limits the length of a bucket's name, as in the original.
create or replace function storage.enforce_bucket_name_length()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
    if length(new.name) > 100 then
        raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
    end if;
    return new;
end
$$;

create or replace trigger enforce_bucket_name_length_trigger
    before insert or update of name on storage.buckets
    for each row execute function storage.enforce_bucket_name_length();
