import type { Json } from '@/lib/database'
import { supabase } from '@/lib/api/supabase'

/** Notes what became of an attempt. Nobody waits for it, and that it fails is nobody's trouble. */
export function logSecurityEvent(type: 'server_created' | 'server_creation_failed', data: Json): void {
  const event = { p_event_type: type, p_event_data: data, p_user_agent: navigator.userAgent }
  void supabase.rpc('log_security_event', event).then(
    () => {},
    () => {},
  )
}
