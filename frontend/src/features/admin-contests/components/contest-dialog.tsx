import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { SwitchField } from '@/components/form/check-field'
import { DateTimeField } from '@/components/form/date-time-field'
import { EntityDialog } from '@/components/form/entity-dialog'
import { LocalizedField } from '@/components/form/localized-field'
import { NumberField } from '@/components/form/number-field'
import { TagsField } from '@/components/form/tags-field'
import { gameNamesQuery } from '@/entities/game/names'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal, type Refusals } from '@/lib/i18n/refusal'
import styles from '../admin-contests.module.css'
import { saveContestMutation, type Contest } from '../api/contests'
import { LIMITS, contestSchema } from '../model/contest'

const MOST_GAMES = 50
const REFUSALS: Refusals = { changed_meanwhile: 'admin-contests:form.changed' }

/** The rules of an event; for a new one without `contest`. */
export function ContestDialog({ contest, onClose }: { contest: Contest | null; onClose: () => void }) {
  const { t } = useTranslation('admin-contests')
  const save = useMutation(saveContestMutation())
  const games = useQuery(gameNamesQuery()).data ?? []
  const words = useRefusal(REFUSALS)
  const schema = useMemo(() => contestSchema(t('form.endsTooEarly')), [t])
  const defaults = {
    name: { fr: contest?.name ?? '', en: contest?.name_en ?? '', es: contest?.name_es ?? '' },
    description: {
      fr: contest?.description ?? '',
      en: contest?.description_en ?? '',
      es: contest?.description_es ?? '',
    },
    start: contest?.start_date ?? '',
    end: contest?.end_date ?? '',
    target: contest?.target_votes ?? (null as number | null),
    winners: contest?.winner_count ?? (3 as number | null),
    days: contest?.prestige_days ?? (7 as number | null),
    games: contest?.game_ids ?? ([] as string[]),
    active: contest?.is_active ?? true,
  }
  return (
    <EntityDialog
      wide
      title={t(contest ? 'form.editTitle' : 'form.addTitle')}
      action={t('form.save')}
      onClose={onClose}
      schema={schema}
      defaults={defaults}
      submit={(values) =>
        save.mutateAsync({
          before: contest,
          draft: {
            name: values.name.fr,
            name_en: values.name.en || null,
            name_es: values.name.es || null,
            description: values.description.fr || null,
            description_en: values.description.en || null,
            description_es: values.description.es || null,
            start_date: values.start,
            end_date: values.end,
            target_votes: values.target,
            winner_count: values.winners,
            prestige_days: values.days,
            game_ids: values.games,
            is_active: values.active,
          },
        })
      }
      words={words}
    >
      <LocalizedField name="name" label={t('form.name')} help={t('form.nameHelp')} limit={LIMITS.name} />
      <LocalizedField name="description" label={t('form.description')} lines={4} limit={LIMITS.description} optional />
      <div className={styles.pair}>
        <DateTimeField name="start" label={t('form.start')} />
        <DateTimeField name="end" label={t('form.end')} />
      </div>
      <div className={styles.trio}>
        <NumberField name="target" label={t('form.target')} help={t('form.targetHelp')} />
        <NumberField name="winners" label={t('form.winners')} />
        <NumberField name="days" label={t('form.days')} />
      </div>
      <TagsField
        name="games"
        of="games"
        label={t('form.games')}
        help={t('form.gamesHelp')}
        limit={MOST_GAMES}
        choices={games.map(({ id, name }) => ({ value: id, label: name }))}
        optional
      />
      <SwitchField name="active" label={t('form.active')} help={t('form.activeHelp')} />
    </EntityDialog>
  )
}
