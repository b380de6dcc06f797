/** Widgets of one's servers for other sites: chosen, seen, and taken as code. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { PanelLoading } from '@/components/ui/panel'
import { RetryButton } from '@/components/ui/retry-button'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { shownServersQuery, type ShownServer } from './api/own-servers'
import { Guide } from './components/guide'
import { WidgetCode } from './components/widget-code'
import { WidgetOptions } from './components/widget-options'
import { WidgetPreview } from './components/widget-preview'
import type { Widget } from './model/widget'
import styles from './creator-tools-page.module.css'

export function CreatorToolsPage() {
  const { t } = useTranslation('creator-tools')
  const { user } = useSession()
  const language = useLanguage()
  const servers = useQuery({ ...shownServersQuery(user?.id ?? ''), enabled: user !== null })
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryStates
        query={servers}
        loading={<PanelLoading rows={4} />}
        failed={(retry) => (
          <StateMessage
            announced
            heading="h2"
            drawing="failed"
            title={t('failed.title')}
            actions={<RetryButton look="primary" onClick={retry} />}
          >
            {t('failed.text')}
          </StateMessage>
        )}
        empty={
          <StateMessage
            heading="h2"
            drawing="lost"
            title={t('none.title')}
            actions={
              <ButtonLink look="primary" icon="plus" to={paths.addServer(language)}>
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

function Generator({ servers }: { servers: readonly ShownServer[] }) {
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
  const shown = { ...widget, server: chosen.id }
  return (
    <>
      <div className={styles.columns}>
        <WidgetOptions servers={servers} widget={shown} onChange={change} />
        <div className={styles.result}>
          <WidgetPreview widget={shown} name={chosen.name} />
          <WidgetCode widget={shown} name={chosen.name} />
        </div>
      </div>
      <Guide />
    </>
  )
}
