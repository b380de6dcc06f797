-- Only the service accesses these tables: an upload becomes an object, and policies on objects
-- decide.
grant all on storage.tus_uploads, storage.tus_parts to service_role, supabase_storage_admin;
