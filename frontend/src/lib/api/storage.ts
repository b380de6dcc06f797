/** Files, as whoever is signed in. Only who sends or removes one needs it: `features/*\/api` fetch it for that. */
import { StorageClient } from '@supabase/storage-js'
import { apiOrigin } from '@/lib/config'
import { ownFetch } from './supabase'

export const storage = new StorageClient(`${apiOrigin}/storage/v1`, {}, ownFetch)
