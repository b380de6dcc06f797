import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { TextField } from '@/components/form/text-field'
import { QueryStates } from '@/components/query/query-states'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Icon } from '@/components/ui/icon'
import { Facts, Panel, PanelEmpty, PanelList, PanelLoading, PanelRow } from '@/components/ui/panel'
import { MOST_DAYS } from '@/entities/moderation/rules'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from '../admin-users.module.css'
import { addBanMutation, bansQuery, liftBanMutation, type BanKind } from '../api/bans'
import { banSchema, endOf } from '../model/sanction'

interface Ban {
  id: string
  name: string
  reason: string | null
  expires_at: string | null
  created_at: string
}

/**
 * Banned addresses, ranges and nicknames. An address is never shown, because only its hash is
 * stored.
 */
export function BansView() {
  const { t } = useTranslation('admin-users')
  const bans = useQuery(bansQuery())
  return (
    <QueryStates query={bans} loading={<PanelLoading rows={4} />} failed={t('failedBans')}>
      {({ addresses, nicknames }) => (
        <div className={styles.page}>
          <Bans kind="range" bans={addresses.map((ban) => ({ ...ban, name: ban.network ?? t('hashedAddress') }))} />
          <Bans kind="nickname" bans={nicknames.map((ban) => ({ ...ban, name: ban.pattern }))} />
        </div>
      )}
    </QueryStates>
  )
}

function Bans({ kind, bans }: { kind: BanKind; bans: readonly Ban[] }) {
  const { t } = useTranslation('admin-users')
  const [isAdding, setAdding] = useState(false)
  return (
    <Panel
      variant="above"
      title={t(`bans.${kind}`)}
      aside={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          {t(`add.${kind}`)}
        </Button>
      }
    >
      {bans.length === 0 ? (
        <PanelEmpty>{t('noBans')}</PanelEmpty>
      ) : (
        <PanelList label={t(`bans.${kind}`)}>
          {bans.map((ban) => (
            <Row key={ban.id} kind={kind} ban={ban} />
          ))}
        </PanelList>
      )}
      {isAdding && <AddDialog kind={kind} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function Row({ kind, ban }: { kind: BanKind; ban: Ban }) {
  const { t } = useTranslation('admin-users')
  const language = useLanguage()
  const lift = useMutation(liftBanMutation())
  return (
    <PanelRow
      icon={<Icon name={kind === 'range' ? 'globe' : 'user'} size={20} />}
      title={ban.name}
      details={
        <Facts
          facts={[
            ban.reason,
            formatDate(ban.created_at, language),
            ban.expires_at === null ? t('forever') : t('until', { day: formatDate(ban.expires_at, language) }),
          ]}
        />
      }
      action={
        <ConfirmButton
          size="small"
          title={t('liftTitle', { name: ban.name })}
          text={t('liftText')}
          confirm={t('lift')}
          onConfirm={() => lift.mutateAsync({ kind, id: ban.id })}
        >
          {t('lift')}
        </ConfirmButton>
      }
    />
  )
}

function AddDialog({ kind, onClose }: { kind: BanKind; onClose: () => void }) {
  const { t } = useTranslation('admin-users')
  const add = useMutation(addBanMutation())
  return (
    <EntityDialog
      title={t(`add.${kind}`)}
      action={t(`add.${kind}`)}
      onClose={onClose}
      schema={banSchema}
      defaults={{ what: '', note: '', days: null }}
      submit={({ what: subject, note, days }) =>
        add.mutateAsync({ kind, subject, reason: note, expiresAt: endOf(days, new Date().getTime()) })
      }
      refusals={{ '22P02': 'what', '23505': 'what' }}
      guard={false}
    >
      <TextField
        name="what"
        label={t(`what.${kind}`)}
        help={t(`whatHelp.${kind}`)}
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField name="note" label={t('note')} optional />
      <NumberField name="days" label={t('days')} help={t('daysHelp')} min={1} max={MOST_DAYS} optional />
    </EntityDialog>
  )
}
