/** The page for a new server: the number of slots, the form, and a preview of the card. */
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { SaveBar } from '@/components/form/save-bar'
import { useForm } from '@/components/form/use-form'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { StateMessage } from '@/components/ui/state-message'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'
import { addServerMutation, type AddedServer } from './api/add-server'
import { gamesQuery, type Game } from '@/entities/game/queries'
import { tagsQuery, type Tag } from '@/entities/tag/queries'
import { slotsQuery } from './api/slots'
import { AddConfirmation } from './components/add-confirmation'
import { AddressFields, IdentityFields, LinkFields } from './components/basic-fields'
import { DescriptionField } from './components/description-field'
import { LivePreview } from './components/live-preview'
import { SlotsPanel } from './components/slots-panel'
import { WhenNear } from './components/when-near'
import type { CardDraft } from './model/card-draft'
import { BLAMED } from './model/refusals'
import { EMPTY, EMPTY_NEW, addSchema, type AddValues } from './model/server-form'
import { usePictures } from './model/use-pictures'
import { useRefusalWords } from './model/use-refusal-words'
import { useSchemaWords } from './model/use-schema-words'
import styles from './components/server-form.module.css'

const MediaParts = lazyComponent(async () => (await import('./components/media-parts')).MediaParts)

type CardRenderer = (draft: CardDraft) => ReactNode

export function AddServerPage({ preview }: { preview: CardRenderer }) {
  const { t } = useTranslation('own-server')
  const { user } = useSession()
  const [added, setAdded] = useState<AddedServer | null>(null)
  if (user === null) return null
  if (added !== null) return <AddConfirmation server={added} onAnother={() => setAdded(null)} />
  return (
    <div className={styles.page}>
      <PageHeader title={t('add.title')} description={t('add.lead')} />
      <AddFormLoader userId={user.id} preview={preview} onAdded={setAdded} />
    </div>
  )
}

interface FormProps {
  userId: string
  preview: CardRenderer
  onAdded: (server: AddedServer) => void
}

/** Loads what the form needs: the free slots and the choices. */
function AddFormLoader(props: FormProps) {
  const { t } = useTranslation('own-server')
  const slots = useQuery(slotsQuery(props.userId))
  const games = useQuery(gamesQuery())
  const tags = useQuery(tagsQuery())
  return (
    <QueryStates query={slots} loading={<FormLoading fields={4} />} failed={t('slots.unreadable')}>
      {(found) => (
        <>
          <SlotsPanel slots={found} />
          {found.available === 0 ? (
            <NoFreeSlot />
          ) : (
            <QueryStates query={both(games, tags)} loading={<FormLoading fields={6} />} failed={t('form.unreadable')}>
              {(catalogue) => <AddForm {...props} {...catalogue} />}
            </QueryStates>
          )}
        </>
      )}
    </QueryStates>
  )
}

interface Catalogue {
  games: Game[]
  tags: Tag[]
}

function both(games: UseQueryResult<Game[]>, tags: UseQueryResult<Tag[]>) {
  const data: Catalogue | undefined = games.data && tags.data && { games: games.data, tags: tags.data }
  return {
    data,
    isPending: games.isPending || tags.isPending,
    isError: games.isError || tags.isError,
    refetch: () => Promise.all([games.refetch(), tags.refetch()]),
  }
}

function NoFreeSlot() {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h2"
      drawing="locked"
      title={t('add.full')}
      actions={
        <ButtonLink variant="primary" icon="server" to={paths.profile(language)}>
          {t('add.toProfile')}
        </ButtonLink>
      }
    >
      {t('add.fullText')}
    </StateMessage>
  )
}

function AddForm({ userId, preview, onAdded, games, tags }: FormProps & Catalogue) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const add = useMutation(addServerMutation())
  const words = useSchemaWords()
  const [schema] = useState(() => addSchema(words))
  const pictures = usePictures(userId)
  const form = useForm({
    schema,
    defaults: { ...EMPTY_NEW, language },
    submit(values: AddValues) {
      pictures.assertSent()
      return add.mutateAsync({ userId, values, language })
    },
    onDone: onAdded,
    refusals: BLAMED,
    words: useRefusalWords('add.failed'),
    after: 'clear',
    draft: `add-server.${userId}`,
  })
  const known = {
    base: EMPTY,
    games,
    tags,
    row: null,
    place: placeIn(games, form.fields.watch('game_id')),
    isPrestige: false,
  }
  return (
    <Form form={form} label={t('add.title')} summary="beside">
      <div className={styles.layout}>
        <div className={styles.fields}>
          <Panel variant="boxed" title={t('part.identity')}>
            <IdentityFields games={games} />
          </Panel>
          <Panel variant="boxed" title={t('part.address')} intro={t('part.addressIntro')}>
            <AddressFields />
          </Panel>
          <Panel variant="boxed" title={t('part.description')}>
            <DescriptionField />
          </Panel>
          <Panel variant="boxed" title={t('part.links')}>
            <LinkFields />
          </Panel>
          <WhenNear fallback={<FormLoading fields={4} />}>
            <MediaParts upload={pictures.upload} hasPrestige={false} tags={tags} />
          </WhenNear>
        </div>
        <div className={styles.aside}>
          <LivePreview renderCard={preview} known={known} />
        </div>
      </div>
      <SaveBar
        form={form}
        label={t('add.submit')}
        words={{ clean: t('add.begin'), dirty: t('add.draft') }}
        sendsUntouched
      />
    </Form>
  )
}

/** The last place: a new server has no votes yet. */
function placeIn(games: readonly Game[], id: string): number {
  return (games.find((game) => game.id === id)?.game_figures?.servers ?? 0) + 1
}
