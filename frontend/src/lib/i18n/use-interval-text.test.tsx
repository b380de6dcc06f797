import { cleanup } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPage } from '@/testing/render-page'
import type { Language } from './languages'
import { useIntervalText } from './use-interval-text'

afterEach(cleanup)

function Said({ seconds }: { seconds: number }) {
  return <p>{useIntervalText(seconds)}</p>
}

it.each<[number, Language, string]>([
  [7200, 'fr', 'toutes les 2 heures'],
  [3600, 'fr', 'toutes les heures'],
  [86_400, 'fr', 'tous les jours'],
  [172_800, 'fr', 'tous les 2 jours'],
  [5400, 'fr', 'toutes les 90 minutes'],
  [45, 'fr', 'toutes les 45 secondes'],
  [7200, 'en', 'every 2 hours'],
  [3600, 'en', 'every hour'],
  [86_400, 'en', 'every day'],
  [86_400, 'es', 'cada día'],
  [1800, 'es', 'cada 30 minutos'],
])('says %i seconds in %s as “%s”', async (seconds, language, words) => {
  const { container } = await renderPage(<Said seconds={seconds} />, { language })
  expect(container.textContent).toBe(words)
})
