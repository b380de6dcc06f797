import { useTranslation } from '@/lib/i18n/i18n'
import type { IconName } from '@/components/ui/icon'
import { paths } from '@/lib/routing/paths'
import { useSession } from '@/lib/session/session'
import { useLanguage } from '@/lib/i18n/use-language'

export interface NavigationLink {
  to: string
  label: string
  icon: IconName
}

/** The main links, and two more for people who are signed in. */
export function useNavigationLinks(): NavigationLink[] {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { status } = useSession()
  const everyone: NavigationLink[] = [
    { to: paths.home(language), label: t('nav.home'), icon: 'home' },
    { to: paths.leaderboard(language), label: t('nav.leaderboard'), icon: 'trophy' },
  ]
  if (status !== 'in') return everyone
  return [
    ...everyone,
    { to: paths.favorites(language), label: t('nav.favorites'), icon: 'heart' },
    { to: paths.myVotes(language), label: t('nav.myVotes'), icon: 'arrow-up' },
  ]
}
