import { useEffect, useState } from 'react'
import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import type { ArticleHeading } from './article'
import styles from './contents.module.css'

/** The table of contents of a page, with the current heading marked. */
export function Contents({ headings }: { headings: readonly ArticleHeading[] }) {
  const { t } = useTranslation('prose')
  const current = useActiveHeading(headings)
  return (
    <nav aria-label={t('contents')} className={styles.contents}>
      <p className={styles.title} aria-hidden="true">
        {t('contents')}
      </p>
      <ul className={styles.list}>
        {headings.map(({ id, text, level }) => (
          <li key={id}>
            <Link
              to={{ hash: id }}
              className={styles.link}
              data-level={level}
              aria-current={id === current ? 'location' : undefined}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * A heading counts as reached at this distance from the top of the window, in pixels: the header
 * and a line.
 */
const REACHED = 120

function useActiveHeading(headings: readonly ArticleHeading[]): string | undefined {
  const [current, setCurrent] = useState(headings[0]?.id)
  useEffect(() => {
    let frame = 0
    const update = (): void => {
      frame = 0
      const tops = headings.map(({ id }) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity)
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const reached = isAtEnd ? tops.length - 1 : tops.findLastIndex((top) => top <= REACHED)
      setCurrent(headings[Math.max(0, reached)]?.id)
    }
    const ask = (): void => {
      if (frame === 0) frame = requestAnimationFrame(update)
    }
    ask()
    window.addEventListener('scroll', ask, { passive: true })
    return () => {
      window.removeEventListener('scroll', ask)
      cancelAnimationFrame(frame)
    }
  }, [headings])
  return current
}
