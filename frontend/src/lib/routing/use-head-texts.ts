/**
 * The texts of heads. The server has written the head of the first page from the same texts; if it
 * is the same for everybody, these texts are not among those of the page, and are loaded with the
 * next one.
 */
import { useLocation } from 'react-router'
import { hasTexts, useTranslation } from '@/lib/i18n/i18n'
import { DESCRIBED, placeOf, type PageHead } from './use-document-head'

const FIRST_PATH = window.location.pathname

/**
 * Null if the head stays as it is. The next page waits for the texts; another page of the same list
 * does not.
 */
export function useHeadTexts() {
  const { pathname, search } = useLocation()
  const isAsked = hasTexts('seo') || placeOf(pathname, search) !== DESCRIBED
  const { t } = useTranslation<'seo'>(isAsked ? 'seo' : ([] as never), { useSuspense: pathname !== FIRST_PATH })
  return hasTexts('seo') ? t : null
}

type HeadTexts = NonNullable<ReturnType<typeof useHeadTexts>>

/** The head of a list, each page of which has its own address and title. */
export function listHead(
  t: HeadTexts,
  page: 'home' | 'game' | 'monthArchive' | 'gameMonthArchive',
  values: Readonly<Record<string, string | null>>,
  part: number,
): Pick<PageHead, 'title' | 'description' | 'part'> {
  const words = (kind: 'title' | 'description') => {
    const text = t(`${page}.${kind}`, values)
    return part > 1 ? t(`turnedPage.${kind}`, { [kind]: text, page: part }) : text
  }
  return { title: words('title'), description: words('description'), part }
}
