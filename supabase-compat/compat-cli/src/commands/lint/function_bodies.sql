begin;
set local client_min_messages = warning;
create temporary table lint_issues (schema text, function text, message text, sqlstate text, line text, detail text, hint text)
    on commit drop;
do $lint$
declare
    one record;
    state text;
    said text;
    further text;
    advice text;
    place text;
begin
    for one in
        select n.nspname, p.proname, p.oid
        from pg_catalog.pg_proc p
        join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        join pg_catalog.pg_language l on l.oid = p.prolang
        where l.lanname in ('sql', 'plpgsql')
          and p.prokind in ('f', 'p')
          and n.nspname !~ '^(pg_|information_schema$|_)'
          and n.nspname not in ('auth', 'cron', 'extensions', 'graphql', 'graphql_public', 'net', 'pgbouncer', 'pgmq', 'pgmq_public',
              'pgsodium', 'pgsodium_masks', 'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'vault')
          and not exists (
              select from pg_catalog.pg_depend d
              where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
        order by 1, 2, 3
    loop
        begin
            execute pg_catalog.pg_get_functiondef(one.oid);
        exception when others then
            get stacked diagnostics state = returned_sqlstate, said = message_text, further = pg_exception_detail,
                advice = pg_exception_hint, place = pg_exception_context;
            -- Whoever may not make it anew cannot have it checked.
            if state <> '42501' then
                insert into lint_issues values (one.nspname, one.proname, said, state,
                    substring(place from 'line ([0-9]+)'), nullif(further, ''), nullif(advice, ''));
            end if;
        end;
    end loop;
end
$lint$;
select schema, function, 'error' as level, message, sqlstate, line, null as statement, null as query, null as position, hint, detail
from lint_issues
order by schema, function;
rollback;
