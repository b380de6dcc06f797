import { mutationOptions } from '@tanstack/react-query'
import { imageKeys } from '@/entities/image/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Starts a run over all new images, or only over those that failed. */
async function startOptimizing({ failedOnly }: { failedOnly: boolean }): Promise<void> {
  const { error, status } = await supabase.rpc('start_image_optimization', { p_failed_only: failedOnly })
  if (error !== null) throw toApiError(error, status)
}

export const startMutation = () =>
  mutationOptions({
    mutationFn: startOptimizing,
    meta: { invalidates: [imageKeys.all], waits: true, failed: 'admin-images:notStarted' },
  })
