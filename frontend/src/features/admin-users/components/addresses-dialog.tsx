import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { MOST_DAYS } from '@/entities/moderation/rules'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import type { PersonRecord } from '../api/people'
import { ADDRESSES_REFUSALS, banAddressesMutation } from '../api/sanction'
import { addressesSchema, endOf } from '../model/sanction'

/** Bans the addresses from which a person voted, with an optional end. */
export function AddressesDialog({ person, onClose }: { person: PersonRecord; onClose: () => void }) {
  const { t } = useTranslation('admin-users')
  const ban = useMutation(banAddressesMutation())
  return (
    <EntityDialog
      title={t('title.addresses', { name: person.username })}
      description={t('addressesText')}
      action={t('act.addresses')}
      danger
      onClose={onClose}
      schema={addressesSchema}
      defaults={{ days: null }}
      submit={({ days }) =>
        ban.mutateAsync({ id: person.id, reason: person.username, expiresAt: endOf(days, new Date().getTime()) })
      }
      words={useRefusal(ADDRESSES_REFUSALS)}
      guard={false}
    >
      <NumberField name="days" label={t('days')} help={t('daysHelp')} min={1} max={MOST_DAYS} optional />
    </EntityDialog>
  )
}
