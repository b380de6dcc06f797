import { mutationOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

async function activatePrestige({ id, days }: { id: string; days: number }): Promise<void> {
  const { error, status } = await supabase.rpc('activate_prestige', { p_server_id: id, p_days: days })
  if (error !== null) throw toApiError(error, status)
}

async function deactivatePrestige(id: string): Promise<void> {
  const { error, status } = await supabase.rpc('deactivate_prestige', { p_server_id: id })
  if (error !== null) throw toApiError(error, status)
}

export const activatePrestigeMutation = () =>
  mutationOptions({
    mutationFn: activatePrestige,
    meta: { invalidates: [serverKeys.all], done: 'admin-servers:done.prestige' },
  })

export const deactivatePrestigeMutation = () =>
  mutationOptions({
    mutationFn: deactivatePrestige,
    meta: {
      invalidates: [serverKeys.all],
      done: 'admin-servers:done.endPrestige',
      failed: 'admin-servers:notEnded',
    },
  })
