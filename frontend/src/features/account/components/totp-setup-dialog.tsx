import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { CodeField } from '@/components/ui/code-field'
import { PanelFailure } from '@/components/ui/panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast-store'
import { copyText } from '@/lib/clipboard'
import { completeFactorMutation, totpSetupQuery, type TotpSetup } from '../api/factors'
import { freeName } from '../model/free-name'
import { grouped } from '../model/secret'
import { useRefusal } from '../model/use-refusal'
import styles from './totp-setup-dialog.module.css'

interface SetupDialogProps {
  /** Names other factors of this person have. */
  taken: readonly string[]
  onClose: () => void
}

/** Adds an authenticator app: its QR code or secret, then the first code it shows. */
export function TotpSetupDialog({ taken, onClose }: SetupDialogProps) {
  const { t } = useTranslation(['account', 'ui'])
  const refusal = useRefusal()
  const name = freeName(t('factors.kind.totp'), taken)
  const setup = useQuery(totpSetupQuery(name))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('totp.title')} description={t('totp.intro')}>
      {setup.isPending && (
        <div className={styles.setup} role="status" aria-label={t('ui:loading')}>
          <Skeleton width="11rem" height="11rem" radius="var(--radius-md)" />
          <Skeleton height="2.75rem" />
          <Skeleton height="2.75rem" />
        </div>
      )}
      {setup.isError && <PanelFailure text={refusal.words(setup.error)} onRetry={() => setup.refetch()} />}
      {setup.isSuccess && <TotpSteps setup={setup.data} onClose={onClose} />}
    </Dialog>
  )
}

function TotpSteps({ setup, onClose }: { setup: TotpSetup; onClose: () => void }) {
  const { t } = useTranslation('account')
  const refusal = useRefusal()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const verify = useMutation(completeFactorMutation())

  function refuse(cause: unknown): void {
    setProblem(refusal.words(cause))
    setCode('')
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (code.length < 6) return setProblem(t('problem.codeRequired'))
    if (verify.isPending) return
    verify.mutate({ factorId: setup.factorId, code, challengeId: null }, { onSuccess: onClose, onError: refuse })
  }

  async function copy(): Promise<void> {
    await copyText(setup.secret)
    showToast({ tone: 'success', title: t('totp.copied') })
  }

  return (
    <form className={styles.setup} noValidate onSubmit={submit}>
      <img src={setup.qrCode} alt={t('totp.qr')} width={176} height={176} className={styles.code} />
      <details className={styles.manual}>
        <summary>{t('totp.manual')}</summary>
        <p>{t('totp.manualText')}</p>
        <div className={styles.secret}>
          <code>{grouped(setup.secret)}</code>
          <Button size="small" icon="copy" onClick={() => void copy()}>
            {t('totp.copy')}
          </Button>
        </div>
      </details>
      <CodeField
        firstFocus
        label={t('totp.code')}
        help={t('totp.codeHelp')}
        error={problem}
        value={code}
        onChange={(next) => {
          setProblem(undefined)
          setCode(next)
        }}
      />
      <Button type="submit" look="primary" size="large" wide busy={verify.isPending}>
        {t('totp.submit')}
      </Button>
    </form>
  )
}
