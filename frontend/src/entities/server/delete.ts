/** Deletes a server for good, with its votes and reviews. */
import { mutationOptions, type MutationMeta } from '@tanstack/react-query'
import { gameKeys } from '@/entities/game/keys'
import { moderationKeys } from '@/entities/moderation/keys'
import { profileKeys } from '@/entities/profile/keys'
import { siteKeys } from '@/entities/site/keys'
import { unwrap } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'
import { removePictures } from '@/lib/api/upload'
import { serverKeys } from './keys'

interface Deletion {
  id: string
  /** Images that only this server used, which are deleted, too, if its owner deletes it. */
  left?: { userId: string; pictures: readonly string[] }
}

async function deleteServer({ id, left }: Deletion): Promise<void> {
  unwrap(await supabase.from('servers').delete().eq('id', id).select('id').single())
  if (left) removePictures(left.userId, left.pictures)
}

/** The owner and administrators get different messages. */
export const deleteServerMutation = (words: Pick<MutationMeta, 'done' | 'failed'>) =>
  mutationOptions({
    mutationFn: deleteServer,
    meta: {
      invalidates: [serverKeys.all, profileKeys.all, gameKeys.all, siteKeys.stats, moderationKeys.pending],
      ...words,
    },
  })
