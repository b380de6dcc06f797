import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as v from 'valibot'
import { Form } from '@/components/form/form'
import { NumberField } from '@/components/form/number-field'
import { SelectField } from '@/components/form/select-field'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { useNow } from '@/components/ui/use-now'
import { ownServersQuery, type OwnServer } from '@/entities/server/own'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { wholeNumber } from '@/lib/text/rules'
import { decodeStored } from '@/lib/text/stored-text'
import { spendPassDaysMutation } from '../api/pass-days'
import { byNeed, isActive } from '../model/prestige'
import styles from './pass-panel.module.css'

/** Gives days to one of one's servers, which cannot be undone. */
export function PassSpending({ userId, days }: { userId: string; days: number }) {
  const { t } = useTranslation('profile')
  const servers = useQuery(ownServersQuery(userId))
  const now = useNow(60_000)
  if (!servers.data) return null
  if (servers.data.length === 0) return <p className={styles.none}>{t('pass.noServer')}</p>
  return <SpendForm servers={byNeed(servers.data, now)} days={days} now={now} />
}

interface SpendValues {
  server: string
  days: number
}

function SpendForm({ servers, days, now }: { servers: OwnServer[]; days: number; now: number }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const spend = useMutation(spendPassDaysMutation())
  const [wish, setWish] = useState<SpendValues | null>(null)
  const schema = useMemo(() => v.object({ server: v.string(), days: wholeNumber({ min: 1, max: days }) }), [days])
  const form = useForm({
    schema,
    defaults: { server: servers[0]?.id ?? '', days: 1 },
    submit: async (values) => setWish(values),
  })
  const chosen = servers.find(({ id }) => id === wish?.server)
  const name = decodeStored(chosen?.name ?? '')

  function give({ server, days: dayCount }: SpendValues): Promise<string> {
    const extended = chosen !== undefined && isActive(chosen, now)
    return spend.mutateAsync({ serverId: server, days: dayCount, extends: extended, language })
  }

  return (
    <Form form={form} label={t('pass.title')} className={styles.form}>
      <SelectField
        name="server"
        label={t('pass.server')}
        choices={servers.map((server) => ({ value: server.id, label: decodeStored(server.name) }))}
      />
      <NumberField name="days" label={t('pass.count')} />
      <div className={styles.send}>
        <Submit variant="secondary">{t('pass.apply')}</Submit>
      </div>
      {wish && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setWish(null)}
          title={t('pass.confirmTitle', { server: name })}
          text={t('pass.confirmText', { count: wish.days, server: name })}
          confirm={t('pass.confirm', { count: wish.days })}
          onConfirm={() => give(wish)}
        />
      )}
    </Form>
  )
}
