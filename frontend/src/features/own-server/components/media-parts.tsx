import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import type { Tag } from '@/entities/tag/queries'
import { PictureFields, TagChoice, VideoField, type Upload } from './media-fields'
import styles from './server-form.module.css'

interface MediaPartsProps {
  upload: Upload
  hasPrestige: boolean
  tags: readonly Tag[]
}

/** The images, video and tags of a server. */
export function MediaParts({ upload, hasPrestige, tags }: MediaPartsProps) {
  const { t } = useTranslation('own-server')
  return (
    <div className={styles.fields}>
      <Panel variant="boxed" title={t('part.tags')} intro={t('part.tagsIntro')}>
        <TagChoice tags={tags} />
      </Panel>
      <Panel variant="boxed" title={t('part.pictures')} intro={t('part.picturesIntro')}>
        <PictureFields upload={upload} hasPrestige={hasPrestige} />
      </Panel>
      <Panel variant="boxed" title={t('part.video')}>
        <VideoField />
      </Panel>
    </div>
  )
}
