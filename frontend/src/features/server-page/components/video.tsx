import { useState } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { Icon } from '@/components/ui/icon'
import { youtubeId } from '@/entities/server/video'
import { Panel } from '@/components/ui/panel'
import styles from './video.module.css'

/** The owner's video. Nothing is requested from the video site before a click. */
export function Video({ address, name }: { address: string | null; name: string }) {
  const { t } = useTranslation('server-page')
  const [isPlaying, setWanted] = useState(false)
  const id = youtubeId(address)
  if (id === null) return null
  return (
    <Panel variant="above" title={t('video.title')}>
      <div className={styles.frame}>
        {isPlaying ? (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- the player needs its own scripts and storage
          <iframe
            className={styles.player}
            src={`https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`}
            title={t('video.of', { name })}
            allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
            allowFullScreen
          />
        ) : (
          <button type="button" className={styles.start} onClick={() => setWanted(true)}>
            <span className={styles.mark}>
              <Icon name="play" size={30} />
            </span>
            <span>{t('video.watch')}</span>
            <span className={styles.note}>{t('video.note')}</span>
          </button>
        )}
      </div>
    </Panel>
  )
}
