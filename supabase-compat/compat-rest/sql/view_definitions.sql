-- The stored query trees of all views, from which the origin of their columns is read. A view is
-- steady if it returns the same rows when it is read twice in a statement: it calls no volatile
-- function.
select
  r.ev_class as relation_id,
  r.ev_action::text as definition,
  c.relkind = 'v' and not exists (
    select
    from pg_catalog.regexp_matches(r.ev_action::text, ':(?:op)?funcid (\d+)', 'g') as called (id)
    join pg_catalog.pg_proc as p on p.oid = called.id[1]::oid
    where p.provolatile = 'v'
  ) as is_steady
from pg_catalog.pg_rewrite as r
join pg_catalog.pg_class as c on c.oid = r.ev_class
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where r.rulename = '_RETURN'
  and c.relkind in ('v', 'm')
  and n.nspname not in ('pg_catalog', 'information_schema')
