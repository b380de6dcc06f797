/** Takes a server away for good, with its votes and reviews. */
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
  /** Pictures that only this server showed, where their owner takes them away, too. */
  left?: { userId: string; pictures: readonly string[] }
}

async function deleteServer({ id, left }: Deletion): Promise<void> {
  unwrap(await supabase.from('servers').delete().eq('id', id).select('id').single())
  if (left) removePictures(left.userId, left.pictures)
}

/** Its owner and those who run the site are told in words of their own. */
export const deleteServerMutation = (words: Pick<MutationMeta, 'done' | 'failed'>) =>
  mutationOptions({
    mutationFn: deleteServer,
    meta: {
      invalidates: [serverKeys.all, profileKeys.all, gameKeys.all, siteKeys.stats, moderationKeys.pending],
      ...words,
    },
  })
