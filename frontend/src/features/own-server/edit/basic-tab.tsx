import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { SaveBar } from '@/components/form/save-bar'
import { QueryStates } from '@/components/query/query-states'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { gamesQuery, type Game } from '@/entities/game/queries'
import { AddressFields, IdentityFields, LinkFields } from '../components/basic-fields'
import { DescriptionField } from '../components/description-field'
import { basicSchema, fieldsOf } from '../model/server-form'
import { useFieldName } from '../model/use-field-name'
import { useSchemaWords } from '../model/use-schema-words'
import { CardBeside, type CardRenderer } from './card-beside'
import { ConflictNotice } from './conflict-notice'
import { useEditForm, type TabProps } from './use-edit-form'
import styles from '../components/server-form.module.css'

const FIELDS = fieldsOf('basic')

/** The identity and addresses of a server. */
export function BasicTab({ preview, ...props }: TabProps & { preview: CardRenderer }): ReactNode {
  const { t } = useTranslation('own-server')
  return (
    <QueryStates query={useQuery(gamesQuery())} loading={<FormLoading fields={6} />} failed={t('form.unreadable')}>
      {(games) => <BasicForm {...props} preview={preview} games={games} />}
    </QueryStates>
  )
}

function BasicForm({ server, userId, preview, games }: TabProps & { preview: CardRenderer; games: Game[] }) {
  const { t } = useTranslation('own-server')
  const words = useSchemaWords()
  const [schema] = useState(() => basicSchema(words))
  const { form, base, conflict, discardChanges, overwrite, round } = useEditForm({
    server,
    userId,
    schema,
    fields: FIELDS,
    tab: 'basic',
  })
  // A server keeps its game after the game was closed.
  const ownGame = { id: server.game_id, name: server.games?.name ?? t('field.gameClosed') }
  const choices = games.some(({ id }) => id === ownGame.id) ? games : [ownGame, ...games]
  return (
    <Form form={form} label={t('tab.basic')} summary>
      <ConflictNotice conflict={conflict} labelOf={useFieldName()} onDiscard={discardChanges} onOverwrite={overwrite} />
      <div className={styles.layout}>
        <div className={styles.fields}>
          <Panel variant="boxed" title={t('part.identity')} intro={t('part.renameIntro')}>
            <IdentityFields games={choices} />
          </Panel>
          <Panel variant="boxed" title={t('part.address')} intro={t('part.addressIntro')}>
            <AddressFields />
          </Panel>
          <Panel variant="boxed" title={t('part.description')}>
            <DescriptionField key={round} />
          </Panel>
          <Panel variant="boxed" title={t('part.links')}>
            <LinkFields />
          </Panel>
        </div>
        <CardBeside renderCard={preview} server={base} games={games} />
      </div>
      <SaveBar form={form} />
    </Form>
  )
}
