import { useTranslation } from '@/lib/i18n/i18n'
import { Link } from '@/components/ui/link'
import { Logo, Wordmark } from '@/components/layout/logo'
import { FooterPartners } from '@/features/partners/components/footer-partners'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { LanguageLinks } from './language-switcher'
import styles from './footer.module.css'

const YEAR = new Date().getFullYear()

export function Footer() {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const groups = [
    {
      title: t('footer.explore'),
      links: [
        [paths.home(language), t('nav.home')],
        [paths.leaderboard(language), t('nav.leaderboard')],
        [paths.hallOfFame(language), t('footer.hallOfFame')],
        [paths.howRanking(language), t('footer.howRanking')],
      ],
    },
    {
      title: t('footer.owners'),
      links: [
        [paths.addServer(language), t('footer.addServer')],
        [paths.apiDocs(language), t('footer.apiDocs')],
        [paths.votifierGuide(language), t('footer.votifierGuide')],
        [paths.creatorTools(language), t('footer.creatorTools')],
      ],
    },
    {
      title: t('footer.legal'),
      links: [
        [paths.privacy(language), t('footer.privacy')],
        [paths.terms(language), t('footer.terms')],
        [paths.termsOfSale(language), t('footer.termsOfSale')],
        [paths.publicReport(language), t('footer.publicReport')],
      ],
    },
  ] as const
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.about}>
          <span className={styles.brand}>
            <Logo size={34} />
            <Wordmark height={22} />
          </span>
          <p>{t('footer.about')}</p>
        </div>
        {groups.map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <h2 className={styles.title}>{group.title}</h2>
            <ul>
              {group.links.map(([to, label]) => (
                <li key={to}>
                  <Link to={to} className={styles.link}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label={t('language.label')}>
          <h2 className={styles.title}>{t('language.label')}</h2>
          <div className={styles.languages}>
            <LanguageLinks />
          </div>
        </nav>
      </div>
      <FooterPartners />
      <p className={styles.rights}>{t('footer.rights', { year: YEAR })}</p>
    </footer>
  )
}
