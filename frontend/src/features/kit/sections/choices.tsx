import { useState } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { Combobox, type ComboboxOption } from '@/components/ui/combobox'
import { RadioCards } from '@/components/ui/radio-cards'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import { Example } from '@/features/kit/example'

const GAMES = ['Minecraft', 'Rust', 'Dofus', 'World of Warcraft', 'DayZ'].map((label) => ({ value: label, label }))
const REASONS = [
  { value: 'spam', label: 'Spam', help: 'Advertising, or the same text again and again.' },
  { value: 'fake', label: 'Not what it says', help: 'Another game, a copied picture, players who are not there.' },
  { value: 'closed', label: 'Closed', disabled: true },
] as const

export function Section() {
  const [on, setOn] = useState(true)
  const [game, setGame] = useState('Rust')
  const [reason, setReason] = useState<(typeof REASONS)[number]['value']>('spam')
  const [found, setFound] = useState<ComboboxOption | null>(null)
  const [typed, setTyped] = useState('')
  const fitting = GAMES.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  return (
    <>
      <Example title="Switch">
        <Switch
          label="Shown in the ranking"
          help="Hidden servers keep their votes."
          checked={on}
          onCheckedChange={setOn}
        />
        <Switch label="Off" checked={!on} onCheckedChange={(checked) => setOn(!checked)} />
        <Switch label="Not to be changed" checked disabled onCheckedChange={setOn} />
      </Example>
      <Example title="Checkbox">
        <Checkbox label="Post without my name" defaultChecked />
        <Checkbox label="Some of them" mixed />
        <Checkbox label="Not yours to say" disabled />
      </Example>
      <Example title="Radio cards">
        <RadioCards label="Why?" value={reason} onValueChange={setReason} choices={REASONS} />
        <RadioCards
          label="With a refusal"
          value={null}
          onValueChange={setReason}
          choices={REASONS.slice(0, 2)}
          error="Choose a reason."
        />
      </Example>
      <Example title="Select">
        <Select label="Game" icon="games" value={game} onValueChange={setGame} options={GAMES} />
        <Select label="Closed" disabled value={game} onValueChange={setGame} options={GAMES} />
      </Example>
      <Example title="Combobox">
        <Combobox
          label="Find a game"
          help="Type some letters."
          value={found}
          onValueChange={setFound}
          options={fitting}
          onSearch={setTyped}
        />
        <Combobox
          label="Loading"
          value={null}
          onValueChange={setFound}
          options={[]}
          onSearch={setTyped}
          state="loading"
        />
        <Combobox
          label="Failed"
          value={null}
          onValueChange={setFound}
          options={[]}
          onSearch={setTyped}
          state="failed"
          error="Choose a game."
        />
      </Example>
    </>
  )
}
