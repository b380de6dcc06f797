import * as v from 'valibot'
import { useEffect, useRef, useState } from 'react'
import { Form } from '@/components/form/form'
import { useForm } from '@/components/form/use-form'
import { ImageField } from '@/components/image/image-field'
import { PictureAddressField } from '@/components/image/picture-address-field'
import { Example } from '@/features/kit/example'
import { optionalWebAddress } from '@/lib/text/rules'
import styles from '../example.module.css'

const SCHEMA = v.object({
  logo: v.string(),
  banner: v.string(),
  address: optionalWebAddress(),
  broken: optionalWebAddress(),
})

/** Nothing is uploaded: the cropped image stays in this tab. */
export function Section() {
  const [weight, setWeight] = useState('')
  const made = useRef<string[]>([])
  useEffect(() => () => made.current.forEach((address) => URL.revokeObjectURL(address)), [])
  const form = useForm({
    schema: SCHEMA,
    defaults: { logo: '', banner: '', address: '', broken: 'example.org/a.png' },
    submit: () => Promise.resolve(),
  })
  async function keepHere(picture: Blob): Promise<string> {
    setWeight(`${picture.type}, ${picture.size} bytes: kept in this tab, sent nowhere`)
    const address = URL.createObjectURL(picture)
    made.current.push(address)
    return address
  }
  return (
    <Example title="Dropped or picked, cut to its ratio, made small">
      <Form form={form} className={styles.narrow}>
        <ImageField name="logo" label="Logo" size={{ width: 192, height: 192 }} upload={keepHere} />
        <ImageField name="banner" label="Banner" size={{ width: 1200, height: 400 }} upload={keepHere} optional />
        <p>{weight}</p>
        <PictureAddressField name="address" label="By its address" help="Shown as soon as it is one." optional />
        <PictureAddressField name="broken" label="An address that is not whole" optional />
      </Form>
    </Example>
  )
}
