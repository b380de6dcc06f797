/**
 * How the server's own site and plugins receive votes: one section for each way, which the address
 * names (`?section=`).
 */
import { Suspense, type ComponentType } from 'react'
import { useSearchParams } from 'react-router'
import { FormLoading } from '@/components/form/form-loading'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { TabLinks } from '@/components/ui/tab-links'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import type { TabProps } from './use-edit-form'

/** In the order they are listed. A section is a file in `../integrations/`; its name is `integrations.section.<key>`. */
const SECTIONS = {
  voteApi: lazyComponent(async () => (await import('../integrations/vote-api-section')).VoteApiSection),
  tickets: lazyComponent(async () => (await import('../integrations/tickets-section')).TicketsSection),
  votifier: lazyComponent(async () => (await import('../integrations/votifier-section')).VotifierSection),
  webhook: lazyComponent(async () => (await import('../integrations/webhook-section')).WebhookSection),
  deliveries: lazyComponent(async () => (await import('../integrations/deliveries-section')).DeliveriesSection),
} as const satisfies Record<string, ComponentType<TabProps>>

type Section = keyof typeof SECTIONS
const KEYS = Object.keys(SECTIONS) as Section[]

/** The open section; the first one if the address names none that exists. */
export function IntegrationsTab(props: TabProps) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const [search] = useSearchParams()
  const named = search.get('section')
  const open = KEYS.find((key) => key === named) ?? 'voteApi'
  const Open: ComponentType<TabProps> = SECTIONS[open]
  const address = paths.editServerIntegrations(language, { serverId: props.server.id })
  const tabs = KEYS.map((key) => ({
    to: `${address}?section=${key}`,
    label: t(`integrations.section.${key}`),
    open: key === open,
  }))
  return (
    <>
      {tabs.length > 1 && <TabLinks label={t('integrations.sections')} tabs={tabs} />}
      <SectionBoundary key={open}>
        <Suspense fallback={<FormLoading fields={3} />}>
          <Open {...props} />
        </Suspense>
      </SectionBoundary>
    </>
  )
}
