// Runs before the first paint, so that a chosen theme never flashes as the other one.
try {
  const theme = localStorage.getItem('trestle.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser that forbids storage shows the theme of the system.
}
