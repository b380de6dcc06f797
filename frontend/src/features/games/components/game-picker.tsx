import { Suspense, useState } from 'react'
import { IconButton } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent, loadWithRetry } from '@/lib/browser/lazy'
import { GameList, type GameListProps } from './game-list'
import styles from './game-list.module.css'

const loadSheet = () => import('./games-sheet')
const GamesSheet = lazyComponent(async () => (await loadSheet()).GamesSheet)

/** The list of games beside the ranking; on a phone a row, and a sheet with all of them. */
export function GamePicker(props: GameListProps) {
  const { t } = useTranslation('games')
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <div className={styles.picker}>
      <GameList {...props} />
      <IconButton
        icon="games"
        className={styles.more}
        label={t('open')}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadWithRetry(loadSheet)}
        onClick={() => setSheet('open')}
      />
      {sheet !== 'never' && (
        <Suspense>
          <GamesSheet {...props} open={sheet === 'open'} onOpenChange={(open) => setSheet(open ? 'open' : 'closed')} />
        </Suspense>
      )}
    </div>
  )
}
