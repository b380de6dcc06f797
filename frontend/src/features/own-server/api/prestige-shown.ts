import { mutationOptions } from '@tanstack/react-query'
import { serverKeys } from '@/entities/server/keys'
import { toApiError } from '@/lib/api/errors'
import { supabase } from '@/lib/api/supabase'

interface PrestigeDisplayChange {
  id: string
  isShown: boolean
}

async function setShown({ id, isShown }: PrestigeDisplayChange): Promise<void> {
  const { error, status } = await supabase.from('servers').update({ shows_prestige: isShown }).eq('id', id)
  if (error !== null) throw toApiError(error, status)
}

/** Whether a server's Prestige is displayed; its days pass either way. */
export const prestigeShownMutation = () =>
  mutationOptions({
    mutationFn: setShown,
    meta: {
      invalidates: [serverKeys.all],
      waits: true,
      done: (_: void, { isShown }: PrestigeDisplayChange) => ({
        title: isShown ? 'own-server:prestige.switchedOn' : 'own-server:prestige.switchedOff',
      }),
      failed: 'own-server:prestige.notSwitched',
    },
  })
