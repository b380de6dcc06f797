-- The stored query trees of all views, from which the origin of their columns is read.
select
  r.ev_class as relation_id,
  r.ev_action::text as definition
from pg_catalog.pg_rewrite as r
join pg_catalog.pg_class as c on c.oid = r.ev_class
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where r.rulename = '_RETURN'
  and c.relkind in ('v', 'm')
  and n.nspname not in ('pg_catalog', 'information_schema')
