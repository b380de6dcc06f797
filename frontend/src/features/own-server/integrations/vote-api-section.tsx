import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeTabs } from '@/components/code/code-block'
import { QueryStates } from '@/components/query/query-states'
import { ButtonLink, IconButton } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { CopyButton } from '@/components/ui/copy-button'
import { Panel, PanelLoading } from '@/components/ui/panel'
import { Switch } from '@/components/ui/switch'
import { TextInput } from '@/components/ui/text-input'
import { apiOrigin } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { openVoteApiMutation, regenerateTokenMutation, voteApiQuery, type VoteApiAccess } from '../api/vote-api'
import type { TabProps } from '../edit/use-edit-form'
import styles from './vote-api-section.module.css'

/** The server's token and how to use it. */
export function VoteApiSection({ server, userId }: TabProps) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const access = useQuery(voteApiQuery(userId, server.id))
  return (
    <Panel variant="boxed" title={t('integrations.section.voteApi')} intro={t('voteApi.intro')}>
      <QueryStates query={access} loading={<PanelLoading rows={3} />} failed={t('voteApi.unread')}>
        {(row) => <Access access={row} />}
      </QueryStates>
      <div>
        <ButtonLink icon="code" to={paths.apiDocs(language)}>
          {t('integrations.docs')}
        </ButtonLink>
      </div>
    </Panel>
  )
}

function Access({ access: { id, api_token: token, open_vote_api: isOpen } }: { access: VoteApiAccess }) {
  const { t } = useTranslation('own-server')
  const regenerating = useMutation(regenerateTokenMutation())
  const opening = useMutation(openVoteApiMutation())
  const [isShown, setShown] = useState(false)
  if (token === null) return <p>{t('voteApi.secondFactor')}</p>
  const endpoint = `${apiOrigin}/api/v1/servers/${isShown ? token : HIDDEN}/votes/{USER_IP}`
  return (
    <div className={styles.access}>
      <TextInput
        label={t('voteApi.token')}
        help={t('voteApi.tokenHelp')}
        readOnly
        className={styles.mono}
        value={isShown ? token : HIDDEN}
        end={
          <IconButton
            size="small"
            icon={isShown ? 'eye-off' : 'eye'}
            label={t(isShown ? 'voteApi.hide' : 'voteApi.show')}
            onClick={() => setShown(!isShown)}
          />
        }
      />
      <div className={styles.buttons}>
        <CopyButton text={token}>{t('voteApi.copyToken')}</CopyButton>
        <ConfirmButton
          icon="refresh"
          title={t('voteApi.regenerate.title')}
          text={t('voteApi.regenerate.text')}
          confirm={t('voteApi.regenerate.confirm')}
          busy={regenerating.isPending}
          onConfirm={() => regenerating.mutateAsync(id)}
        >
          {t('voteApi.regenerate.open')}
        </ConfirmButton>
      </div>
      <div>
        <TextInput
          label={t('voteApi.endpoint')}
          help={t('voteApi.endpointHelp')}
          readOnly
          className={styles.mono}
          value={endpoint}
        />
        <CopyButton size="small" variant="quiet" text={endpoint.replace(HIDDEN, token)}>
          {t('voteApi.copyEndpoint')}
        </CopyButton>
      </div>
      <CodeTabs label={t('voteApi.example')} versions={examples(apiOrigin, isShown ? token : 'YOUR_TOKEN')} />
      <Switch
        label={t('voteApi.open')}
        help={t('voteApi.openHelp')}
        checked={opening.isPending ? opening.variables.isOpen : isOpen}
        disabled={opening.isPending}
        onCheckedChange={(open) => opening.mutate({ id, isOpen: open })}
      />
    </div>
  )
}

const HIDDEN = '•'.repeat(24)

const examples = (origin: string, token: string) =>
  [
    {
      language: 'PHP',
      code: `$ip = $_SERVER['REMOTE_ADDR']; // {USER_IP}
$answer = file_get_contents("${origin}/api/v1/servers/${token}/votes/$ip");
$vote = json_decode($answer, true);

if ($vote['success']) {
    // ${'$'}vote['data']['username']
}`,
    },
    {
      language: 'curl',
      code: `curl "${origin}/api/v1/servers/${token}/votes/{USER_IP}"`,
    },
  ] as const
