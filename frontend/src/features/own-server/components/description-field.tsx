import { Skeleton } from '@/components/ui/skeleton'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { DESCRIPTION_LIMIT } from '../model/server-fields'
import { WhenNear } from './when-near'
import styles from './description-field.module.css'

const RichTextField = lazyComponent(async () => (await import('@/components/rich-text/rich-text-field')).RichTextField)

/** The description. Its editor is as large as the rest of the page. */
export function DescriptionField() {
  const { t } = useTranslation('own-server')
  const waiting = (
    <div className={styles.waiting}>
      <Skeleton width="8rem" height="1.25rem" />
      <Skeleton height="12.5rem" radius="var(--radius-md)" />
    </div>
  )
  return (
    <WhenNear fallback={waiting}>
      <RichTextField
        name="description"
        label={t('field.description')}
        help={t('field.descriptionHelp')}
        limit={DESCRIPTION_LIMIT}
        optional
      />
    </WhenNear>
  )
}
