/** How to have votes sent to a Minecraft server. */
import { VOTIFIER_GUIDE, reading } from './articles'

export const VotifierGuidePage = reading(VOTIFIER_GUIDE)
