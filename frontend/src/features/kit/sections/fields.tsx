import { useState } from 'react'
import { SelectField, TextAreaField, TextField } from '@/components/ui/field'
import { NumberField } from '@/components/ui/number-field'
import { Example } from '@/features/kit/example'

export function Section() {
  const [days, setDays] = useState<number | null>(3)
  const [text, setText] = useState('A server for those who like to build.')
  return (
    <>
      <Example title="A line">
        <TextField label="Name" placeholder="Loupgarde" />
        <TextField label="With help" help="Shown in the ranking." defaultValue="Loupgarde" />
        <TextField label="Refused" error="This name is taken." defaultValue="Loupgarde" />
        <TextField label="Closed" disabled defaultValue="Loupgarde" />
      </Example>
      <Example title="Several lines">
        <TextAreaField
          label="Description"
          rows={4}
          help="Plain words."
          counter={{ used: text.length, limit: 60 }}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Example>
      <Example title="Others">
        <SelectField label="Game" help="The browser's own list." error="Choose a game.">
          <option>Minecraft</option>
          <option>Rust</option>
        </SelectField>
        <NumberField label="Days" value={days} onValueChange={setDays} min={1} max={30} help="From 1 to 30." />
        <NumberField
          label="Price"
          value={1250.5}
          onValueChange={setDays}
          format={{ style: 'currency', currency: 'EUR' }}
          error="Too much."
        />
      </Example>
    </>
  )
}
