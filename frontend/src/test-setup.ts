import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Nothing here is about time: what is waited for comes when it comes.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)
