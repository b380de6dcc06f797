-- The functions of extensions are called without a schema's name, by migrations and by the triggers
-- they make. Looked after at every start, because no dump has it; what an operator has set stays.
do $$
begin
    if not exists (
        select
        from pg_catalog.pg_db_role_setting as s
        cross join lateral unnest(s.setconfig) as given (setting)
        where
            s.setrole in (0, (select r.oid from pg_catalog.pg_roles as r where r.rolname = current_user))
            and s.setdatabase in (
                0, (select d.oid from pg_catalog.pg_database as d where d.datname = current_database())
            )
            and given.setting like 'search_path=%'
    ) then
        execute format(
            'alter role %I in database %I set search_path = "$user", public, extensions',
            current_user,
            current_database()
        );
    end if;
exception
    when insufficient_privilege then
        raise warning 'The schema "extensions" is not on the search path: this login may not set one.';
end
$$;
