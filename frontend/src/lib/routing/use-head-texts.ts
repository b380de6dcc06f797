/**
 * The texts of heads. The server has written the head of the page that a visit begins with, from the same texts; where
 * it did so for everybody they are not among those of the page, and come with the next one.
 */
import { useLocation } from 'react-router'
import { hasTexts, useTranslation } from '@/lib/i18n/i18n'
import { DESCRIBED, placeOf, type PageHead } from './use-document-head'

const FIRST_PATH = window.location.pathname

/** Null where the head stands as it is. The next page waits for them, another part of the same list does not. */
export function useHeadTexts() {
  const { pathname, search } = useLocation()
  const isAsked = hasTexts('seo') || placeOf(pathname, search) !== DESCRIBED
  const { t } = useTranslation<'seo'>(isAsked ? 'seo' : ([] as never), { useSuspense: pathname !== FIRST_PATH })
  return hasTexts('seo') ? t : null
}

type HeadTexts = NonNullable<ReturnType<typeof useHeadTexts>>

/** The head of a list, each part of which has an address and a title of its own. */
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
