/** Widgets of one's servers for other sites: options, preview and code. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { FailedState } from '@/components/ui/failed-state'
import { PageHeader } from '@/components/ui/page-header'
import { PanelLoading } from '@/components/ui/panel'
import { StateMessage } from '@/components/ui/state-message'
import { ownServersQuery, type OwnServer } from '@/entities/server/own'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { Guide } from './components/guide'
import { OverlayPanel } from './components/overlay-panel'
import { WidgetCode } from './components/widget-code'
import { WidgetOptions } from './components/widget-options'
import { WidgetPreview } from './components/widget-preview'
import styles from './creator-tools-page.module.css'
import type { Widget } from './model/widget'

/** Only public servers have widgets. */
const shownOf = (servers: OwnServer[]): OwnServer[] => servers.filter((one) => one.is_approved && !one.is_hidden)

export function CreatorToolsPage() {
  const { t } = useTranslation('creator-tools')
  const { user } = useSession()
  const language = useLanguage()
  const servers = useQuery({ ...ownServersQuery(user?.id ?? ''), enabled: user !== null, select: shownOf })
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} description={t('lead')} />
      <QueryStates
        query={servers}
        loading={<PanelLoading rows={4} />}
        failed={(retry) => (
          <FailedState
            heading="h2"

            title={t('failed.title')}
            onRetry={retry}
          >
            {t('failed.text')}
          </FailedState>
        )}
        empty={
          <StateMessage
            heading="h2"
            drawing="lost"
            title={t('none.title')}
            actions={
              <ButtonLink variant="primary" icon="plus" to={paths.addServer(language)}>
                {t('none.add')}
              </ButtonLink>
            }
          >
            {t('none.text')}
          </StateMessage>
        }
      >
        {(found) => <Generator servers={found} />}
      </QueryStates>
    </div>
  )
}

function Generator({ servers }: { servers: readonly OwnServer[] }) {
  const language = useLanguage()
  const [widget, setWidget] = useState<Widget>({
    server: servers[0]?.id ?? '',
    format: 'button',
    size: 'medium',
    theme: 'light',
    language,
    votes: true,
    rounded: true,
    animation: false,
    nickname: '',
  })
  const change = (changed: Partial<Widget>) => setWidget((now) => ({ ...now, ...changed }))
  const chosen = servers.find(({ id }) => id === widget.server) ?? servers[0]
  if (chosen === undefined) return null
  const previewed = { ...widget, server: chosen.id }
  return (
    <>
      <div className={styles.columns}>
        <WidgetOptions servers={servers} widget={previewed} onChange={change} />
        <div className={styles.result}>
          <WidgetPreview widget={previewed} name={chosen.name} />
          <WidgetCode widget={previewed} name={chosen.name} />
        </div>
      </div>
      <Guide />
      <OverlayPanel widget={previewed} name={chosen.name} />
    </>
  )
}
