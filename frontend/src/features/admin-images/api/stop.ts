import { mutationOptions } from '@tanstack/react-query'
import { imageKeys } from '@/entities/image/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

/** Stops the run; its results stay, and the next run continues. */
async function stopOptimizing(): Promise<void> {
  const { error, status } = await supabase.rpc('stop_image_optimization')
  if (error !== null) throw toApiError(error, status)
}

export const stopMutation = () =>
  mutationOptions({
    mutationFn: stopOptimizing,
    meta: { invalidates: [imageKeys.all], waits: true, failed: 'admin-images:notStopped' },
  })
