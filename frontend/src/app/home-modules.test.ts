/**
 * All that is fetched before the home page is drawn. What is added to the list below makes every first visit slower: let it
 * be fetched when it is wanted (`lazyComponent`, `Near`), or write it down:
 * `npx vitest run src/app/home-modules.test.ts --update`
 */
import { expect, test } from 'vitest'
import { cameWith } from '@/testing/static-imports'
import { moduleOf } from './page-modules'

test('the home page comes with the modules that are written down', async () => {
  const modules = cameWith(`/${moduleOf('home').path}`, cameWith('/src/app/main.tsx'))
  await expect(`${[...modules].toSorted().join('\n')}\n`).toMatchFileSnapshot('./home-modules.txt')
})
