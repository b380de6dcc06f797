import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/lib/i18n/i18n'
import { QueryStates } from '@/components/query/query-states'
import { PanelFailure } from '@/components/ui/panel-failure'
import { Skeleton } from '@/components/ui/skeleton'
import { CopyButton } from '@/components/ui/copy-button'
import { totpSetupQuery } from '../api/factors'
import { freeName } from '../model/free-name'
import { grouped } from '../model/secret'
import { useRefusal } from '@/lib/i18n/refusal'
import { ACCOUNT_REFUSALS } from '../model/refusals'
import { FactorSetup, FirstCodeForm, type SetupDialogProps } from './factor-setup'
import styles from './totp-setup-dialog.module.css'

/** Adds an authenticator app: its QR code or secret, then the first code it shows. */
export function TotpSetupDialog({ usedNames, onClose }: SetupDialogProps) {
  const { t } = useTranslation('account')
  const words = useRefusal(ACCOUNT_REFUSALS)
  const name = freeName(t('factors.kind.totp'), usedNames)
  const setup = useQuery(totpSetupQuery(name))
  return (
    <FactorSetup kind="totp" onClose={onClose}>
      <QueryStates
        query={setup}
        loading={<SetupLoading />}
        failed={(retry) => <PanelFailure text={words(setup.error)} onRetry={retry} />}
      >
        {({ factorId, qrCode, secret }) => (
          <FirstCodeForm
            factorId={factorId}
            challengeId={null}
            label={t('totp.code')}
            help={t('totp.codeHelp')}
            onClose={onClose}
          >
            <img src={qrCode} alt={t('totp.qr')} width={176} height={176} className={styles.code} />
            <ManualSecret secret={secret} />
          </FirstCodeForm>
        )}
      </QueryStates>
    </FactorSetup>
  )
}

function SetupLoading() {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.setup} role="status" aria-label={t('loading')}>
      <Skeleton width="11rem" height="11rem" radius="var(--radius-md)" />
      <Skeleton height="2.75rem" />
      <Skeleton height="2.75rem" />
    </div>
  )
}

/** The secret as text, for people who cannot scan the QR code. */
function ManualSecret({ secret }: { secret: string }) {
  const { t } = useTranslation('account')
  return (
    <details className={styles.manual}>
      <summary>{t('totp.manual')}</summary>
      <p>{t('totp.manualText')}</p>
      <div className={styles.secret}>
        <code>{grouped(secret)}</code>
        <CopyButton text={secret} size="small">
          {t('totp.copy')}
        </CopyButton>
      </div>
    </details>
  )
}
