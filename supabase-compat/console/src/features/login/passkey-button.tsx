import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** A button that signs in with a passkey. */
export function PasskeyButton({
  text,
  isPending,
  isMain = false,
  onClick,
}: {
  text?: string
  isPending: boolean
  /** Whether it is the primary button. */
  isMain?: boolean
  onClick: () => void
}) {
  const { t } = useTranslation('login')
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      size="md"
      fullWidth
      leftSection={<IconFingerprint size={18} />}
      loading={isPending}
      onClick={onClick}
    >
      {text ?? t('passkey.signIn')}
    </Button>
  )
}
