-- Implicit casts by function between a domain and json or text: the representations of domains.
select
  sn.nspname::text as source_schema,
  s.typname::text as source_name,
  tn.nspname::text as target_schema,
  t.typname::text as target_name,
  fn.nspname::text as function_schema,
  f.proname::text as function_name
from pg_catalog.pg_cast as c
join pg_catalog.pg_type as s on s.oid = c.castsource
join pg_catalog.pg_namespace as sn on sn.oid = s.typnamespace
join pg_catalog.pg_type as t on t.oid = c.casttarget
join pg_catalog.pg_namespace as tn on tn.oid = t.typnamespace
join pg_catalog.pg_proc as f on f.oid = c.castfunc
join pg_catalog.pg_namespace as fn on fn.oid = f.pronamespace
where c.castcontext = 'i'
  and c.castmethod = 'f'
  and (s.typtype = 'd' or t.typtype = 'd')
  and (
    s.oid in ('json'::regtype, 'text'::regtype)
    or t.oid in ('json'::regtype, 'text'::regtype)
  )
