-- Of what superuser.sql has said of the database, a copy of it lacks this.
do $$
begin
    if current_setting('server_version_num')::int >= 160000 then
        alter database shadow_first set createrole_self_grant = 'set, inherit';
    end if;
end
$$;
