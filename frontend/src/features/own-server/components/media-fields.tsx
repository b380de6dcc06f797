import { TagsField } from '@/components/form/tags-field'
import { TextField } from '@/components/form/text-field'
import { ImageField } from '@/components/image/image-field'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Sentence } from '@/components/ui/sentence'
import { useTranslation } from '@/lib/i18n/i18n'
import { useAskForTag } from '@/entities/tag/proposal-dialog'
import { useLanguage } from '@/lib/i18n/use-language'
import type { Tag } from '@/entities/tag/queries'
import { TAG_LIMIT } from '../model/server-fields'
import type { usePictures } from '../model/use-pictures'
import styles from './fields.module.css'

/** Twice the recommended size, for high-density screens. */
const LOGO = { width: 192, height: 192 }
const LOGO_ADVISED = { width: 96, height: 96 }
const BANNER = { width: 1200, height: 400 }
const BACKDROP = { width: 1920, height: 1080 }
const DESCRIPTION = { width: 800, height: 600 }

export type Upload = ReturnType<typeof usePictures>['upload']

/** The images of a server. The banner is part of Prestige. */
export function PictureFields({ upload, hasPrestige }: { upload: Upload; hasPrestige: boolean }) {
  const { t } = useTranslation('own-server')
  return (
    <>
      <ImageField
        name="logo_image_url"
        label={t('field.logo')}
        size={LOGO}
        recommended={LOGO_ADVISED}
        upload={upload('logo')}
        optional
      />
      {hasPrestige ? (
        <ImageField
          name="banner_image_url"
          label={t('field.banner')}
          help={t('field.bannerHelp')}
          size={BANNER}
          upload={upload('banner')}
          optional
        />
      ) : (
        <p className={styles.locked}>
          <Icon name="crown" size={20} />
          <span>
            <Sentence text={t('field.bannerLocked')} part={(words) => <strong>{words}</strong>} />
          </span>
        </p>
      )}
      <ImageField
        name="description_image_url"
        label={t('field.picture')}
        help={t('field.pictureHelp')}
        size={DESCRIPTION}
        upload={upload('description')}
        optional
      />
      <ImageField
        name="backdrop_url"
        label={t('field.backdrop')}
        help={t('field.backdropHelp')}
        size={BACKDROP}
        upload={upload('backdrop')}
        optional
      />
    </>
  )
}

/** The video is loaded on the server's page on request only. */
export function VideoField() {
  const { t } = useTranslation('own-server')
  return (
    <TextField
      name="video_url"
      label={t('field.video')}
      help={t('field.videoHelp')}
      type="url"
      placeholder="https://youtu.be/"
      autoCapitalize="none"
      spellCheck={false}
      optional
    />
  )
}

export function TagChoice({ tags }: { tags: readonly Tag[] }) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const propose = useAskForTag()
  return (
    <>
      <TagsField
        name="tags"
        label={t('field.tags')}
        limit={TAG_LIMIT}
        choices={tags.map((tag) => ({
          value: tag.name,
          label: tag[`name_${language}`] ?? tag.name,
          colour: tag.color,
        }))}
        optional
      />
      <Button size="small" variant="quiet" icon="plus" className={styles.propose} onClick={propose}>
        {t('field.proposeTag')}
      </Button>
    </>
  )
}
