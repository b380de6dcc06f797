import { useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from '@/lib/i18n'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { Icon } from '@/components/ui/icon'
import { toApiError } from '@/lib/errors'
import type { VoteTarget } from '@/lib/vote-dialog'
import { nicknameProblem, rememberedNickname, type NicknameProblem } from '../model/nickname'
import { voteRefusal } from '../model/refusal'
import type { useVote } from '../model/use-vote'
import { CaptchaLine } from './captcha-line'
import styles from './vote-form.module.css'

type VoteFormProps = { target: VoteTarget } & ReturnType<typeof useVote>

/** A remembered name and one button; the challenge is solved meanwhile. */
export function VoteForm({ target, captcha, vote }: VoteFormProps) {
  const { t } = useTranslation('vote')
  const [nickname, setNickname] = useState(rememberedNickname)
  const [problem, setProblem] = useState<NicknameProblem | null>(null)
  // With a remembered name one key is enough; typing is only asked for where there is none.
  const [isKnown] = useState(nickname !== '')
  const field = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // In a dialog that goes on to the next server, what had the focus is gone.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[data-first-focus=true]')?.focus(), [])
  const refusal = vote.error ? voteRefusal(toApiError(vote.error)) : null

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (vote.isPending) return
    const found = nicknameProblem(nickname, target.nicknamePattern)
    setProblem(found)
    if (found) field.current?.focus()
    else vote.mutate(nickname.trim(), { onError: () => field.current?.focus() })
  }

  function change(next: string): void {
    setNickname(next)
    setProblem(null)
    if (refusal?.where === 'nickname') vote.reset()
  }

  const nicknameError = problem ? t(`problem.${problem}`) : refusal?.where === 'nickname' ? t(refusal.key) : undefined
  // Offline is said once, not by the challenge and by the vote.
  const isOffline = refusal?.where === 'form' && refusal.key === 'refusal.offline'
  const waitsForCaptcha = vote.isPending && captcha.data === undefined
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit}>
      <TextField
        ref={field}
        label={t('nickname.label')}
        help={t('nickname.help')}
        error={nicknameError}
        name="nickname"
        placeholder={t('nickname.placeholder')}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        required
        data-first-focus={!isKnown}
        value={nickname}
        onChange={(event) => change(event.target.value)}
      />
      {!isOffline && <CaptchaLine captcha={captcha} />}
      <div role="alert">
        {refusal?.where === 'form' && (
          <p className={styles.refusal}>
            <Icon name="warning" size={18} />
            {t(refusal.key)}
          </p>
        )}
      </div>
      <Button
        type="submit"
        look="primary"
        size="large"
        icon="arrow-up"
        wide
        data-first-focus={isKnown}
        busy={vote.isPending}
      >
        {waitsForCaptcha ? t('captcha.wait') : t('submit')}
      </Button>
    </form>
  )
}
