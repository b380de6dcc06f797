/** The webhooks of one server, as administrators see and change them. */
import { useQuery } from '@tanstack/react-query'
import { FormLoading } from '@/components/form/form-loading'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { SectionBoundary } from '@/components/ui/crash-boundary'
import { PageHeader } from '@/components/ui/page-header'
import { StateMessage } from '@/components/ui/state-message'
import { ownServerQuery, type OwnServer } from '@/features/own-server/api/own-server'
import { DeliveriesSection } from '@/features/own-server/integrations/deliveries-section'
import { VotifierSection } from '@/features/own-server/integrations/votifier-section'
import { WebhookSection } from '@/features/own-server/integrations/webhook-section'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PageMatch } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { decodeStored } from '@/lib/text/stored-text'
import { useLanguage } from '@/lib/i18n/use-language'

const SECTIONS = { webhook: WebhookSection, votifier: VotifierSection, deliveries: DeliveriesSection }

export function AdminWebhooks({ match }: { match: PageMatch }) {
  const { t } = useTranslation(['leads', 'pages', 'admin-servers'])
  const { user } = useSession()
  const server = useQuery(ownServerQuery(user?.id ?? '', match.params.serverId ?? ''))
  if (user === null) return null
  return (
    <QueryStates
      query={server}
      loading={<FormLoading fields={4} />}
      failed={t('admin-servers:failed')}
      empty={<StateMessage heading="h1" drawing="lost" title={t('admin-servers:missing')} />}
    >
      {(found) => <Sections server={found} userId={user.id} />}
    </QueryStates>
  )
}

function Sections({ server, userId }: { server: OwnServer; userId: string }) {
  const { t } = useTranslation(['leads', 'pages', 'admin-servers'])
  const language = useLanguage()
  return (
    <>
      <PageHeader
        title={t('admin-servers:webhooksOf', { name: decodeStored(server.name) })}
        description={t('leads:adminWebhooks')}
        actions={
          <ButtonLink size="small" to={paths.editServerIntegrations(language, { serverId: server.id })}>
            {t('admin-servers:act.edit')}
          </ButtonLink>
        }
      />
      {Object.entries(SECTIONS).map(([key, Section]) => (
        <SectionBoundary key={key}>
          <Section server={server} userId={userId} />
        </SectionBoundary>
      ))}
    </>
  )
}
