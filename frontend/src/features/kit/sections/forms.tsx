import { useState } from 'react'
import * as v from 'valibot'
import { CheckboxField, SwitchField } from '@/components/form/check-field'
import { CodeField } from '@/components/form/code-field'
import { ColourField } from '@/components/form/colour-field'
import { Form } from '@/components/form/form'
import { FormLoading } from '@/components/form/form-loading'
import { LocalizedField } from '@/components/form/localized-field'
import { MoneyField, NumberField } from '@/components/form/number-field'
import { PasswordField } from '@/components/form/password-field'
import { RadioField } from '@/components/form/radio-field'
import { SaveBar } from '@/components/form/save-bar'
import { SecretField } from '@/components/form/secret-field'
import { SelectField } from '@/components/form/select-field'
import { Submit } from '@/components/form/submit'
import { TagsField } from '@/components/form/tags-field'
import { EmailField, TextField } from '@/components/form/text-field'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { newPassword } from '@/entities/account/credentials'
import { Example } from '@/features/kit/example'
import { ApiError } from '@/lib/api/errors'
import {
  atMost,
  email,
  longest,
  oneOf,
  oneTimeCode,
  optionalText,
  optionalWebAddress,
  requiredText,
  wholeNumber,
} from '@/lib/text/rules'
import styles from '../example.module.css'

const TAGS = 'PvP PvE Survie Créatif Économie Roleplay Vanilla Moddé Mini-jeux Skyblock Factions Hardcore Débutants'
  .split(' ')
  .map((label, at) => ({ value: label, label, colour: at % 2 ? '#10B981' : '#8B5CF6' }))

const LONG = v.object({
  name: requiredText(100),
  email: email(),
  website: optionalWebAddress(),
  about: optionalText(200),
  game: v.pipe(v.string(), v.nonEmpty('choice')),
  slots: wholeNumber({ min: 1, max: 1000 }),
  price: v.nullable(v.number('number')),
  shown: v.boolean(),
  agreed: v.literal(true, 'choice'),
  reason: oneOf(['spam', 'copyright', 'other']),
  tags: v.pipe(v.array(v.string()), atMost(3)),
  colour: v.string(),
  title: v.object({ fr: requiredText(60), en: requiredText(60), es: v.pipe(v.string(), longest(60)) }),
  secret: requiredText(200),
})

function LongForm() {
  const [saved, setSaved] = useState('')
  const form = useForm({
    schema: LONG,
    defaults: {
      name: '',
      email: '',
      website: '',
      about: '',
      game: '',
      slots: 100,
      price: 1000,
      shown: true,
      agreed: undefined,
      reason: undefined,
      tags: ['PvP'],
      colour: '',
      title: { fr: 'Tournoi', en: '', es: '' },
      secret: 'plm_live_2f7c9a1e',
    },
    submit: async (values) => {
      if (values.name === 'taken') throw new ApiError('23505', 'duplicate key', 409)
      setSaved(JSON.stringify(values, null, 1))
    },
    refusals: { '23505': 'name' },
    words: (error) => (error.code === '23505' ? 'This name is taken.' : error.message),
    guard: true,
    draft: 'kit',
  })
  return (
    <Form form={form} label="A long form" summary>
      <TextField name="name" label="Name" help="Write “taken” to be refused." limit={100} firstFocus />
      <EmailField name="email" label="E-mail" />
      <TextField name="website" label="Website" type="url" optional placeholder="https://" />
      <TextareaField name="about" label="About" limit={200} optional />
      <SelectField
        name="game"
        label="Game"
        empty="Choose a game"
        choices={[
          { value: 'rust', label: 'Rust' },
          { value: 'dayz', label: 'DayZ' },
        ]}
      />
      <NumberField name="slots" label="Places" help="From 1 to 1000." />
      <MoneyField name="price" label="Price of a day" optional />
      <SwitchField name="shown" label="Shown in the ranking" help="Takes effect at once." />
      <CheckboxField name="agreed" label="I agree to the terms" />
      <RadioField
        name="reason"
        label="Reason"
        choices={[
          { value: 'spam', label: 'Spam' },
          { value: 'copyright', label: 'Copyright', help: 'You hold the rights.' },
          { value: 'other', label: 'Another reason' },
        ]}
      />
      <TagsField name="tags" label="Tags" limit={3} choices={TAGS} />
      <ColourField name="colour" label="Colour" optional custom />
      <LocalizedField name="title" label="Title" limit={60} />
      <SecretField name="secret" label="Secret" regenerate={() => crypto.randomUUID()} />
      <SaveBar form={form} />
      <pre>{saved}</pre>
    </Form>
  )
}

const SHORT = v.object({ password: newPassword(), code: oneTimeCode() })

function ShortForm() {
  const form = useForm({
    schema: SHORT,
    defaults: { password: '', code: '' },
    submit: () => Promise.reject(new ApiError('42501', 'permission denied', 403)),
  })
  return (
    <Form form={form} label="A short form">
      <PasswordField name="password" label="New password" purpose="new" help="6 characters or more." />
      <CodeField name="code" label="Code" />
      <Submit size="large" wide>
        Always refused
      </Submit>
    </Form>
  )
}

export function Section() {
  return (
    <>
      <Example title="A short form">
        <div className={styles.narrow}>
          <ShortForm />
        </div>
      </Example>
      <Example title="A form on its way">
        <div className={styles.narrow}>
          <FormLoading fields={2} />
        </div>
      </Example>
      <Example title="Every field, a summary, a draft, a guard and a save bar">
        <div className={styles.narrow}>
          <LongForm />
        </div>
      </Example>
    </>
  )
}
