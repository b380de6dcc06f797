import { ModalsProvider } from '@mantine/modals'
import { useTranslation } from 'react-i18next'

/** The container of dialogs that `modals.open` opens. */
export function Modals() {
  const { t } = useTranslation('shared')
  return (
    <ModalsProvider
      labels={{ confirm: t('confirm'), cancel: t('cancel') }}
      modalProps={{ closeButtonProps: { 'aria-label': t('close') } }}
    />
  )
}
