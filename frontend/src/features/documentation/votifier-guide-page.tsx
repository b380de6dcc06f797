/** How to receive votes on a Minecraft server. */
import { apiOrigin } from '@/lib/config'
import { VOTIFIER_GUIDE, reading } from './articles'

const Read = reading(VOTIFIER_GUIDE)

/** Plugins identify a site by its host name. */
export const VotifierGuidePage = () => <Read words={{ host: new URL(apiOrigin).hostname }} />
