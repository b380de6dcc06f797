import { useTranslation } from '@/lib/i18n/i18n'
import { ButtonLink } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { pageOf, type Area, type PageMatch } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'

type Destination = 'home' | 'profile' | 'admin'

/** Where one goes on from a page that is not there yet, the likeliest first. */
const NEXT: Record<Area, readonly Destination[]> = {
  main: ['home'],
  account: ['home', 'profile'],
  owner: ['profile', 'home'],
  admin: ['admin', 'home'],
  docs: ['home'],
}

/** Says honestly that a page is not there yet, and where to go meanwhile. */
export function ComingSoonPage({ match: { key: page } }: { match: PageMatch }) {
  const { t } = useTranslation(['coming-soon', 'pages'])
  const language = useLanguage()
  return (
    <StateMessage
      heading="h1"
      drawing="soon"
      title={t(`pages:${page}`)}
      note={t('status')}
      actions={NEXT[pageOf(page).area].map((next, place) => (
        <ButtonLink key={next} variant={place === 0 ? 'primary' : 'secondary'} to={paths[next](language)}>
          {t(`next.${next}`)}
        </ButtonLink>
      ))}
    >
      {t('text')}
    </StateMessage>
  )
}
