grant all on storage.migrations to supabase_storage_admin;
