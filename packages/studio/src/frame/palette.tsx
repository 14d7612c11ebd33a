import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { ApiFailure } from '../api/api-failure.ts'
import type { SearchResults } from '../api/generated/resources.ts'
import { useBridge } from '../session/bridge.ts'
import { useRead } from '../session/queries.ts'
import { useSession } from '../session/session.tsx'
import dialog from '../ui/overlay/dialog.module.css'
import { navigationOf } from './nav.tsx'
import style from './palette.module.css'
import { findItems, type PaletteGroup, type PaletteItem } from './palette-items.ts'

const typingMs = 150

/** Searches pages, workflows, subscribers, topics, runs and error codes, and opens them. */
export default function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const { groups, failure } = useItems(typed)
  const pick = ({ to }: PaletteItem): void => {
    onClose()
    navigate(to)
  }
  return (
    <Dialog.Root open onOpenChange={(open: boolean) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={style['palette']} aria-label="Search everything">
          <Autocomplete.Root
            inline
            open
            items={groups}
            mode="none"
            autoHighlight="always"
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={({ text }: PaletteItem) => text}
          >
            <div className={style['head']}>
              <Search size={16} aria-hidden />
              <Autocomplete.Input
                className={style['input']}
                placeholder="Search workflows, subscribers, topics, runs, errors"
                aria-label="Search everything"
                maxLength={200}
              />
            </div>
            <NothingFound failure={failure} />
            <Autocomplete.List className={style['list']}>
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.title} items={group.items} className={style['group']}>
                  <Autocomplete.GroupLabel className={style['title']}>{group.title}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item
                        key={item.to}
                        value={item}
                        className={style['item']}
                        onClick={() => pick(item)}
                      >
                        <span>{item.text}</span>
                        {item.hint !== undefined && <span className={style['hint']}>{item.hint}</span>}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function NothingFound({ failure }: Pick<Found, 'failure'>): ReactNode {
  if (!failure) return <Autocomplete.Empty className={style['empty']}>Nothing found</Autocomplete.Empty>
  return (
    <p role="alert" className={style['empty']}>
      The service could not be searched: {failure.message}
    </p>
  )
}

interface Found {
  readonly groups: readonly PaletteGroup[]
  /** Why the service could not be searched. */
  readonly failure: ApiFailure | null
}

/** The service is queried after a short pause in typing. */
function useItems(typed: string): Found {
  const bridge = useBridge()
  const session = useSession()
  const [sought, seek] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => seek(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const results = useRead<SearchResults>('/v1/studio/search', {
    query: { q: sought },
    enabled: sought !== '',
    keep: true,
  })
  const groups = findItems(typed, {
    navigation: navigationOf(session),
    workflows: bridge.data?.workflows ?? [],
    results: sought === '' ? undefined : results.data,
  })
  return { groups, failure: results.error }
}
