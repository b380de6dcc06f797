import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { PanelFailure } from './panel'

/** Says that a part of the page failed and offers to try again. */
export function PanelRetry({ text, query }: { text: string; query: { isFetching: boolean; refetch: () => unknown } }) {
  const { t } = useTranslation('errors')
  return (
    <PanelFailure
      text={text}
      retry={
        <Button size="small" icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {t('retry')}
        </Button>
      }
    />
  )
}
