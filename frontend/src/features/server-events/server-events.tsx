import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { PanelLoading } from '@/components/ui/panel'
import { StateMessage } from '@/components/ui/state-message'
import { useNow } from '@/components/ui/use-now'
import { deleteEventMutation, eventsQuery, type OwnEvent } from './api/events'
import { EventDialog } from './components/event-dialog'
import { EventRow } from './components/event-row'
import { grouped } from './model/event'
import styles from './server-events.module.css'

interface ServerEventsProps {
  serverId: string
  /** Visitors see only events of servers with Prestige, which other owners are told. */
  isPrestige: boolean
  /** Whether the viewer may delete events. */
  canDelete: boolean
}

/** A server's events: running, upcoming and past ones, with actions to add, change and delete. */
export function ServerEvents({ serverId, isPrestige, canDelete }: ServerEventsProps) {
  const { t } = useTranslation('server-events')
  const events = useQuery(eventsQuery(serverId))
  const remove = useMutation(deleteEventMutation())
  const now = useNow(30_000)
  /** The event in the dialog; `new` for a new one. */
  const [edited, setEdited] = useState<OwnEvent | 'new' | null>(null)
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  return (
    <div className={styles.events}>
      <div className={styles.head}>
        <p className={styles.intro}>{t('intro')}</p>
        {events.data !== undefined && events.data.length > 0 && add}
      </div>
      {!isPrestige && (
        <p className={styles.note}>
          <Icon name="crown" size={18} />
          {t('prestigeOnly')}
        </p>
      )}
      <QueryStates
        query={events}
        loading={<PanelLoading rows={3} />}
        failed={t('failed')}
        empty={
          <StateMessage drawing="empty" title={t('empty.title')} actions={add}>
            {t('empty.text')}
          </StateMessage>
        }
      >
        {(found) =>
          grouped(found, now).map(({ state, events: group }) => (
            <section key={state} aria-label={t(`state.${state}`)} className={styles.group}>
              <h3 className={styles.state}>{t(`state.${state}`)}</h3>
              <ul className={styles.list}>
                {group.map((event) => (
                  <EventRow
                    key={event.id}
                    event={event}
                    state={state}
                    onEdit={() => setEdited(event)}
                    onDelete={canDelete ? () => remove.mutateAsync(event.id) : undefined}
                  />
                ))}
              </ul>
            </section>
          ))
        }
      </QueryStates>
      {edited !== null && (
        <EventDialog serverId={serverId} event={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}
