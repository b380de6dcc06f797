-- One transaction: a reader of `pg_database` sees the database of before or the replacement, and never none.
-- What belongs to a database and is in no dump goes along: settings, of logins in it too, and its rights.
do $$
declare
    served oid := (select d.oid from pg_catalog.pg_database as d where d.datname = 'postgres');
    one record;
begin
    for one in
        select
            s.setrole,
            pg_catalog.split_part(given.setting, '=', 1) as name,
            pg_catalog.substr(given.setting, pg_catalog.strpos(given.setting, '=') + 1) as value
        from pg_catalog.pg_db_role_setting as s
        cross join lateral pg_catalog.unnest(s.setconfig) as given (setting)
        where s.setdatabase = served
    loop
        execute pg_catalog.format(
            'alter %s set %I to %s',
            case one.setrole
                when 0 then 'database compat_replacement'
                else pg_catalog.format('role %s in database compat_replacement', one.setrole::regrole)
            end,
            one.name,
            case
                -- Lists, whose names are quoted as they have to be.
                when one.name
                    in ('search_path', 'temp_tablespaces', 'session_preload_libraries', 'local_preload_libraries')
                    then one.value
                else pg_catalog.quote_literal(one.value)
            end
        );
    end loop;
    if exists (select from pg_catalog.pg_database as d where d.oid = served and d.datacl is not null) then
        revoke all on database compat_replacement from public;
        for one in
            select
                a.privilege_type,
                a.is_grantable,
                case a.grantee when 0 then 'public' else a.grantee::regrole::text end as grantee
            from pg_catalog.pg_database as d
            cross join lateral pg_catalog.aclexplode(d.datacl) as a
            where d.oid = served and a.grantee <> d.datdba
        loop
            execute pg_catalog.format(
                'grant %s on database compat_replacement to %s%s',
                one.privilege_type,
                one.grantee,
                case when one.is_grantable then ' with grant option' end
            );
        end loop;
    end if;
end
$$;

alter database postgres rename to compat_replaced;

alter database compat_replacement rename to postgres;
