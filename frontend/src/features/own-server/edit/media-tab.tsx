import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { SaveBar } from '@/components/form/save-bar'
import { QueryStates } from '@/components/query/query-states'
import { useNow } from '@/components/ui/use-now'
import { gamesQuery } from '@/entities/game/queries'
import { tagsQuery, type Tag } from '@/entities/tag/queries'
import { useTranslation } from '@/lib/i18n/i18n'
import { MediaParts } from '../components/media-parts'
import styles from '../components/server-form.module.css'
import { prestigeEnd } from '../model/prestige-status'
import { mediaSchema, fieldsOf } from '../model/server-form'
import { useFieldName } from '../model/use-field-name'
import { usePictures } from '../model/use-pictures'
import { useSchemaWords } from '../model/use-schema-words'
import { CardBeside, type CardRenderer } from './card-beside'
import { ConflictNotice } from './conflict-notice'
import { useEditForm, type TabProps } from './use-edit-form'

const FIELDS = fieldsOf('media')

/** The images, video and tags of a server. */
export function MediaTab({ preview, ...props }: TabProps & { preview: CardRenderer }) {
  const { t } = useTranslation('own-server')
  return (
    <QueryStates query={useQuery(tagsQuery())} loading={<FormLoading fields={5} />} failed={t('form.unreadable')}>
      {(tags) => <MediaForm {...props} preview={preview} tags={tags} />}
    </QueryStates>
  )
}

function MediaForm({ server, userId, preview, tags }: TabProps & { preview: CardRenderer; tags: Tag[] }) {
  const { t } = useTranslation('own-server')
  const words = useSchemaWords()
  const [schema] = useState(() => mediaSchema(words))
  const pictures = usePictures(userId)
  const games = useQuery(gamesQuery())
  const hasPrestige = prestigeEnd(server, useNow(60_000)) !== null
  const { form, base, conflict, discardChanges, overwrite } = useEditForm({
    server,
    userId,
    schema,
    fields: FIELDS,
    tab: 'media',
    check: pictures.assertSent,
  })
  return (
    <Form form={form} label={t('tab.media')} summary>
      <ConflictNotice conflict={conflict} labelOf={useFieldName()} onDiscard={discardChanges} onOverwrite={overwrite} />
      <div className={styles.layout}>
        <div className={styles.fields}>
          <MediaParts
            upload={pictures.upload}
            hasPrestige={hasPrestige || base.banner_image_url !== null}
            tags={tags}
          />
        </div>
        <CardBeside renderCard={preview} server={base} games={games.data ?? []} />
      </div>
      <SaveBar form={form} />
    </Form>
  )
}
