// Sets the color scheme before the first paint. A separate file, because the content security
// policy allows no inline script.
;(function () {
  let wish = 'auto'
  try {
    wish = localStorage.getItem('console-color-scheme') || 'auto'
  } catch {
    // Storage may be blocked: the system's preference applies.
  }
  const isDark = wish === 'dark' || (wish !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
