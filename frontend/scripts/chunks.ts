/**
 * The chunks into which the script is split. Every chunk costs a request before the first paint,
 * and larger chunks compress better; so modules that are always needed together share one chunk.
 */
import type { Rolldown } from 'vite'

const HOME = '/src/app/pages/home-page.tsx'
const SERVER = '/src/app/pages/server-page.tsx'
/** Folders that only the home page uses. */
const HOME_FOLDERS = /\/src\/(app|components\/arcade|features\/(home|ranking-list))\//

const FORMS =
  /node_modules\/(react-hook-form|@hookform)\/|\/src\/components\/form\/(use-form|form|submit|error-summary|use-field|text-field|check-field|select-field)\.tsx?$/
const RULES = /node_modules\/valibot\/|\/src\/lib\/text\/rules\.ts$/
const REFUSALS = /\/src\/lib\/i18n\/refusal\.ts$/
const INPUTS = /\/src\/components\/ui\/(field|text-input|select-input|checkbox|switch)\.tsx$/
const DIALOGS = /node_modules\/@base-ui\/react\/dialog\/|\/src\/components\/ui\/dialog\.tsx$/
/** Modules that every page fetches right after it is drawn. */
const AFTERWARDS =
  /\/src\/(lib\/routing\/write-head\.ts|app\/(navigation-effects\.tsx|use-(arrival|scroll|warm-up)\.ts|motion-preferences\.ts|shell\/(footer|hints)\.tsx)|components\/ui\/use-tooltip-target\.ts|features\/partners\/components\/footer-partners\.tsx)$/
/** Small components that most pages use, except lists of servers: one request instead of ten. */
const PAGE_PARTS =
  /\/src\/(components\/(access\/access-(guard|loading)|form\/form-loading|layout\/(not-found-state|role-badge)|query\/own-panel|charts\/chart-loading|ui\/(confirm-button|copy-button|key-values|page-header|panel|share-button|tab-links|tabs))(\.module\.css|\.tsx)|entities\/((account|delivery|image|moderation|partner|payment|podium|prestige|price|profile|vote)\/keys|event\/state|price\/sale-terms)\.ts|lib\/(browser\/download|i18n\/format-month)\.ts|app\/areas\/nav-groups\.ts)$/
/** Modules that several lazily loaded components need, including those of the home page. */
const LATE_PARTS =
  /\/src\/(components\/(arcade\/arcade-tile|ui\/progress)\.tsx|lib\/(i18n\/format-amount|routing\/scroll-history|time\/site-day)\.ts)$/
/** Charts and the modules they are made of: a page with one chart shows others further down. */
const CHARTS = /\/src\/components\/charts\/(?!chart-loading|range-switch|sparkline)/
/** Modules that describe a payment, used by the receipt and the profile. */
const PAYMENTS =
  /\/src\/features\/payments\/(model\/|api\/(payments|receipts)\.ts|components\/(payments-panel|subject-words|payments\.module))/
/** The first screen of a profile. */
const PROFILE =
  /\/src\/(app\/pages\/profile-page\.tsx|features\/profile\/(api\/(decisions|details|warnings)\.ts|components\/details-panel\.tsx|profile-(head|tab)\.tsx))$/
/** The lists below the details of a profile: most screens show all of them soon. */
const PROFILE_LISTS =
  /\/src\/(app\/pages\/purchases\.tsx|features\/(payments\/components\/receipts-panel\.tsx|profile\/components\/((servers|pass|reviews|export)-panel\.tsx|rows\.module\.css)))$/
/**
 * Styles of the parts that the home page draws shortly after its list. They are not files of their
 * own, because Chromium rebuilds its fonts and lays out the whole page whenever a sheet with
 * cascade layers arrives.
 */
const LATE_STYLES = {
  shared: /\/src\/components\/(arcade\/arcade-tile|ui\/progress)\.module\.css$/,
  home: /\/src\/features\/home\/components\/(arcade-spots|competitive-banner)\.module\.css$/,
}

export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // Packages that every page needs and that seldom change: one file that stays in the browser's
  // cache.
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next)\//,
    tags: ['$initial'],
  },
  // Styles of the HTML that the server writes, which is painted before any other file has arrived.
  { name: 'first-paint', test: /\/src\/styles\//, tags: ['$initial'] },
  // The other modules that every page runs.
  { name: 'app', tags: ['$initial'] },
  // Packages that the first page does not run, although barrel files of other packages import them.
  { name: 'queries', test: /node_modules\/@tanstack\/(react-query|query-core)\// },
  // Modules that visitors' first page shares with other pages.
  { name: (id, chunking) => (LATE_STYLES.shared.test(id) || servesOthers(id, chunking) ? 'shared' : null) },
  // Modules of the home page alone, though a form shows some of them as a preview.
  { name: (id, chunking) => (LATE_STYLES.home.test(id) || servesHome(id, chunking) ? 'home' : null) },
  { name: 'late-parts', test: LATE_PARTS },
  // Modules that query rows: not needed where the server has written the rows into the page.
  { name: 'rows', test: /node_modules\/(@supabase\/postgrest-js|tslib)\/|\/src\/lib\/api\/rows-client\.ts$/ },
  { name: 'supabase', test: /node_modules\/@supabase\/auth-js\/|\/src\/lib\/api\/supabase\.ts$/ },
  { name: 'page-parts', test: PAGE_PARTS },
  // Modules that forms share with other pages: a chunk also takes the modules that its own modules
  // import, unless an earlier chunk has taken them.
  { name: 'refusals', test: REFUSALS },
  { name: 'rules', test: RULES },
  { name: 'inputs', test: INPUTS },
  { name: 'forms', test: FORMS },
  { name: 'dialogs', test: DIALOGS },
  // Modules that every page runs shortly after it is drawn: one request for all of them.
  { name: 'afterwards', test: AFTERWARDS },
  { name: 'payments', test: PAYMENTS },
  { name: 'charts', test: CHARTS },
  // Modules for reviews, which server pages and profiles share: one file less for both.
  { name: 'reviews', test: /\/src\/(entities\/review\/|lib\/i18n\/format-relative\.ts)/ },
  // Modules that a server's page shares with the forms that edit a server.
  {
    name: 'server',
    test: /\/src\/(entities\/server\/(accent|address|neighbours|video)\.ts|lib\/text\/(uuid|web-address)\.ts|components\/ui\/sentence\.tsx|app\/pages\/tag-proposals\.tsx)$/,
  },
  { name: 'own-servers', test: /\/src\/entities\/(prestige\/dialog|server\/(admin-dialog|own|visibility))\.ts$/ },
  { name: 'profile', test: PROFILE },
  { name: 'own-rows', test: PROFILE_LISTS },
]

/** The module itself and all modules that import it, directly or not. */
function usersOf(id: string, chunking: Rolldown.ChunkingContext): string[] {
  const users = new Set([id])
  // A Set visits the entries that are added during the iteration, too.
  for (const module of users)
    for (const importer of chunking.getModuleInfo(module)?.importers ?? []) users.add(importer)
  return [...users]
}

function servesHome(id: string, chunking: Rolldown.ChunkingContext): boolean {
  return usersOf(id, chunking).some((user) => user.endsWith(HOME))
}

function servesOthers(id: string, chunking: Rolldown.ChunkingContext): boolean {
  const users = usersOf(id, chunking)
  const serves = (page: string) => users.some((user) => user.endsWith(page))
  return serves(HOME) && (serves(SERVER) || !HOME_FOLDERS.test(id))
}
