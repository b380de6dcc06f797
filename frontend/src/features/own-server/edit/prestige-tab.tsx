import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { ColourField } from '@/components/form/colour-field'
import { Form } from '@/components/form/form'
import { SaveBar } from '@/components/form/save-bar'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { Switch } from '@/components/ui/switch'
import { useNow } from '@/components/ui/use-now'
import { openPrestigeDialog } from '@/entities/prestige/dialog'
import { GROUNDS, accentOf } from '@/entities/server/accent'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import { prestigeShownMutation } from '../api/prestige-shown'
import { prestigeEnd } from '../model/prestige-status'
import { colourSchema, fieldsOf } from '../model/server-form'
import { useFieldName } from '../model/use-field-name'
import { useSchemaWords } from '../model/use-schema-words'
import { ConflictNotice } from './conflict-notice'
import styles from './prestige-tab.module.css'
import { useEditForm, type TabProps } from './use-edit-form'

const FIELDS = fieldsOf('prestige')
const GIVES = ['place', 'banner', 'colour', 'events', 'slot'] as const

/** The state of Prestige, its benefits, and the color that is part of it. */
export function PrestigeTab(props: TabProps) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const { server } = props
  const [query] = useSearchParams()
  const until = prestigeEnd(server, useNow(60_000))
  const over = server.prestige_expires_at
  const isSeen = until !== null && server.shows_prestige
  return (
    <>
      <Panel
        variant="boxed"
        title={t('prestige.title')}
        actions={
          <Button
            variant="primary"
            icon="crown"
            aria-haspopup="dialog"
            onClick={() => openPrestigeDialog({ id: server.id, name: decodeStored(server.name) })}
          >
            {t(until === null ? 'prestige.activate' : 'prestige.extend')}
          </Button>
        }
      >
        {query.has('cancelled') && <p role="status">{t('prestige.cancelled')}</p>}
        <p className={styles.state} data-active={isSeen || undefined}>
          <Icon name="crown" size={22} filled={isSeen} />
          <span>
            {until !== null
              ? t(isSeen ? 'prestige.until' : 'prestige.offUntil', { date: formatDate(until, language) })
              : over !== null
                ? t('prestige.over', { date: formatDate(over, language) })
                : t('prestige.none')}
          </span>
        </p>
        <ul className={styles.gives}>
          {GIVES.map((gift) => (
            <li key={gift}>
              <Icon name="check" size={18} />
              {t(`prestige.gives.${gift}`)}
            </li>
          ))}
        </ul>
        {until !== null && <DisplaySwitch id={server.id} isShown={server.shows_prestige} />}
      </Panel>
      {(until !== null || server.custom_color !== null) && <ColourPanel {...props} isActive={until !== null} />}
    </>
  )
}

/** Owners may hide their Prestige; its days pass all the same. */
function DisplaySwitch({ id, isShown }: { id: string; isShown: boolean }) {
  const { t } = useTranslation('own-server')
  const change = useMutation(prestigeShownMutation())
  return (
    <Switch
      name="shows_prestige"
      label={t('prestige.shown')}
      help={t('prestige.shownHelp')}
      checked={change.isPending ? change.variables.isShown : isShown}
      disabled={change.isPending}
      onCheckedChange={(checked) => change.mutate({ id, isShown: checked })}
    />
  )
}

function ColourPanel({ isActive, ...props }: TabProps & { isActive: boolean }) {
  const { t } = useTranslation('own-server')
  const words = useSchemaWords()
  const [schema] = useState(() => colourSchema(words))
  const { form, conflict, discardChanges, overwrite } = useEditForm({ ...props, schema, fields: FIELDS, tab: 'colour' })
  return (
    <Form form={form} label={t('prestige.colour')} className={styles.form}>
      <ConflictNotice conflict={conflict} labelOf={useFieldName()} onDiscard={discardChanges} onOverwrite={overwrite} />
      <Panel variant="boxed" title={t('prestige.colour')} intro={t('prestige.colourIntro')}>
        <ColourField
          name="custom_color"
          label={t('field.colour')}
          help={isActive ? undefined : t('prestige.colourOff')}
          optional
          custom
        />
        <ColourPreview />
      </Panel>
      <SaveBar form={form} />
    </Form>
  )
}

/** A preview of the color on both backgrounds, after the adjustment for contrast. */
function ColourPreview() {
  const { t } = useTranslation('own-server')
  const colour = useWatch<{ custom_color: string }>({ name: 'custom_color' })
  const accent = accentOf(colour || null)
  if (accent === undefined) return null
  return (
    <div className={styles.preview} role="group" aria-label={t('prestige.preview')}>
      {(['dark', 'light'] as const).map((theme) => (
        <figure key={theme} className={styles.sample}>
          <div className={styles.ground} style={{ ...accent, colorScheme: theme, background: GROUNDS[theme] }}>
            <p className={styles.figure}>1 234</p>
            <span className={styles.edge} />
          </div>
          <figcaption>{t(`prestige.on.${theme}`)}</figcaption>
        </figure>
      ))}
    </div>
  )
}
