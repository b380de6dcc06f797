-- The roles of the cluster. Repeatable; a role made by somebody else in the same moment is fine.

-- Made anew at the next start if the machine fails now, so the disk is not waited for: the next commit that is, brings it along.
set local synchronous_commit = off;

do $$
declare
  wanted record;
  target text;
  own record;
begin
  select r.rolsuper, r.rolbypassrls, r.rolname
    into own
    from pg_catalog.pg_roles r
   where r.rolname = current_user;

  for wanted in
    select *
      from (values
        ('anon', 'nologin noinherit'),
        ('authenticated', 'nologin noinherit'),
        ('service_role',
          'nologin noinherit' || case when own.rolsuper or own.rolbypassrls then ' bypassrls' else '' end),
        ('authenticator', 'login noinherit'),
        ('supabase_auth_admin', 'login noinherit'),
        ('supabase_storage_admin', 'login noinherit')
      ) as roles (name, attributes)
  loop
    if not exists (select 1 from pg_catalog.pg_roles r where r.rolname = wanted.name) then
      begin
        execute format('create role %I %s', wanted.name, wanted.attributes);
      exception
        when duplicate_object or unique_violation then
          null;
      end;
    end if;
  end loop;

  -- The authenticator may become each of the three, and a login without superuser rights may
  -- become the authenticator. From 16 on, becoming is a right of its own, named `set`.
  foreach target in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (
      select 1
        from pg_catalog.pg_auth_members m
       where m.roleid = target::regrole
         and m.member = 'authenticator'::regrole
    ) then
      execute format('grant %I to authenticator', target);
    end if;
  end loop;

  -- The original platform's limits, so that no caller keeps the others' connections. What an
  -- operator has set stays, zero (no limit) included.
  for wanted in
    select * from (values ('anon', '3s'), ('authenticated', '8s')) as limits (name, longest)
  loop
    if not exists (
      select 1
        from pg_catalog.pg_db_role_setting s
       cross join lateral unnest(s.setconfig) as given (setting)
       where s.setrole = wanted.name::regrole
         and s.setdatabase in (
           0, (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
         )
         and given.setting like 'statement_timeout=%'
    ) then
      begin
        execute format('alter role %I set statement_timeout = %L', wanted.name, wanted.longest);
      exception
        when insufficient_privilege then
          raise warning 'The statements of % have no time limit: this login may not set one.', wanted.name
            using hint = format('Let a superuser run: alter role %I set statement_timeout = %L', wanted.name, wanted.longest);
      end;
    end if;
  end loop;

  if not own.rolsuper then
    foreach target in array array['authenticator', 'supabase_auth_admin', 'supabase_storage_admin'] loop
      if current_setting('server_version_num')::int >= 160000 then
        if not pg_has_role(current_user, target, 'SET') then
          execute format('grant %I to %I with inherit false, set true', target, own.rolname);
        end if;
      elsif not pg_has_role(current_user, target, 'MEMBER') then
        execute format('grant %I to %I', target, own.rolname);
      end if;
    end loop;
  end if;
end
$$;
