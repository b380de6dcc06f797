/** Types the keys of the texts. Written by scripts/check-locales.mjs; not to be edited. */
import 'i18next'
import type advice from '../../locales/en/advice.json'
import type api from '../../locales/en/api.json'
import type audit from '../../locales/en/audit.json'
import type authentication from '../../locales/en/authentication.json'
import type backups from '../../locales/en/backups.json'
import type files from '../../locales/en/files.json'
import type functions from '../../locales/en/functions.json'
import type integrations from '../../locales/en/integrations.json'
import type login from '../../locales/en/login.json'
import type logs from '../../locales/en/logs.json'
import type operators from '../../locales/en/operators.json'
import type overview from '../../locales/en/overview.json'
import type realtime from '../../locales/en/realtime.json'
import type settings from '../../locales/en/settings.json'
import type shared from '../../locales/en/shared.json'
import type shell from '../../locales/en/shell.json'
import type sql from '../../locales/en/sql.json'
import type tables from '../../locales/en/tables.json'
import type users from '../../locales/en/users.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: false
    resources: {
      advice: typeof advice
      api: typeof api
      audit: typeof audit
      authentication: typeof authentication
      backups: typeof backups
      files: typeof files
      functions: typeof functions
      integrations: typeof integrations
      login: typeof login
      logs: typeof logs
      operators: typeof operators
      overview: typeof overview
      realtime: typeof realtime
      settings: typeof settings
      shared: typeof shared
      shell: typeof shell
      sql: typeof sql
      tables: typeof tables
      users: typeof users
    }
  }
}
