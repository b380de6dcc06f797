import { useState } from 'react'
import { NumberInput } from '@/components/ui/number-input'
import { SelectInput } from '@/components/ui/select-input'
import { TextArea, TextInput } from '@/components/ui/text-input'
import { Example } from '@/features/kit/example'

const GAMES = ['Minecraft', 'Rust'].map((label) => ({ value: label, label }))

export function Section() {
  const [days, setDays] = useState<number | null>(3)
  const [price, setPrice] = useState<number | null>(125_050)
  const [text, setText] = useState('A server for those who like to build.')
  return (
    <>
      <Example title="A line">
        <TextInput label="Name" placeholder="Loupgarde" />
        <TextInput label="With help" help="Shown in the ranking." defaultValue="Loupgarde" />
        <TextInput label="Refused" error="This name is taken." defaultValue="Loupgarde" />
        <TextInput label="Closed" disabled defaultValue="Loupgarde" />
      </Example>
      <Example title="Several lines">
        <TextArea
          label="Description"
          rows={4}
          help="Plain words."
          counter={{ text, limit: 60 }}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Example>
      <Example title="Others">
        <SelectInput label="Game" help="The browser's own list." error="Choose a game." choices={GAMES} />
        <NumberInput
          label="Days"
          value={days}
          onValueChange={setDays}
          step={1}
          min={1}
          max={30}
          help="From 1 to 30, by buttons or arrow keys."
        />
        <NumberInput
          label="Price"
          value={price}
          onValueChange={setPrice}
          unit="€"
          decimals={2}
          scale={100}
          optional
          error="Too much."
        />
        <NumberInput label="Closed" value={12} onValueChange={setDays} disabled />
      </Example>
    </>
  )
}
