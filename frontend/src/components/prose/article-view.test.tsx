import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { expect, it } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { readArticle } from '../../../scripts/markdown-plugin'
import { ArticleView } from './article-view'

const ARTICLE = readArticle(
  '# Guide\n\n[Le profil](/profile)\n\n## Un\n\n> [!WARNING]\n> Doucement.\n\n## Deux\n\n1. Lire\n2. Faire\n\n## Trois',
)

function Where() {
  const { pathname, hash } = useLocation()
  return <output>{pathname + hash}</output>
}

async function open(): Promise<void> {
  await renderPage(
    <>
      <ArticleView article={ARTICLE} />
      <Where />
    </>,
  )
}

it('names its parts, and leads to them', async () => {
  await open()
  const contents = screen.getByRole('navigation', { name: 'Sur cette page' })
  const links = within(contents).getAllByRole('link')
  expect(links.map((link) => link.textContent)).toEqual(['Un', 'Deux', 'Trois'])
  await userEvent.setup().click(within(contents).getByRole('link', { name: 'Deux' }))
  expect(screen.getByText('/#deux')).toBeTruthy()
})

it('article names callout kinds and numbers its steps', async () => {
  await open()
  expect(within(screen.getByRole('note', { name: 'Attention' })).getByText('Doucement.')).toBeTruthy()
  const steps = screen.getByText('Lire').closest('ol')
  expect(steps?.children).toHaveLength(2)
})

it('article navigates internal links inside the app', async () => {
  await open()
  await userEvent.setup().click(screen.getByRole('link', { name: 'Le profil' }))
  expect(screen.getByText('/profile')).toBeTruthy()
})
