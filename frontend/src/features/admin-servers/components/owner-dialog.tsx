import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Combobox, type ComboboxOption } from '@/components/ui/combobox'
import { Dialog } from '@/components/ui/dialog'
import { closeServerAdminDialog, type AdministeredServer } from '@/entities/server/admin-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from '../admin-servers.module.css'
import { peopleQuery } from '../api/people'
import { reassignServerMutation } from '../api/reassign-server'

/** Transfers a server to another person, who is found by name. */
export function OwnerDialog({ server }: { server: AdministeredServer }) {
  const { t } = useTranslation('admin-servers')
  const [person, setPerson] = useState<ComboboxOption | null>(null)
  const [typed, setTyped] = useState('')
  const people = useQuery(peopleQuery(typed.trim()))
  const reassign = useMutation(reassignServerMutation())
  const options = (people.data ?? [])
    .filter(({ id }) => id !== server.owner_id)
    .map(({ id, username, email }) => ({ value: id, label: username, note: email ?? '' }))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeServerAdminDialog()}
      title={t('title.owner', { name: server.name })}
      description={t('text.owner')}
    >
      <div className={styles.owner}>
        <Combobox
          label={t('newOwner')}
          help={t('newOwnerHelp')}
          value={person}
          onValueChange={setPerson}
          options={typed.trim().length < 2 ? [] : options}
          onSearch={setTyped}
          state={people.isFetching ? 'loading' : people.isError ? 'failed' : 'ready'}
          onRetry={() => void people.refetch()}
        />
        <Button
          variant="primary"
          disabled={person === null}
          busy={reassign.isPending}
          onClick={() =>
            person && reassign.mutate({ id: server.id, ownerId: person.value }, { onSuccess: closeServerAdminDialog })
          }
        >
          {t('act.owner')}
        </Button>
      </div>
    </Dialog>
  )
}
