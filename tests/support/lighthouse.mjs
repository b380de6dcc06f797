// Google's own measure of a page, on a browser that runs already.
export { default as lighthouse } from 'lighthouse'
