/** Realtime: watches a channel with an identity, shows its presences, and sends broadcasts. */
import { Stack } from '@mantine/core'
import { IconBroadcast } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Caller } from '@/api/caller'
import { useMayChange } from '@/app/session'
import { ScreenFrame } from '@/ui/screen'
import { EmptyState } from '@/ui/states'
import { BroadcastForm } from './broadcast-form'
import type { WatchedChannel } from './channel'
import { ChannelForm } from './channel-form'
import { ChannelView } from './channel-view'

export function Screen() {
  const { t } = useTranslation('realtime')
  const [parameters, setParameters] = useSearchParams()
  const mayChange = useMayChange()
  // Memoized by the address, so that the channel is joined anew only for another one.
  const watched = useMemo(() => watchedOf(parameters), [parameters])
  return (
    <ScreenFrame title={t('title')} description={t('description')}>
      <Stack gap="md">
        <ChannelForm
          key={parameters.toString()}
          watched={watched}
          onWatch={(next) => setParameters(next === null ? {} : parametersOf(next))}
        />
        {watched === null ? (
          <EmptyState icon={IconBroadcast} title={t('none.title')} text={t('none.text')} />
        ) : (
          <>
            <ChannelView key={parameters.toString()} watched={watched} />
            {mayChange ? <BroadcastForm watched={watched} /> : null}
          </>
        )}
      </Stack>
    </ScreenFrame>
  )
}

function watchedOf(parameters: URLSearchParams): WatchedChannel | null {
  const topic = parameters.get('channel')?.trim()
  if (!topic) return null
  return {
    topic,
    isPrivate: parameters.get('private') === '1',
    tables: parameters.get('tables') ?? '',
    caller: callerOf(parameters.get('as')),
  }
}

function callerOf(text: string | null): Caller {
  if (text === 'anon') return { kind: 'anon' }
  if (text === null) return { kind: 'service' }
  return { kind: 'authenticated', user: text === 'authenticated' ? null : text }
}

function parametersOf({ topic, isPrivate, tables, caller }: WatchedChannel): Record<string, string> {
  const as =
    caller.kind === 'service' ? null : caller.kind === 'anon' ? 'anon' : (caller.user ?? ('authenticated' as const))
  return {
    channel: topic,
    ...(isPrivate ? { private: '1' } : {}),
    ...(tables.trim() ? { tables: tables.trim() } : {}),
    ...(as === null ? {} : { as }),
  }
}
