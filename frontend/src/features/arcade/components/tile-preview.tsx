import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { ArcadeTile } from '@/components/arcade/arcade-tile'
import { Panel } from '@/components/ui/panel'
import { copyQuery } from '@/entities/image/queries'
import { ownServersQuery } from '@/entities/server/own'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { decodeStored } from '@/lib/text/stored-text'
import type { NO_BOOKING } from '../model/booking'
import styles from './booking-form.module.css'

/** A preview of the tile on the home page, with the current values of the form. */
export function TilePreview({ userId }: { userId: string }) {
  const { t } = useTranslation('arcade')
  const language = useLanguage()
  const servers = useQuery(ownServersQuery(userId)).data ?? []
  const [picture, pictureAddress, server] = useWatch<
    typeof NO_BOOKING,
    readonly ['picture', 'pictureAddress', 'server']
  >({ name: ['picture', 'pictureAddress', 'server'] })
  const address = (pictureAddress ?? '').trim()
  const copy = useQuery({ ...copyQuery(address), enabled: false }).data
  const source = picture || (address === '' ? '' : (copy ?? ''))
  const advertised = servers.find(({ id }) => id === server)
  return (
    <Panel variant="boxed" title={t('preview.title')} intro={t('preview.intro')}>
      <div className={styles.preview} aria-live="polite">
        {source === '' ? (
          <p className={styles.vacant}>{t('preview.empty')}</p>
        ) : (
          <ArcadeTile
            key={source}
            picture={source}
            active
            words={
              advertised
                ? {
                    name: decodeStored(advertised.name),
                    facts: [
                      advertised.games.name,
                      t('preview.votes', {
                        count: advertised.monthly_votes,
                        formatted: formatNumber(advertised.monthly_votes, language),
                      }),
                    ],
                  }
                : null
            }
          />
        )}
      </div>
    </Panel>
  )
}
