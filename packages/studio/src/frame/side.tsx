import { Monitor, Moon, Search, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useSession } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/select-field.tsx'
import { Segments } from '../ui/segments.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BridgeLine } from './bridge-line.tsx'
import { Logo } from './logo.tsx'
import { navigationOf } from './nav.tsx'
import { commandKey } from './shortcuts.ts'
import style from './side.module.css'
import { useTheme } from './theme.ts'

export interface SideProps {
  /** Called when a link is followed. */
  onNavigate?(): void
  /** Opens the search. */
  onSearch(): void
}

/** Shows the navigation, the environment, the bridge status and the theme. */
export function Side({ onNavigate, onSearch }: SideProps): ReactNode {
  const { environment, environments, choose, leave } = useSession()
  const [theme, setTheme] = useTheme()
  return (
    <div className={style['side']}>
      <Link to="/" className={style['brand'] ?? ''} onClick={() => onNavigate?.()}>
        <Logo />
        <span>Trestle</span>
      </Link>
      {environments.length > 1 ? (
        <SelectField
          label="Environment"
          hideLabel
          value={environment.name}
          options={environments.map(({ name }) => ({ value: name, text: name }))}
          onChange={choose}
        />
      ) : (
        <p className={style['environment']}>{environment.name}</p>
      )}
      <button type="button" className={style['search']} onClick={onSearch}>
        <Search size={15} aria-hidden />
        Search
        <kbd aria-hidden>{commandKey} K</kbd>
      </button>
      <Navigation onNavigate={onNavigate} />
      <div className={style['foot']}>
        <BridgeLine />
        <AccountMenu onNavigate={onNavigate} />
        {leave && (
          <Button small variant="quiet" onClick={leave}>
            Use a different key
          </Button>
        )}
        <Segments
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'light', text: <Sun size={14} />, label: 'Light' },
            { value: 'system', text: <Monitor size={14} />, label: 'Same as system' },
            { value: 'dark', text: <Moon size={14} />, label: 'Dark' },
          ]}
        />
      </div>
    </div>
  )
}

function Navigation({ onNavigate }: { readonly onNavigate: (() => void) | undefined }): ReactNode {
  const [location] = useLocation()
  const session = useSession()
  const nav = useRef<HTMLElement>(null)
  // On a low screen, the list of pages scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry depends on the location
  useEffect(() => {
    const list = nav.current
    const entry = list?.querySelector('[aria-current]')?.getBoundingClientRect()
    if (!list || !entry) return
    const { top, bottom } = list.getBoundingClientRect()
    // Not with scrollIntoView, after which Tab continues from the entry.
    if (entry.top < top || entry.bottom > bottom) list.scrollTop += (entry.top + entry.bottom - top - bottom) / 2
  }, [location])
  return (
    <nav ref={nav} aria-label="Main" className={style['nav']}>
      {navigationOf(session).map(({ title, entries }) => (
        <div key={title ?? ''} className={style['group']}>
          {title !== undefined && <p className={style['heading']}>{title}</p>}
          <ul>
            {entries.map(({ to, text, icon: Icon }) => {
              const here = to === '/' ? location === '/' : location === to || location.startsWith(`${to}/`)
              return (
                <li key={to}>
                  <Link
                    to={to}
                    className={style['entry'] ?? ''}
                    aria-current={here ? 'page' : undefined}
                    onClick={onNavigate}
                  >
                    <Icon size={16} aria-hidden />
                    {text}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}
