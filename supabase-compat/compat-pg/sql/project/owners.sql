-- The schemas that belong to the services and not to the project, under the name that hosted projects
-- know them by: the official CLI's `db reset` drops every schema that `supabase_admin` does not own.
-- Looked after at every start, since a restored dump may say otherwise. What is in them stays its
-- maker's; only a superuser loses nothing by it, so nobody else does it.
do $$
declare
    managed name;
begin
    if not (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user) then
        return;
    end if;
    for managed in
        select n.nspname
        from pg_catalog.pg_namespace as n
        join pg_catalog.pg_roles as r on r.rolname = 'supabase_admin'
        where
            n.nspowner <> r.oid
            and n.nspname in (
                'auth', 'storage', 'realtime', 'extensions', 'graphql_public', 'vault', 'net', 'cron',
                'pgmq', 'pgmq_public', 'supabase_functions'
            )
    loop
        execute format('alter schema %I owner to supabase_admin', managed);
    end loop;
end
$$;
