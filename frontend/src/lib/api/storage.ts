/**
 * The storage client of the signed-in person. Loaded by `features/*\/api` only to upload or delete
 * a file.
 */
import { StorageClient } from '@supabase/storage-js'
import { apiOrigin } from '@/lib/config'
import { ownFetch } from './supabase'

export const storage = new StorageClient(`${apiOrigin}/storage/v1`, {}, ownFetch)
