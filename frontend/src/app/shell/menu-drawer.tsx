import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { NavLink } from '@/components/ui/link'
import { MonthlyCountdown } from '@/components/layout/monthly-countdown'
import { Button } from '@/components/ui/button'
import { Drawer } from '@/components/ui/drawer'
import { Icon } from '@/components/ui/icon'
import { gamesQuery } from '@/entities/game/queries'
import { GameList } from '@/features/games/components/game-list'
import { SearchBox } from '@/features/search/components/search-box'
import { openAuthDialog, type AuthTab } from '@/lib/session/auth-dialog'
import { useSession } from '@/lib/session/session'
import { LanguageLinks } from './language-switcher'
import { ThemeSwitch } from './theme-switch'
import type { NavigationLink } from './use-navigation-links'
import styles from './menu-drawer.module.css'

interface MenuDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  links: NavigationLink[]
}

/** The menu marks no game as chosen: the page itself names it. */
const NONE = null

/** The phone's menu: search, pages, games and language. */
export function MenuDrawer({ open, onOpenChange, links }: MenuDrawerProps) {
  const { t } = useTranslation('shell')
  const { status } = useSession()
  const games = useQuery(gamesQuery())
  const close = () => onOpenChange(false)
  function enter(tab: AuthTab): void {
    close()
    openAuthDialog(tab)
  }
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t('menu.title')}>
      <SearchBox onOpened={close} />
      <nav aria-label={t('nav.label')} className={styles.links}>
        {links.map((link) => (
          <NavLink key={link.to} to={link.to} className={styles.link} onClick={close}>
            <Icon name={link.icon} />
            {link.label}
          </NavLink>
        ))}
      </nav>
      {status === 'out' && (
        <div className={styles.entry}>
          <Button wide onClick={() => enter('signIn')}>
            {t('account.signIn')}
          </Button>
          <Button wide variant="primary" onClick={() => enter('signUp')}>
            {t('account.signUp')}
          </Button>
        </div>
      )}
      <div className={styles.languages}>
        <h3 className={styles.heading}>{t('language.label')}</h3>
        <LanguageLinks onChosen={close} />
      </div>
      <div className={styles.games}>
        <GameList
          games={games.isError && !games.data ? null : games.data}
          chosen={NONE}
          layout="column"
          onRetry={() => void games.refetch()}
          onChosen={close}
        />
      </div>
      <div className={styles.foot}>
        <MonthlyCountdown variant="compact" />
        <ThemeSwitch hasLabel />
      </div>
    </Drawer>
  )
}
