-- The current operation, for policies: `storage.object.upload` and the like.
create or replace function storage.operation()
returns text
language sql
stable
as $$
    select current_setting('storage.operation', true)
$$;

-- Whether the current operation is one of these, named with or without the prefix `storage.`.
create or replace function storage.allow_any_operation(expected_operations text[])
returns boolean
language sql
stable
as $$
    select exists (
        select from unnest(expected_operations) as expected (name)
        where expected.name <> ''
            and regexp_replace(expected.name, '^storage\.', '')
                = regexp_replace(storage.operation(), '^storage\.', '')
    )
$$;

create or replace function storage.allow_only_operation(expected_operation text)
returns boolean
language sql
stable
as $$
    select storage.allow_any_operation(array[expected_operation])
$$;
