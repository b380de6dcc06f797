import { Suspense } from 'react'
import { FormLoading } from '@/components/form/form-loading'
import { Panel } from '@/components/ui/panel'
import { BasicTab } from '@/features/own-server/edit/basic-tab'
import { EditLayout, type EditTab } from '@/features/own-server/edit/edit-layout'
import type { TabProps } from '@/features/own-server/edit/use-edit-form'
import type { CardDraft } from '@/features/own-server/model/card-draft'
import { isPromoted } from '@/features/own-server/model/prestige-status'
import { lazyComponent } from '@/lib/browser/lazy'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PageKey, PageMatch } from '@/lib/routing/pages'
import { CardPreview } from '../areas/card-preview-slot'
import { TagProposals } from './tag-proposals'

/** One tab is opened at a time; the first one is what most owners come for. */
const MediaTab = lazyComponent(async () => (await import('@/features/own-server/edit/media-tab')).MediaTab)
const IntegrationsTab = lazyComponent(
  async () => (await import('@/features/own-server/edit/integrations-tab')).IntegrationsTab,
)
const PrestigeTab = lazyComponent(async () => (await import('@/features/own-server/edit/prestige-tab')).PrestigeTab)
const DeleteTab = lazyComponent(async () => (await import('@/features/own-server/edit/delete-tab')).DeleteTab)
const ServerEvents = lazyComponent(async () => (await import('@/features/server-events/server-events')).ServerEvents)

const TABS: Partial<Record<PageKey, EditTab>> = {
  editServerMedia: 'media',
  editServerEvents: 'events',
  editServerIntegrations: 'integrations',
  editServerPrestige: 'prestige',
  editServerDelete: 'delete',
}

/** The form that edits a server: the tab that the address names. */
export function EditServerPage({ match: { key, params } }: { match: PageMatch }) {
  const tab = TABS[key] ?? 'basic'
  const id = params.serverId ?? ''
  return (
    <EditLayout key={id} id={id} tab={tab}>
      {(props) => (
        <Suspense key={tab} fallback={<FormLoading fields={4} />}>
          <Tab tab={tab} {...props} />
        </Suspense>
      )}
    </EditLayout>
  )
}

const preview = (draft: CardDraft) => <CardPreview draft={draft} />

function Tab({ tab, ...props }: TabProps & { tab: EditTab }) {
  switch (tab) {
    case 'media':
      return (
        <>
          <MediaTab {...props} preview={preview} />
          <TagProposals />
        </>
      )
    case 'events':
      return <EventsTab {...props} />
    case 'integrations':
      return <IntegrationsTab {...props} />
    case 'prestige':
      return <PrestigeTab {...props} />
    case 'delete':
      return <DeleteTab {...props} />
    default:
      return <BasicTab {...props} preview={preview} />
  }
}

function EventsTab({ server }: TabProps) {
  const { t } = useTranslation('own-server')
  return (
    <Panel variant="above" title={t('tab.events')}>
      <ServerEvents serverId={server.id} isPrestige={isPromoted(server)} canDelete />
    </Panel>
  )
}
