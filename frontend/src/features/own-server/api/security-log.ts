import type { Json } from '@/lib/database'
import { supabase } from '@/lib/api/supabase'

/** Records the outcome of an attempt. Nothing waits for it, and a failure is ignored. */
export function logSecurityEvent(type: 'server_created' | 'server_creation_failed', data: Json): void {
  const event = { p_event_type: type, p_event_data: data, p_user_agent: navigator.userAgent }
  void supabase.rpc('log_security_event', event).then(
    () => {},
    () => {},
  )
}
