import { mutationOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/api/errors'
import { keys } from '@/lib/query/query-keys'
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
      invalidates: [keys.servers.all, keys.profile.all, keys.games.all, keys.stats.all],
      done: (_: void, { name }: Deletion) => ({ title: 'own-server:delete.done', text: { plain: name } }),
      failed: 'own-server:delete.failed',
    },
  })
