import { useEffect, useState } from 'react'
import { readStored, store } from '../session/storage.ts'

/** The theme; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

/** Returns the selected theme, and a function that changes it. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const stored = readStored('trestle.theme')
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  })
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  const choose = (next: Theme): void => {
    store('trestle.theme', next === 'system' ? undefined : next)
    setTheme(next)
  }
  return [theme, choose]
}
