// Sets the colour scheme before the first paint. A file of its own, because the content security policy allows no
// script inside the page.
;(function () {
  let wish = 'auto'
  try {
    wish = localStorage.getItem('console-color-scheme') || 'auto'
  } catch {
    // Storage may be blocked: the system's wish counts.
  }
  const isDark = wish === 'dark' || (wish !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
