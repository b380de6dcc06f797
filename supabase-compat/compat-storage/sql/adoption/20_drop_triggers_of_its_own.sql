-- What the original's triggers did is done by ours, which the repeatable files make, or by nobody: some
-- releases kept a table of folders, which the next ones gave up. Those of the project call functions of its own.
do $$
declare
    one record;
begin
    for one in
        select t.tgname, t.tgrelid::regclass as owner
        from pg_catalog.pg_trigger as t
        inner join pg_catalog.pg_class as c on t.tgrelid = c.oid
        inner join pg_catalog.pg_proc as p on t.tgfoid = p.oid
        where
            not t.tgisinternal
            and c.relnamespace = 'storage'::regnamespace
            and p.pronamespace = 'storage'::regnamespace
    loop
        execute format('drop trigger %I on %s', one.tgname, one.owner);
    end loop;
end
$$;
