import { useQuery } from '@tanstack/react-query'
import { Picture } from '@/components/ui/picture'
import { useTranslation } from '@/lib/i18n/i18n'
import { shownPartnersQuery } from '../api/shown-partners'
import styles from './partner-links.module.css'

/** Links to partners; nothing if there are none. */
export function PartnerLinks() {
  const { t } = useTranslation('shell')
  const partners = useQuery(shownPartnersQuery())
  if (!partners.data || partners.data.length === 0) return null
  return (
    <nav aria-label={t('footer.partners')} className={styles.partners}>
      <h2 className={styles.title}>{t('footer.partners')}</h2>
      <ul className={styles.list}>
        {partners.data.map((partner) => (
          <li key={partner.id}>
            <a
              href={partner.url}
              target="_blank"
              rel="noopener"
              data-tooltip={partner.description ?? undefined}
              className={styles.link}
            >
              <Picture src={partner.logo_url} width={20} height={20} className={styles.logo} />
              {partner.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
