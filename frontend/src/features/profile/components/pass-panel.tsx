import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Panel, PanelFailure, PanelLoading } from '@/components/ui/panel'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { formatNumber } from '@/lib/format'
import { decodeStored } from '@/lib/stored-text'
import { useLanguage } from '@/lib/use-language'
import { detailsQuery } from '../api/details'
import { passQuery, spendPassDaysMutation, type Pass } from '../api/pass-days'
import { serversQuery } from '../api/servers'
import { SelectField } from '@/components/ui/field'
import styles from './pass-panel.module.css'

/** Prestige days earned by voting: how many there are, how near the next is, and giving them to a server. */
export function PassPanel({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const pass = useQuery(passQuery(userId))
  const details = useQuery(detailsQuery(userId))
  return (
    <Panel
      title={t('pass.title')}
      intro={pass.data && t('pass.intro', { votes: formatNumber(pass.data.votesPerDay, language) })}
    >
      {pass.isPending && <PanelLoading rows={1} />}
      {pass.isError && <PanelFailure text={t('pass.unreadable')} onRetry={() => void pass.refetch()} />}
      {pass.isSuccess && (
        <>
          {details.data && <Progress votes={details.data.totalVotes} perDay={pass.data.votesPerDay} />}
          <p className={pass.data.days > 0 ? styles.days : styles.none}>
            {pass.data.days > 0 ? t('pass.days', { count: pass.data.days }) : t('pass.none')}
          </p>
          {pass.data.days > 0 && <SpendForm userId={userId} pass={pass.data} />}
        </>
      )}
    </Panel>
  )
}

function Progress({ votes, perDay }: { votes: number; perDay: number }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const done = votes % perDay
  const text = t('pass.progress', { done: formatNumber(done, language), needed: formatNumber(perDay, language) })
  return (
    <div className={styles.progress}>
      <progress value={done} max={perDay} aria-label={text} />
      <p aria-hidden="true">{text}</p>
    </div>
  )
}

function SpendForm({ userId, pass }: { userId: string; pass: Pass }) {
  const { t } = useTranslation('profile')
  const language = useLanguage()
  const servers = useQuery(serversQuery(userId))
  const spend = useMutation(spendPassDaysMutation())
  if (!servers.data) return null
  if (servers.data.length === 0) return <p className={styles.none}>{t('pass.noServer')}</p>

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const days = Math.min(pass.days, Math.max(1, Math.trunc(Number(data.get('days'))) || 1))
    if (!spend.isPending) spend.mutate({ serverId: String(data.get('server')), days, language })
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <SelectField label={t('pass.server')} name="server">
        {servers.data.map((server) => (
          <option key={server.id} value={server.id}>
            {decodeStored(server.name)}
          </option>
        ))}
      </SelectField>
      <TextField label={t('pass.count')} name="days" type="number" min={1} max={pass.days} step={1} defaultValue={1} />
      <Button type="submit" look="primary" busy={spend.isPending}>
        {t('pass.apply')}
      </Button>
    </form>
  )
}
