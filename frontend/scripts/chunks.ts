/**
 * Which files the script is cut into. Every file costs a visitor a request before anything is drawn, and compresses the
 * better the more stands in it; so what is always needed together is one file.
 */
import type { Rolldown } from 'vite'

const HOME = '/src/app/pages/home-page.tsx'
const SERVER = '/src/app/pages/server-page.tsx'
/** Rooms of the home page alone. */
const OWN = /\/src\/(app|components\/arcade|features\/(home|ranking-list))\//

const FORMS =
  /node_modules\/(react-hook-form|@hookform)\/|\/src\/components\/form\/(use-form|form|submit|error-summary|use-field|text-field|check-field|select-field)\.tsx?$/
const RULES = /node_modules\/valibot\/|\/src\/lib\/text\/rules\.ts$/
const REFUSALS = /\/src\/lib\/i18n\/refusal\.ts$/
const INPUTS = /\/src\/components\/ui\/(field|text-input|select-input|checkbox|switch)\.tsx$/
const DIALOGS = /node_modules\/@base-ui\/react\/dialog\/|\/src\/components\/ui\/dialog\.tsx$/
/** What is fetched as soon as a page is drawn, whichever it is. */
const AFTERWARDS =
  /\/src\/(lib\/routing\/write-head\.ts|app\/(navigation-effects\.tsx|use-(arrival|scroll|warm-up)\.ts|motion-preferences\.ts|shell\/(footer|hints)\.tsx)|components\/ui\/use-tooltip-target\.ts|features\/partners\/components\/footer-partners\.tsx)$/
/** Small parts that most pages are made of, save lists of servers: one request in place of ten. */
const PAGE_PARTS =
  /\/src\/(components\/(access\/access-(guard|loading)|form\/form-loading|layout\/(not-found-state|role-badge)|query\/own-panel|charts\/chart-loading|ui\/(confirm-button|copy-button|key-values|page-header|panel|share-button|tab-links|tabs))(\.module\.css|\.tsx)|entities\/((account|delivery|image|moderation|partner|payment|podium|prestige|price|profile|vote)\/keys|event\/state|price\/sale-terms)\.ts|lib\/(browser\/download|i18n\/format-month)\.ts|app\/areas\/nav-groups\.ts)$/
/** What several parts that come late need, home's among them. */
const LATE_PARTS =
  /\/src\/(components\/(arcade\/arcade-tile|ui\/progress)\.tsx|lib\/(i18n\/format-amount|routing\/scroll-history|time\/site-day)\.ts)$/
/** Charts, with what they are made of: whoever draws one is shown another further down. */
const CHARTS = /\/src\/components\/charts\/(?!chart-loading|range-switch|sparkline)/
/** What a payment is, on its receipt and in the profile. */
const PAYMENTS =
  /\/src\/features\/payments\/(model\/|api\/(payments|receipts)\.ts|components\/(payments-panel|subject-words|payments\.module))/
/** What is seen first of a profile. */
const PROFILE =
  /\/src\/(app\/pages\/profile-page\.tsx|features\/profile\/(api\/(decisions|details|warnings)\.ts|components\/details-panel\.tsx|profile-(head|tab)\.tsx))$/
/** What somebody has, below their details: on most screens all of it is near at once. */
const OWN_ROWS =
  /\/src\/(app\/pages\/purchases\.tsx|features\/(payments\/components\/receipts-panel\.tsx|profile\/components\/((servers|pass|reviews|export)-panel\.tsx|rows\.module\.css)))$/
/**
 * The style of what the home page draws a moment after its list. Not files of their own: whenever a sheet arrives that
 * has cascade layers, Chromium rebuilds its fonts and lays out the whole page anew.
 */
const LATE_STYLES = {
  shared: /\/src\/components\/(arcade\/arcade-tile|ui\/progress)\.module\.css$/,
  home: /\/src\/features\/home\/components\/(arcade-spots|competitive-banner)\.module\.css$/,
}

export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // What every page needs and what seldom changes: one file that stays in the browser's cache.
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next)\//,
    tags: ['$initial'],
  },
  // The style of what the server writes into the page, which is painted before anything else has come.
  { name: 'first-paint', test: /\/src\/styles\//, tags: ['$initial'] },
  // The rest of what every page runs.
  { name: 'app', tags: ['$initial'] },
  // What of that the first page does not run: barrels of packages lead to it from everywhere.
  { name: 'queries', test: /node_modules\/@tanstack\/(react-query|query-core)\// },
  // What visitors' first page needs and others need as well.
  { name: (id, chunking) => (LATE_STYLES.shared.test(id) || servesOthers(id, chunking) ? 'shared' : null) },
  // What that page has for itself, though a form shows some of it as a preview.
  { name: (id, chunking) => (LATE_STYLES.home.test(id) || servesHome(id, chunking) ? 'home' : null) },
  { name: 'late-parts', test: LATE_PARTS },
  // What asks for rows: not needed where the server has written them into the page.
  { name: 'rows', test: /node_modules\/(@supabase\/postgrest-js|tslib)\/|\/src\/lib\/api\/rows-client\.ts$/ },
  { name: 'supabase', test: /node_modules\/@supabase\/auth-js\/|\/src\/lib\/api\/supabase\.ts$/ },
  { name: 'page-parts', test: PAGE_PARTS },
  // What forms are made of, and others too: a group takes along what its modules import and no earlier group took.
  { name: 'refusals', test: REFUSALS },
  { name: 'rules', test: RULES },
  { name: 'inputs', test: INPUTS },
  { name: 'forms', test: FORMS },
  { name: 'dialogs', test: DIALOGS },
  // What every page runs a moment after it is drawn: one request for all of it.
  { name: 'afterwards', test: AFTERWARDS },
  { name: 'payments', test: PAYMENTS },
  { name: 'charts', test: CHARTS },
  // What servers' pages and profiles need of reviews: one file less for both.
  { name: 'reviews', test: /\/src\/(entities\/review\/|lib\/i18n\/format-relative\.ts)/ },
  // What a server's page needs and those who edit it need as well.
  {
    name: 'server',
    test: /\/src\/(entities\/server\/(accent|address|neighbours|video)\.ts|lib\/text\/(uuid|web-address)\.ts|components\/ui\/sentence\.tsx|app\/pages\/tag-proposals\.tsx)$/,
  },
  { name: 'own-servers', test: /\/src\/entities\/(prestige\/dialog|server\/(admin-dialog|own|visibility))\.ts$/ },
  { name: 'profile', test: PROFILE },
  { name: 'own-rows', test: OWN_ROWS },
]

/** All modules that lead to this one, with itself. */
function usersOf(id: string, chunking: Rolldown.ChunkingContext): string[] {
  const above = new Set([id])
  // What is added while it is walked is walked as well.
  for (const module of above)
    for (const importer of chunking.getModuleInfo(module)?.importers ?? []) above.add(importer)
  return [...above]
}

function servesHome(id: string, chunking: Rolldown.ChunkingContext): boolean {
  return usersOf(id, chunking).some((user) => user.endsWith(HOME))
}

function servesOthers(id: string, chunking: Rolldown.ChunkingContext): boolean {
  const users = usersOf(id, chunking)
  const serves = (page: string) => users.some((user) => user.endsWith(page))
  return serves(HOME) && (serves(SERVER) || !OWN.test(id))
}
