-- Settings of this server that are stored in the database (ALTER ROLE authenticator SET pgrst.…),
-- those of the current database last.
select
  pg_catalog.substr(split_part(every.setting, '=', 1), 7) as name,
  pg_catalog.substr(every.setting, pg_catalog.strpos(every.setting, '=') + 1) as value
from pg_catalog.pg_roles as r
join pg_catalog.pg_db_role_setting as s on s.setrole = r.oid
cross join lateral unnest(s.setconfig) as every (setting)
where s.setdatabase in (0, (select d.oid from pg_catalog.pg_database as d where d.datname = current_database()))
  and r.rolname = current_user
  and every.setting like 'pgrst.%'
order by s.setdatabase
