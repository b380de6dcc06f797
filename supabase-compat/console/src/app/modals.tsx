import { ModalsProvider } from '@mantine/modals'
import { useTranslation } from 'react-i18next'

/** Where dialogs appear that `modals.open` asks for. */
export function Modals() {
  const { t } = useTranslation('shared')
  return (
    <ModalsProvider
      labels={{ confirm: t('confirm'), cancel: t('cancel') }}
      modalProps={{ closeButtonProps: { 'aria-label': t('close') } }}
    />
  )
}
