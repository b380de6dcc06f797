-- The official CLI's `db reset` empties every table of this schema, including our ledger, but keeps
-- the tables; they are recognised here. Any other program that makes this schema makes these tables
-- as well.
do $$
begin
    if to_regclass('supabase_functions.hooks') is null then
        raise exception 'the schema supabase_functions has tables, and no table hooks';
    end if;
end
$$;
