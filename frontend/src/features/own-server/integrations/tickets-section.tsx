import { useMutation, useQuery } from '@tanstack/react-query'
import { CodeTabs } from '@/components/code/code-block'
import { Steps } from '@/components/prose/steps'
import { QueryStates } from '@/components/query/query-states'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Switch } from '@/components/ui/switch'
import { apiOrigin } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { setTicketRuleMutation, ticketRuleQuery } from '../api/ticket-rule'
import type { TabProps } from '../edit/use-edit-form'
import { ticketExamples } from '../model/ticket-examples'
import styles from './tickets-section.module.css'

/**
 * Votes that start on the owner's own site: the request for a ticket, the query of its state, and
 * whether other votes count.
 */
export function TicketsSection({ server }: TabProps) {
  const { t } = useTranslation('own-server')
  const examples = ticketExamples(apiOrigin, server.id)
  return (
    <div className={styles.section}>
      <Panel variant="boxed" title={t('integrations.tickets.title')} intro={t('integrations.tickets.intro')}>
        <Steps
          steps={[
            <p key="ask">{t('integrations.tickets.ask')}</p>,
            <p key="send">{t('integrations.tickets.send')}</p>,
            <p key="learn">{t('integrations.tickets.learn')}</p>,
          ]}
        />
        <CodeTabs label={t('integrations.tickets.example')} versions={examples} />
      </Panel>
      <Panel variant="boxed" title={t('integrations.tickets.rule')}>
        <Rule serverId={server.id} />
      </Panel>
    </div>
  )
}

function Rule({ serverId }: { serverId: string }) {
  const { t } = useTranslation('own-server')
  const rule = useQuery(ticketRuleQuery(serverId))
  const set = useMutation(setTicketRuleMutation(serverId))
  return (
    <QueryStates query={rule} loading={<Skeleton height="3rem" />} failed={t('integrations.tickets.unread')}>
      {(required) => (
        <Switch
          label={t('integrations.tickets.require')}
          help={t('integrations.tickets.requireHelp')}
          checked={set.isPending ? set.variables : required}
          disabled={set.isPending}
          onCheckedChange={(checked) => set.mutate(checked)}
        />
      )}
    </QueryStates>
  )
}
