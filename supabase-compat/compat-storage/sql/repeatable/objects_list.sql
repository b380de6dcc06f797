-- One folder level of a bucket: objects, and folders in place of their contents. Rows are read from
-- the index in batches; after a folder the next batch starts behind it, so that the contents of a
-- folder are not read beyond the batch that found it.
create or replace function storage.list_objects_with_delimiter(
    _bucket_id text,
    prefix_param text,
    delimiter_param text,
    max_keys integer default 100,
    start_after text default '',
    next_token text default '',
    sort_order text default 'asc'
)
returns table (
    name text,
    id uuid,
    metadata jsonb,
    updated_at timestamptz,
    created_at timestamptz,
    last_accessed_at timestamptz,
    user_metadata jsonb
)
language plpgsql
stable
set search_path = ''
as $$
declare
    prefix constant text := coalesce(prefix_param, '');
    falling constant boolean := lower(coalesce(sort_order, 'asc')) = 'desc';
    batch constant integer := least(greatest(max_keys + 1, 20), 1000);
    after text := coalesce(nullif(next_token, ''), start_after, '');
    low text collate "C" := prefix;
    high text collate "C" := storage.behind(prefix);
    entry record;
    folder text;
    taken integer;
    given integer := 0;
begin
    if after <> '' then
        -- Clients that use names of a page as a cursor name a folder without its delimiter.
        if right(after, length(delimiter_param)) <> delimiter_param
            and not exists (select from storage.objects o where o.bucket_id = _bucket_id and o.name = after)
            and exists (
                select
                from storage.objects o
                where o.bucket_id = _bucket_id
                    and o.name >= after || delimiter_param
                    and o.name < storage.behind(after || delimiter_param)
            )
        then
            after := after || delimiter_param;
        end if;
        if falling then
            high := least(high, after);
        elsif right(after, length(delimiter_param)) = delimiter_param and length(after) > length(prefix) then
            low := greatest(low, storage.behind(after));
        else
            low := greatest(low, after || chr(1));
        end if;
    end if;
    while given < max_keys loop
        taken := 0;
        for entry in
            (
                select o.*
                from storage.objects o
                where not falling and o.bucket_id = _bucket_id and o.name >= low and o.name < high
                order by o.name
                limit batch
            )
            union all
            (
                select o.*
                from storage.objects o
                where falling and o.bucket_id = _bucket_id and o.name >= low and o.name < high
                order by o.name desc
                limit batch
            )
        loop
            taken := taken + 1;
            continue when entry.name < low or entry.name >= high;
            folder := storage.get_common_prefix(entry.name, prefix, delimiter_param);
            name := coalesce(left(folder, -length(delimiter_param)), entry.name);
            id := case when folder is null then entry.id end;
            metadata := case when folder is null then entry.metadata end;
            updated_at := case when folder is null then entry.updated_at end;
            created_at := case when folder is null then entry.created_at end;
            last_accessed_at := case when folder is null then entry.last_accessed_at end;
            user_metadata := case when folder is null then entry.user_metadata end;
            return next;
            given := given + 1;
            if falling then
                high := coalesce(folder, entry.name);
            else
                low := coalesce(storage.behind(folder), entry.name || chr(1));
            end if;
            exit when given >= max_keys;
        end loop;
        exit when taken < batch;
    end loop;
end
$$;

-- One folder level in any order. Names are read from the index; in the order of a timestamp, a
-- folder is as old as its oldest object, and entries with the same timestamp are ordered by name.
create or replace function storage.search_v2(
    prefix text,
    bucket_name text,
    limits integer default 100,
    levels integer default 1,
    start_after text default '',
    sort_order text default 'asc',
    sort_column text default 'name',
    sort_column_after text default ''
)
returns table (
    key text,
    name text,
    id uuid,
    updated_at timestamptz,
    created_at timestamptz,
    last_accessed_at timestamptz,
    metadata jsonb,
    user_metadata jsonb
)
language plpgsql
stable
set search_path = ''
as $$
declare
    most constant integer := least(coalesce(limits, 100), 1500);
begin
    if lower(coalesce(sort_column, 'name')) in ('updated_at', 'created_at') then
        return query
        select *
        from storage.search_by_timestamp(
            prefix, bucket_name, most, levels, start_after, sort_order, lower(sort_column), sort_column_after
        );
        return;
    end if;
    return query
    select split_part(l.name, '/', levels), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at,
        l.metadata, l.user_metadata
    from storage.list_objects_with_delimiter(
        bucket_name, coalesce(prefix, ''), '/', most, start_after, '', sort_order
    ) l;
end
$$;

create or replace function storage.search_by_timestamp(
    p_prefix text,
    p_bucket_id text,
    p_limit integer,
    p_level integer,
    p_start_after text,
    p_sort_order text,
    p_sort_column text,
    p_sort_column_after text
)
returns table (
    key text,
    name text,
    id uuid,
    updated_at timestamptz,
    created_at timestamptz,
    last_accessed_at timestamptz,
    metadata jsonb,
    user_metadata jsonb
)
language sql
stable
set search_path = ''
as $$
    with entries as (
        select o.*, storage.get_common_prefix(o.name, coalesce(p_prefix, ''), '/') as folder
        from storage.objects o
        where o.bucket_id = p_bucket_id
            and o.name >= coalesce(p_prefix, '')
            and o.name < storage.behind(coalesce(p_prefix, ''))
    ),
    listed as (
        select left(e.folder, -1) as name, null::uuid as id, min(e.created_at) as updated_at,
            min(e.created_at) as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata,
            null::jsonb as user_metadata
        from entries e
        where e.folder is not null
        group by e.folder
        union all
        select e.name, e.id, e.updated_at, e.created_at, e.last_accessed_at, e.metadata, e.user_metadata
        from entries e
        where e.folder is null
    ),
    -- Timestamps are truncated to milliseconds, as clients receive them, so that a page starts
    -- exactly after the previous one.
    timed as (
        select l.*,
            coalesce(
                date_trunc('milliseconds', case p_sort_column when 'created_at' then l.created_at else l.updated_at end),
                'epoch'
            ) as moment
        from listed l
    )
    select split_part(t.name, '/', p_level), t.name, t.id, t.updated_at, t.created_at, t.last_accessed_at,
        t.metadata, t.user_metadata
    from timed t
    where coalesce(p_start_after, '') = ''
        or case
            when lower(p_sort_order) = 'desc'
                then (t.moment, t.name collate "C")
                    < (coalesce(nullif(p_sort_column_after, '')::timestamptz, 'epoch'), p_start_after)
            else (t.moment, t.name collate "C")
                > (coalesce(nullif(p_sort_column_after, '')::timestamptz, 'epoch'), p_start_after)
        end
    order by
        case when lower(p_sort_order) = 'desc' then t.moment end desc,
        case when lower(p_sort_order) = 'desc' then t.name collate "C" end desc,
        case when lower(p_sort_order) is distinct from 'desc' then t.moment end,
        t.name collate "C"
    limit p_limit
$$;
