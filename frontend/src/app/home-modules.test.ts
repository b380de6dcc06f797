/**
 * All modules that are fetched before the home page is drawn. Every addition makes each first visit
 * slower: load it lazily (`lazyComponent`, `Near`), or update the list: `npx vitest run
 * src/app/home-modules.test.ts --update`
 */
import { expect, test } from 'vitest'
import { cameWith } from '@/testing/static-imports'
import { moduleOf } from './page-modules'

test('home page modules match the snapshot', async () => {
  const modules = cameWith(`/${moduleOf('home').path}`, cameWith('/src/app/main.tsx'))
  await expect(`${[...modules].toSorted().join('\n')}\n`).toMatchFileSnapshot('./home-modules.txt')
})
