import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPage } from '@/testing/render-page'
import { CodeBlock, CodeTabs } from './code-block'

const user = userEvent.setup()

it('renders markup in code as text', async () => {
  const code = 'const page = "<script>alert(1)</script>" // &amp;'
  const { container } = await renderPage(<CodeBlock label="Exemple" code={code} />)
  expect(screen.getByRole('region', { name: 'Exemple' }).textContent).toBe(code)
  expect(container.querySelector('script')).toBeNull()
})

it('copies the version that is seen', async () => {
  await renderPage(
    <CodeTabs
      label="Exemple"
      versions={[
        { language: 'curl', code: 'curl https://palmares.test' },
        { language: 'PHP', code: '<?php echo 1;' },
      ]}
    />,
  )
  await user.click(screen.getByRole('radio', { name: 'PHP' }))
  expect(screen.getByRole('region', { name: 'Exemple (PHP)' }).textContent).toBe('<?php echo 1;')
  await user.click(screen.getByRole('button', { name: 'Copier' }))
  expect(await navigator.clipboard.readText()).toBe('<?php echo 1;')
})
