-- One folder level of a bucket, case-insensitive and paginated by offset. Folders whose names
-- differ only in case are one folder.
create or replace function storage.search(
    prefix text,
    bucketname text,
    limits integer default 100,
    levels integer default 1,
    offsets integer default 0,
    search text default '',
    sortcolumn text default 'name',
    sortorder text default 'asc'
)
returns table (
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
    wanted constant text := lower(coalesce(prefix, '') || coalesce(search, ''));
    falling constant boolean := lower(coalesce(sortorder, 'asc')) = 'desc';
    batch constant integer := least(greatest(most + coalesce(offsets, 0), 20), 1000);
    -- The start of the next batch; `edge_name` distinguishes names that differ only in case.
    edge text collate "C" := case when falling then storage.behind(wanted) else wanted end;
    edge_name text collate "C" := '';
    entry record;
    folder text;
    taken integer;
    passed integer := 0;
begin
    if lower(coalesce(sortcolumn, 'name')) in ('updated_at', 'created_at', 'last_accessed_at') then
        return query
        select *
        from storage.search_by_moment(
            wanted, bucketname, most, levels, coalesce(offsets, 0), lower(sortcolumn), falling
        );
        return;
    end if;
    while passed < most + coalesce(offsets, 0) loop
        taken := 0;
        for entry in
            (
                select o.*, lower(o.name) as folded
                from storage.objects o
                where not falling
                    and o.bucket_id = bucketname
                    and (lower(o.name), o.name) > (edge, edge_name)
                    and lower(o.name) < storage.behind(wanted)
                order by lower(o.name), o.name
                limit batch
            )
            union all
            (
                select o.*, lower(o.name) as folded
                from storage.objects o
                where falling
                    and o.bucket_id = bucketname
                    and (lower(o.name), o.name) < (edge, edge_name)
                    and lower(o.name) >= wanted
                order by lower(o.name) desc, o.name desc
                limit batch
            )
        loop
            taken := taken + 1;
            continue when folder is not null and starts_with(entry.folded, folder);
            folder := storage.get_common_prefix(entry.folded, wanted, '/');
            edge := case
                when folder is null then entry.folded
                when falling then folder
                else storage.behind(folder)
            end;
            edge_name := case when folder is null then entry.name else '' end;
            passed := passed + 1;
            continue when passed <= coalesce(offsets, 0);
            name := split_part(entry.name, '/', levels);
            id := case when folder is null then entry.id end;
            metadata := case when folder is null then entry.metadata end;
            updated_at := case when folder is null then entry.updated_at end;
            created_at := case when folder is null then entry.created_at end;
            last_accessed_at := case when folder is null then entry.last_accessed_at end;
            user_metadata := case when folder is null then entry.user_metadata end;
            return next;
            exit when passed >= most + coalesce(offsets, 0);
        end loop;
        exit when taken < batch;
    end loop;
end
$$;

-- In the order of a timestamp: folders first, by name, then the objects.
create or replace function storage.search_by_moment(
    wanted text,
    bucketname text,
    limits integer,
    levels integer,
    offsets integer,
    sortcolumn text,
    falling boolean
)
returns table (
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
        select o.*, split_part(o.name, '/', levels) as part,
            storage.get_common_prefix(lower(o.name), wanted, '/') is not null as is_folder,
            case sortcolumn
                when 'created_at' then o.created_at
                when 'updated_at' then o.updated_at
                else o.last_accessed_at
            end as moment
        from storage.objects o
        where o.bucket_id = bucketname and lower(o.name) >= wanted and lower(o.name) < storage.behind(wanted)
    ),
    listed as (
        select e.part, null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
            null::timestamptz as last_accessed_at, null::jsonb as metadata, null::jsonb as user_metadata,
            null::timestamptz as moment, true as is_folder
        from entries e
        where e.is_folder
        group by e.part
        union all
        select e.part, e.id, e.updated_at, e.created_at, e.last_accessed_at, e.metadata, e.user_metadata, e.moment,
            false
        from entries e
        where not e.is_folder
    )
    select l.part, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata, l.user_metadata
    from listed l
    order by
        l.is_folder desc,
        case when falling then l.moment end desc,
        case when not falling then l.moment end,
        case when falling then l.part end desc,
        l.part
    limit limits
    offset offsets
$$;
