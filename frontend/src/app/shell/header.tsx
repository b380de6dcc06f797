import { Suspense, useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Link, NavLink } from '@/components/ui/link'
import { Logo, Wordmark } from '@/components/layout/logo'
import { MonthlyCountdown } from '@/components/layout/monthly-countdown'
import { IconButton } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { SearchBox } from '@/features/search/components/search-box'
import { lazyComponent, loadWithRetry } from '@/lib/browser/lazy'
import { usePageSearchInSight } from '@/lib/routing/page-search'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { Account } from './account'
import { LanguageSwitcher } from './language-switcher'
import { ThemeSwitch } from './theme-switch'
import { useNavigationLinks } from './use-navigation-links'
import styles from './header.module.css'

const loadDrawer = () => import('./menu-drawer')
const MenuDrawer = lazyComponent(async () => (await loadDrawer()).MenuDrawer)

export function Header() {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const links = useNavigationLinks()
  // While the page's own search and countdown are in sight, the header hides its own.
  const spare = usePageSearchInSight() && styles.spare
  const [menu, setMenu] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to={paths.home(language)} className={styles.brand} aria-label={t('brand.home')}>
          <Logo />
          <Wordmark />
        </Link>
        <nav className={styles.nav} aria-label={t('nav.label')}>
          {links.map((link) => (
            <NavLink key={link.to} to={link.to} className={styles.link}>
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className={classes(styles.search, spare)}>
          <SearchBox />
        </div>
        <div className={classes(styles.countdown, spare)}>
          <MonthlyCountdown variant="mini" />
        </div>
        <div className={styles.tools}>
          <div className={styles.wide}>
            <LanguageSwitcher />
          </div>
          <div className={styles.theme}>
            <ThemeSwitch />
          </div>
          <Account />
          <IconButton
            icon="menu"
            className={styles.menu}
            label={t('menu.open')}
            aria-haspopup="dialog"
            onPointerEnter={() => void loadWithRetry(loadDrawer)}
            onClick={() => setMenu('open')}
          />
        </div>
      </div>
      {menu !== 'never' && (
        <Suspense>
          <MenuDrawer open={menu === 'open'} onOpenChange={(open) => setMenu(open ? 'open' : 'closed')} links={links} />
        </Suspense>
      )}
    </header>
  )
}
