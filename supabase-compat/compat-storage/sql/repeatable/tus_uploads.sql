-- The service alone: an upload becomes an object, and policies decide on those.
grant all on storage.tus_uploads, storage.tus_parts to service_role, supabase_storage_admin;
