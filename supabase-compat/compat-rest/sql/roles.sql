-- Settings of the roles that the login may assume, made by ALTER ROLE … SET, those of the current
-- database last. Only settings that every role may change, because the assumed role may not change
-- the others.
select
  r.rolname::text as role_name,
  every.setting
from pg_catalog.pg_roles as r
join pg_catalog.pg_db_role_setting as s on s.setrole = r.oid
cross join lateral unnest(s.setconfig) as every (setting)
left join pg_catalog.pg_settings as known on known.name = lower(split_part(every.setting, '=', 1))
where s.setdatabase in (0, (select d.oid from pg_catalog.pg_database as d where d.datname = current_database()))
  and pg_catalog.pg_has_role(current_user, r.oid, 'member')
  and r.rolname <> current_user
  and split_part(every.setting, '=', 1) not in ('search_path', 'role', 'session_authorization')
  and (known.context = 'user' or known.name is null and split_part(every.setting, '=', 1) like '%.%')
order by r.rolname, s.setdatabase
