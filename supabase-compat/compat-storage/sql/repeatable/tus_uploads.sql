-- Only the service uses these tables: an upload becomes an object, whose policies decide.
grant all on storage.tus_uploads, storage.tus_parts to service_role, supabase_storage_admin;
