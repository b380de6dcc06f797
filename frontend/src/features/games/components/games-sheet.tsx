import { useTranslation } from '@/lib/i18n/i18n'
import { Drawer } from '@/components/ui/drawer'
import { GameList, type GameListProps } from './game-list'

interface GamesSheetProps extends Omit<GameListProps, 'layout' | 'onChosen'> {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** All games in a sheet, on phones. */
export function GamesSheet({ open, onOpenChange, ...list }: GamesSheetProps) {
  const { t } = useTranslation('games')
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t('title')}>
      <GameList {...list} layout="column" onChosen={() => onOpenChange(false)} />
    </Drawer>
  )
}
