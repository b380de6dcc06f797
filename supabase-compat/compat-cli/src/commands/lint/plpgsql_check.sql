begin;
set local client_min_messages = warning;
create extension if not exists plpgsql_check;
select n.nspname, p.proname, case when c.level = 'error' then 'error' else c.level end, c.message, c.sqlstate, c.lineno,
    c.statement, c.query, c.position, c.hint, c.detail
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_language l on l.oid = p.prolang
left join lateral (
    select t.tgrelid from pg_catalog.pg_trigger t
    where t.tgfoid = p.oid and p.prorettype = 'pg_catalog.trigger'::regtype
    group by t.tgrelid) t on true
cross join lateral plpgsql_check_function_tb(p.oid, coalesce(t.tgrelid, 0)) c
where l.lanname = 'plpgsql'
  and (p.prorettype <> 'pg_catalog.trigger'::regtype or t.tgrelid is not null)
  and n.nspname !~ '^(pg_|information_schema$|_)'
  and n.nspname not in ('auth', 'cron', 'extensions', 'graphql', 'graphql_public', 'net', 'pgbouncer', 'pgmq', 'pgmq_public', 'pgsodium',
      'pgsodium_masks', 'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'vault')
order by 1, 2;
rollback;
