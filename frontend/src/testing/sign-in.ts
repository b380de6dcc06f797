/** Signs the published client in with stubbed responses. For tests only. */
import { supabase } from '@/lib/api/supabase'

export const ADA = {
  id: 'a1000000-0000-4000-8000-000000000001',
  aud: 'authenticated',
  email: 'ada@example.org',
  app_metadata: {},
  user_metadata: {},
}

/** The response of `/token`; the client only reads the expiry of the access token. */
export function tokenAnswer({ level = 'aal1', factors = [] as object[] } = {}): Response {
  const expires_at = Math.floor(Date.now() / 1000) + 3600
  const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '')
  const access_token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: ADA.id, exp: expires_at, aal: level })}.c2ln`
  return Response.json({
    access_token,
    refresh_token: 'r',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at,
    user: { ...ADA, factors },
  })
}

/** Needs a `fetch` that responds with `tokenAnswer` to `/token`. */
export async function signInAsAda(): Promise<void> {
  const { error } = await supabase.auth.signInWithPassword({ email: ADA.email, password: 'secret' })
  if (error !== null) throw error
}

/** Needs a `fetch` that responds to `/logout`. */
export async function signOut(): Promise<void> {
  await supabase.auth.signOut({ scope: 'local' })
}
