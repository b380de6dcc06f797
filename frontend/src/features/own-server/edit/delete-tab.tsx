import { useMutation } from '@tanstack/react-query'
import * as v from 'valibot'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { Panel } from '@/components/ui/panel'
import { deleteServerMutation } from '@/entities/server/delete'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { picturesLeft, valuesOf } from '../model/server-form'
import { useRefusalWords } from '../model/use-refusal-words'
import type { TabProps } from './use-edit-form'

/** Deletes the server for good, after its name is typed. */
export function DeleteTab({ server, userId }: TabProps) {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  const navigate = useNavigate()
  const name = decodeStored(server.name)
  const remove = useMutation(
    deleteServerMutation({
      done: { title: 'own-server:delete.done', text: { plain: name } },
      failed: 'own-server:delete.failed',
    }),
  )
  const [schema] = useState(() => v.object({ typed: typedName(name, t('delete.mismatch')) }))
  const form = useForm({
    schema,
    defaults: { typed: '' },
    submit: () =>
      remove.mutateAsync({
        id: server.id,
        left: { userId, pictures: picturesLeft(valuesOf(server), NO_PICTURES) },
      }),
    onDone: () => void navigate(paths.profile(language), { replace: true }),
    words: useRefusalWords('edit.failed'),
  })
  return (
    <Panel variant="boxed" tone="danger" title={t('delete.title')} intro={t('delete.text')}>
      <Form form={form} label={t('delete.title')}>
        <TextField
          name="typed"
          label={t('delete.label', { name })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Submit variant="danger">{t('delete.submit')}</Submit>
      </Form>
    </Panel>
  )
}

const NO_PICTURES = { logo_image_url: '', banner_image_url: '', description_image_url: '', backdrop_url: '' }

/**
 * A rule that compares a typed name with the displayed one, ignoring case and surrounding spaces.
 */
function typedName(name: string, words: string) {
  const plain = (text: string): string => text.trim().toLocaleLowerCase()
  return v.pipe(
    v.string(),
    v.check((typed) => plain(typed) === plain(name), words),
  )
}
