import { RichText } from '@/components/rich-text/rich-text'
import { InlineMarks } from '@/components/ui/inline-marks'
import { KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Picture } from '@/components/ui/picture'
import type { Json } from '@/lib/database'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { changedOf, type CaseFile, type ListingContent } from '../model/case'
import styles from '../admin-moderation.module.css'

const PICTURES = ['logo_image_url', 'banner_image_url', 'description_image_url', 'backdrop_url'] as const
const HAS_TAGS = /<\/?[a-z][^>]*>/i
const ADDRESSES = ['website_url', 'discord_url', 'video_url'] as const

/** The texts of a listing and, for an edit, the former ones. */
export function ServerTexts({ server, before }: { server: NonNullable<CaseFile['server']>; before: Json | null }) {
  const { t } = useTranslation('admin-moderation')
  const was = shownOf(before)
  const changed = was === null ? [] : changedOf(was, server)
  return (
    <Panel variant="boxed" title={t('server')} aside={<span className={styles.note}>{server.game}</span>}>
      {was !== null && (
        <div>
          <h3 className={styles.small}>{t('changed')}</h3>
          <KeyValues
            facts={changed.map((name) => ({
              name: t(`fields.${name}`),
              value: (
                <span className={styles.change}>
                  <del>{plain(was[name]) || t('empty')}</del>
                  <ins>{plain(server[name]) || t('empty')}</ins>
                </span>
              ),
            }))}
          />
        </div>
      )}
      <Description text={decodeStored(server.description ?? '')} />
      <ul className={styles.pictures}>
        {PICTURES.filter((name) => server[name]).map((name) => (
          <li key={name}>
            <Picture
              src={server[name]}
              alt={t(`fields.${name}`)}
              width={160}
              className={styles.picture}
              fallback={<span className={styles.note}>{t('noPicture', { name: t(`fields.${name}`) })}</span>}
            />
          </li>
        ))}
      </ul>
      <KeyValues
        facts={ADDRESSES.flatMap((name) => {
          const value = server[name]
          return value ? [{ name: t(`fields.${name}`), value: <span className={styles.words}>{value}</span> }] : []
        })}
      />
    </Panel>
  )
}

/** The description as the server's page shows it. */
function Description({ text }: { text: string }) {
  if (HAS_TAGS.test(text)) return <RichText html={text} />
  return (
    <p className={styles.description}>
      <InlineMarks text={text} />
    </p>
  )
}

function shownOf(before: Json | null): Partial<ListingContent> | null {
  return before === null || typeof before !== 'object' || Array.isArray(before)
    ? null
    : (before as Partial<ListingContent>)
}

/** Texts are compared without markup, which does not matter to moderators. */
function plain(text: string | null | undefined): string {
  return decodeStored(text ?? '').replace(/<[^>]*>/g, ' ')
}
