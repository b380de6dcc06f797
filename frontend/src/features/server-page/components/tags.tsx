import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { TagChip } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useAskForTag } from '@/entities/tag/proposal-dialog'
import { useLanguage } from '@/lib/i18n/use-language'
import { tagsQuery } from '../api/tags'
import { Panel } from '@/components/ui/panel'
import styles from './tags.module.css'

/**
 * The server's tags by their translated names; the stored names are shown while loading or after a
 * failure.
 */
export function Tags({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('server-page')
  const language = useLanguage()
  const { data } = useQuery(tagsQuery(names))
  const propose = useAskForTag()
  if (names.length === 0) return null
  return (
    <Panel variant="boxed" title={t('tags.title')}>
      <ul className={styles.tags}>
        {names.map((name) => {
          const tag = data?.find((known) => known.name === name)
          return (
            <li key={name}>
              <TagChip color={tag?.color}>{tag?.[`name_${language}`] || name}</TagChip>
            </li>
          )
        })}
      </ul>
      <Button size="small" variant="quiet" icon="plus" onClick={propose}>
        {t('tags.propose')}
      </Button>
    </Panel>
  )
}
