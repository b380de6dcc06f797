import { useTranslation } from '@/lib/i18n/i18n'
import type { Json } from '@/lib/database'
import { changesOf, shortValue, type Change } from '../model/changes'
import styles from './changes.module.css'

/** Further changes are shown on demand. */
const FEW = 3

/** The changes of a row's columns: former and new values. */
export function Changes({ before, after }: { before: Json | null; after: Json | null }) {
  const { t } = useTranslation('admin-security')
  const changes = changesOf(before, after)
  if (changes.length === 0) return '–'
  if (changes.length <= FEW) return <List changes={changes} />
  return (
    <details>
      <summary className={styles.summary}>{t('columns', { count: changes.length })}</summary>
      <List changes={changes} />
    </details>
  )
}

function List({ changes }: { changes: readonly Change[] }) {
  return (
    <ul className={styles.list}>
      {changes.map((change) => (
        <li key={change.column} className={styles.change}>
          <code className={styles.column}>{change.column}</code>
          <Sides {...change} />
        </li>
      ))}
    </ul>
  )
}

function Sides({ before, after }: Change) {
  const { t } = useTranslation('admin-security')
  if (before === undefined) return <Value value={after} />
  if (after === undefined) return <Value value={before} />
  return (
    <>
      <Value value={before} />
      <span aria-label={t('became')} role="img">
        →
      </span>
      <Value value={after} />
    </>
  )
}

function Value({ value }: { value: Json | undefined }) {
  const { t } = useTranslation('admin-security')
  if (value === true || value === false) return <span>{t(value ? 'yes' : 'no')}</span>
  const text = shortValue(value)
  return text === '' ? <span className={styles.nothing}>{t('nothing')}</span> : <span>{text}</span>
}
