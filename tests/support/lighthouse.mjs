// Google's Lighthouse, which audits a page in a running browser.
export { default as lighthouse } from 'lighthouse'
