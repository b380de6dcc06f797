import * as v from 'valibot'
import { Form } from '@/components/form/form'
import { SaveBar } from '@/components/form/save-bar'
import { useForm } from '@/components/form/use-form'
import { RichText } from '@/components/rich-text/rich-text'
import { RichTextField } from '@/components/rich-text/rich-text-field'
import { Example } from '@/features/kit/example'
import { plainText } from '@/lib/text/stored-text'
import { optionalText } from '@/lib/text/rules'
import { useWatch } from 'react-hook-form'
import styles from '../example.module.css'

const SCHEMA = v.object({ about: optionalText(500) })

export function Section() {
  const form = useForm({
    schema: SCHEMA,
    defaults: { about: '<h3>Rules</h3><p>Be <strong>kind</strong>.</p><ul><li><p>No cheating</p></li></ul>' },
    submit: () => Promise.resolve(),
  })
  const html = useWatch({ control: form.fields.control, name: 'about' })
  return (
    <>
      <Example title="Written">
        <Form form={form} className={styles.narrow}>
          <RichTextField name="about" label="About the server" limit={500} />
          <SaveBar form={form} />
        </Form>
      </Example>
      <Example title="Shown">
        <RichText html={html ?? ''} />
      </Example>
      <Example title="In a preview">
        <p>{plainText(html ?? '')}</p>
      </Example>
    </>
  )
}
