-- If the login role could not grant `bypassrls`, policies give the service role access to all rows.
do $$
declare
    bypasses constant boolean := (select rolbypassrls from pg_catalog.pg_roles where rolname = 'service_role');
    known text;
begin
    foreach known in array array['buckets', 'objects', 's3_multipart_uploads', 's3_multipart_uploads_parts'] loop
        execute format('drop policy if exists "the service does everything" on storage.%I', known);
        if not bypasses then
            execute format(
                'create policy "the service does everything" on storage.%I to service_role using (true) with check (true)',
                known
            );
        end if;
    end loop;
end
$$;
