-- The official CLI's `db reset` empties every table of this schema, our ledger with it, and leaves the
-- tables: they are known again. What else has made such a schema has made these as well.
do $$
begin
    if to_regclass('supabase_functions.hooks') is null then
        raise exception 'the schema supabase_functions has tables, and no table hooks';
    end if;
end
$$;
