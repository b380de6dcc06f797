grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role, supabase_storage_admin;

create or replace trigger protect_s3_multipart_uploads_delete
    before delete on storage.s3_multipart_uploads
    for each statement execute function storage.protect_delete();

create or replace trigger protect_s3_multipart_uploads_parts_delete
    before delete on storage.s3_multipart_uploads_parts
    for each statement execute function storage.protect_delete();

create or replace function storage.list_multipart_uploads_with_delimiter(
    bucket_id text,
    prefix_param text,
    delimiter_param text,
    max_keys integer default 100,
    next_key_token text default '',
    next_upload_token text default ''
)
returns table (key text, id text, created_at timestamptz)
language sql
stable
set search_path = ''
as $$
    with listed as (
        select distinct on (coalesce(folder, u.key || chr(1) || u.id))
            coalesce(folder, u.key) as key,
            case when folder is null then u.id end as id,
            case when folder is null then u.created_at end as created_at
        from storage.s3_multipart_uploads u
        cross join lateral storage.get_common_prefix(u.key, prefix_param, delimiter_param) as cut (folder)
        where u.bucket_id = list_multipart_uploads_with_delimiter.bucket_id
            and u.key >= prefix_param
            and u.key < storage.behind(prefix_param)
    )
    select l.key, l.id, l.created_at
    from listed l
    where next_key_token = ''
        or l.key collate "C" > next_key_token
        or (l.key = next_key_token and next_upload_token <> '' and l.id collate "C" > next_upload_token)
    order by l.key collate "C", l.id collate "C"
    limit max_keys
$$;
