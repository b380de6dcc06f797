/** Made by `scripts/page-modules-plugin.ts`. */
declare module 'virtual:pages/*' {
  export const pages: import('./page-part').Pages
}
