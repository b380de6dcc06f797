import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useTranslation } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import styles from './area-nav.module.css'

/** Pages of an area that need nothing but a language to be linked to. */
export type LinkedPage = {
  [Key in keyof typeof paths]: (typeof paths)[Key] extends (language: never) => string ? Key : never
}[keyof typeof paths] &
  keyof typeof import('../../../locales/fr/pages.json')

interface AreaNavProps {
  label: string
  groups: readonly { title?: string; pages: readonly LinkedPage[] }[]
  /** Beside a page or above it; on small screens always above. */
  side?: boolean
  /** What stands behind a page's name. */
  aside?: (page: LinkedPage) => ReactNode
}

/** The way from one page of an area to the others. */
export function AreaNav({ label, groups, side = false, aside }: AreaNavProps) {
  const { t } = useTranslation('pages')
  const language = useLanguage()
  return (
    <nav aria-label={label} className={side ? styles.side : styles.row}>
      {groups.map(({ title, pages }) => (
        <div key={pages[0]} className={styles.group}>
          {title && <p className={styles.title}>{title}</p>}
          <ul className={styles.list}>
            {pages.map((page) => (
              <li key={page}>
                <NavLink to={paths[page](language)} end className={styles.link}>
                  {t(page)}
                  {aside?.(page)}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
