import '@fontsource-variable/geist/wght.css'
import '@fontsource-variable/geist-mono/wght.css'
import '@mantine/core/styles.layer.css'
import '@/app/base.css'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/app'
import { startTexts } from '@/i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await startTexts()
createRoot(root).render(<App />)
