import { mutationOptions } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { profileKeys } from '@/entities/profile/keys'
import { serverKeys } from '@/entities/server/keys'
import { siteKeys } from '@/entities/site/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { removePictures } from '@/lib/api/upload'

interface Deletion {
  id: string
  userId: string
  /** As shown, for the word about it. */
  name: string
  /** What only this server showed. */
  pictures: readonly string[]
}

async function deleteServer({ id, userId, pictures }: Deletion): Promise<void> {
  unwrap(await supabase.from('servers').delete().eq('id', id).select('id').single())
  removePictures(userId, pictures)
}

/** Takes a server away for good, with its votes and reviews. */
export const deleteServerMutation = () =>
  mutationOptions({
    mutationFn: deleteServer,
    meta: {
      invalidates: [serverKeys.all, profileKeys.all, gameKeys.all, siteKeys.stats],
      done: (_: void, { name }: Deletion) => ({ title: 'own-server:delete.done', text: { plain: name } }),
      failed: 'own-server:delete.failed',
    },
  })
