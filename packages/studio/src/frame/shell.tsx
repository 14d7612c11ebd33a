import { Menu } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { JsonScope } from '../base/json-scope.tsx'
import { useSession } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Logo } from './logo.tsx'
import { ServiceBar } from './service-bar.tsx'
import style from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'
import { Side } from './side.tsx'

// Not part of the initial bundle, because only phones need it.
const Drawer = lazy(() => import('./drawer.tsx'))
const Palette = lazy(() => import('./palette.tsx'))
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** The layout of every page: the navigation at the side, or behind a button on phones. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const { environment } = useSession()
  const [open, setOpen] = useState(false)
  const [hasOpened, noteOpened] = useState(false)
  const [opened, show] = useShortcuts()
  const openMenu = (): void => {
    noteOpened(true)
    setOpen(true)
  }
  const search = (): void => {
    setOpen(false)
    show('palette')
  }
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  const previousLocation = useRef(location)

  useEffect(() => {
    if (previousLocation.current === location) return
    previousLocation.current = location
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [location])

  return (
    <div className={style['shell']}>
      <a href="#main" className={style['skip']}>
        Skip to content
      </a>
      <aside className={style['side']}>
        <Side onSearch={search} />
      </aside>
      <header className={style['bar']}>
        <Button variant="quiet" aria-label="Menu" icon={<Menu size={18} />} onClick={openMenu} />
        <Logo />
        <span>Trestle</span>
      </header>
      <Suspense>{hasOpened && <Drawer open={open} onOpenChange={setOpen} onSearch={search} />}</Suspense>
      <main id="main" ref={main} tabIndex={-1} className={style['main']}>
        <ServiceBar />
        {/* The state of a page, such as a half-filled form, belongs to its environment. */}
        <JsonScope key={environment.id}>{children}</JsonScope>
      </main>
      <Suspense>
        {opened === 'palette' && <Palette onClose={() => show(undefined)} />}
        {opened === 'help' && <ShortcutHelp onClose={() => show(undefined)} />}
      </Suspense>
    </div>
  )
}
