/** The type of the API client with sessions, for modules that must not import the client itself. */
import type { AuthClient } from '@supabase/auth-js'
import type { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '@/lib/database'

export interface Client extends PostgrestClient<Database> {
  readonly auth: InstanceType<typeof AuthClient>
}
