import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { CodeBlock } from '@/components/code/code-block'
import { QueryStates } from '@/components/query/query-states'
import { Button, IconButton } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Panel, PanelLoading } from '@/components/ui/panel'
import { PanelFailure } from '@/components/ui/panel-failure'
import { SelectInput } from '@/components/ui/select-input'
import { TextInput } from '@/components/ui/text-input'
import { StatusBadge } from '@/components/ui/badge'
import { apiOrigin } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { useSession } from '@/lib/session/session'
import { decodeStored } from '@/lib/text/stored-text'
import { askMutation, questionsQuery, type ApiAnswer } from '../api/vote-api'
import { ownTokensQuery } from '../api/own-tokens'
import { addressOf, isServer, withoutServer, type Question, type QuestionField } from '../model/question'
import styles from './try-it.module.css'

/** A form that sends requests to the real API. */
export function TryIt() {
  const { t } = useTranslation('api-docs')
  const questions = useQuery(questionsQuery())
  return (
    <Panel variant="boxed" title={t('try.title')} intro={t('try.intro')}>
      <QueryStates query={questions} loading={<PanelLoading rows={2} />} failed={t('try.unread')}>
        {(all) => <Console questions={all} />}
      </QueryStates>
    </Panel>
  )
}

const EXAMPLES: Readonly<Record<string, string>> = {
  ip: '203.0.113.1',
  minutes: '10',
  figure: 'position',
  object: 'servers',
  element: 'detail',
}

function Console({ questions }: { questions: readonly Question[] }) {
  const { t } = useTranslation('api-docs')
  const { user } = useSession()
  const tokens = useQuery({ ...ownTokensQuery(user?.id ?? ''), enabled: user !== null })
  const token = tokens.data?.find(({ api_token }) => api_token !== null)?.api_token ?? ''
  const [path, setPath] = useState(questions[0]?.path ?? '')
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [isShown, setShown] = useState(false)
  const asking = useMutation(askMutation())
  const question = questions.find((one) => one.path === path)
  if (question === undefined) return null
  // The fields that name the server share one value, whatever their names.
  const valueOf = (field: QuestionField) =>
    isServer(field) ? (typed.server ?? token) : (typed[field.name] ?? EXAMPLES[field.name] ?? '')
  const values = Object.fromEntries(question.fields.map((field) => [field.name, valueOf(field)]))
  const address = addressOf(question, values)
  // The owner's token is hidden, because the screen may be shared.
  const isHidden = token !== '' && !isShown
  const secret = {
    type: isHidden ? 'password' : 'text',
    end: token !== '' && (
      <IconButton
        size="small"
        icon={isHidden ? 'eye' : 'eye-off'}
        label={t(isHidden ? 'try.show' : 'try.hide')}
        onClick={() => setShown(isHidden)}
      />
    ),
  }

  function send(event: FormEvent): void {
    event.preventDefault()
    asking.mutate(address)
  }

  return (
    <form className={styles.form} onSubmit={send}>
      <SelectInput
        label={t('try.question')}
        value={path}
        choices={questions.map((one) => ({ value: one.path, label: `GET ${one.path}` }))}
        onChange={(event) => {
          setPath(event.target.value)
          asking.reset()
        }}
      />
      {user !== null && tokens.data !== undefined && tokens.data.length > 1 && (
        <SelectInput
          label={t('try.own')}
          value={typed.server ?? token}
          empty={t('try.other')}
          choices={tokens.data.flatMap(({ name, api_token }) =>
            api_token === null ? [] : [{ value: api_token, label: decodeStored(name) }],
          )}
          onChange={(event) => setTyped({ ...typed, server: event.target.value })}
        />
      )}
      <div className={styles.fields}>
        {question.fields.map((field) => (
          <TextInput
            key={field.name}
            {...(isServer(field) && secret)}
            label={isServer(field) ? t('try.token') : field.name === 'ip' ? t('try.ip') : <code>{field.name}</code>}
            help={isServer(field) ? t('try.tokenHelp') : undefined}
            optional={!field.isRequired}
            required={field.isRequired}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="none"
            value={valueOf(field)}
            onChange={(event) => setTyped({ ...typed, [isServer(field) ? 'server' : field.name]: event.target.value })}
          />
        ))}
      </div>
      <div className={styles.line}>
        <code className={styles.address}>{`GET ${isHidden ? withoutServer(question, values) : address}`}</code>
        <CopyButton size="small" variant="quiet" text={`curl "${apiOrigin}${address}"`}>
          {t('try.copy')}
        </CopyButton>
      </div>
      <div>
        <Button type="submit" variant="primary" busy={asking.isPending}>
          {t('try.send')}
        </Button>
      </div>
      <div role="status">{asking.data && <AnswerView answer={asking.data} />}</div>
      {asking.isError && <PanelFailure text={t('try.failed')} onRetry={() => asking.mutate(address)} />}
    </form>
  )
}

function AnswerView({ answer: { status, body, left, duration } }: { answer: ApiAnswer }) {
  const { t } = useTranslation('api-docs')
  return (
    <div className={styles.answer}>
      <p className={styles.facts}>
        <StatusBadge status={status < 400 ? 'good' : 'bad'}>{status}</StatusBadge>
        <span>{t('try.took', { milliseconds: duration })}</span>
        {left !== null && <span>{t('try.left', { count: Number(left) })}</span>}
      </p>
      <CodeBlock label={t('try.answer')} code={body || t('try.empty')} />
    </div>
  )
}
