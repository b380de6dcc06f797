import { useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { CaptchaField } from '@/components/captcha/captcha-field'
import { SOLVES_ITSELF } from '@/entities/captcha/queries'
import { useTranslation } from '@/lib/i18n/i18n'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { TextInput } from '@/components/ui/text-input'
import { isOffline, toApiError } from '@/lib/api/errors'
import { rememberedNickname } from '@/entities/vote/nickname'
import { useRefusal } from '@/lib/i18n/refusal'
import type { VoteTarget } from '@/entities/vote/dialog'
import { nicknameProblem, type NicknameProblem } from '../model/nickname'
import { VOTE_REFUSALS, nicknameRefusal } from '../model/refusal'
import type { useVote } from '../model/use-vote'
import styles from './vote-form.module.css'

type VoteFormProps = { target: VoteTarget } & ReturnType<typeof useVote>

/** The vote form: a nickname and a button; the challenge is solved in the background. */
export function VoteForm({ target, captcha, vote }: VoteFormProps) {
  const { t } = useTranslation('vote')
  const words = useRefusal(VOTE_REFUSALS)
  const [nickname, setNickname] = useState(() => nicknameFor(target))
  const [problem, setProblem] = useState<NicknameProblem | null>(null)
  // With a remembered nickname the focus starts on the button, otherwise in the field.
  const [isKnown] = useState(nickname !== '')
  const field = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // When the dialog changes to the next server, the focused element is removed, so the focus is set
  // again.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[data-first-focus=true]')?.focus(), [])
  const refusal = vote.error ? toApiError(vote.error) : null
  const blamesName = refusal !== null && nicknameRefusal(refusal) !== null

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
    if (blamesName) vote.reset()
  }

  const found = problem ?? (refusal && nicknameRefusal(refusal))
  const nicknameError = found ? t(`problem.${found}`) : undefined
  // Being offline is shown once, not for both the challenge and the vote.
  const isUnreachable = isOffline(refusal)
  const waitsForCaptcha = SOLVES_ITSELF && vote.isPending && captcha.data === undefined
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit}>
      <TextInput
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
      {!(SOLVES_ITSELF && isUnreachable) && (
        <CaptchaField scope={{ purpose: 'vote', serverId: target.id }} captcha={captcha} />
      )}
      <div role="alert">
        {refusal && !blamesName && (
          <p className={styles.refusal}>
            <Icon name="warning" size={18} />
            {words(refusal)}
          </p>
        )}
      </div>
      <Button
        type="submit"
        variant="primary"
        size="large"
        icon="arrow-up"
        wide
        data-first-focus={isKnown}
        busy={vote.isPending}
      >
        {waitsForCaptcha ? t('wait') : t('submit')}
      </Button>
    </form>
  )
}

/** The nickname that the server's own site sent, if it is valid; else the last one. */
function nicknameFor({ nickname, nicknamePattern }: VoteTarget): string {
  const trimmed = nickname?.trim() ?? ''
  return trimmed !== '' && nicknameProblem(trimmed, nicknamePattern) === null ? trimmed : rememberedNickname()
}
