/** Which server Prestige is being bought for: asked for wherever owners see theirs, drawn by the feature. */
import { createStore, useStore } from './store'

export interface PrestigeTarget {
  id: string
  /** As it is shown. */
  name: string
}

const target = createStore<PrestigeTarget | null>(null)

export function openPrestigeDialog(server: PrestigeTarget): void {
  target.set(server)
}

export function closePrestigeDialog(): void {
  target.set(null)
}

export function usePrestigeDialog(): PrestigeTarget | null {
  return useStore(target)
}
