import { Suspense } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Skeleton } from '@/components/ui/skeleton'
import { Picture } from '@/components/ui/picture'
import { lazyComponent } from '@/lib/browser/lazy'
import { decodeStored } from '@/lib/text/stored-text'
import type { ServerDetail } from '../api/server'
import { webAddress } from '@/lib/text/web-address'
import { PlainDescription } from './plain-description'
import { Panel } from '@/components/ui/panel'
import styles from './about.module.css'

// The sanitizer is loaded only for descriptions with more than bold and italic.
const RichText = lazyComponent(async () => (await import('@/components/rich-text/rich-text')).RichText)

const HAS_TAGS = /<\/?[a-z][^>]*>/i

/** The owner's description, in the owner's language. */
export function About({ server, name }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const text = decodeStored(server.description).trim()
  const picture = server.description_image_url
  const src = picture?.startsWith('/') ? picture : webAddress(picture)
  return (
    <Panel variant="above" title={t('about.title')}>
      <div lang={server.language} className={styles.text}>
        {text === '' && <p className={styles.empty}>{t('about.empty')}</p>}
        {HAS_TAGS.test(text) ? (
          <Suspense fallback={<Skeleton height="6rem" />}>
            <RichText html={text} />
          </Suspense>
        ) : (
          <PlainDescription text={text} />
        )}
      </div>
      <Picture className={styles.picture} src={src} alt={t('about.image', { name })} lazy />
    </Panel>
  )
}
