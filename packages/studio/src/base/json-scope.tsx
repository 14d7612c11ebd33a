import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from 'react'

interface Scope {
  /** The number of editors whose text is not JSON. */
  readonly invalid: number
  change(by: 1 | -1): void
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** A page or dialog: while the text of one of its JSON editors is invalid, its buttons do not send the values. */
export function JsonScope({ children }: { readonly children: ReactNode }): ReactNode {
  const [invalid, setInvalid] = useState(0)
  const scope = useMemo<Scope>(() => ({ invalid, change: (by) => setInvalid((before) => before + by) }), [invalid])
  return <ScopeContext value={scope}>{children}</ScopeContext>
}

/** Reports whether the text of an editor is invalid, which means that its value is that of an earlier text. */
export function useInvalidText(isInvalid: boolean): void {
  const change = use(ScopeContext)?.change
  const report = useEffectEvent((by: 1 | -1) => change?.(by))
  useEffect(() => {
    if (!isInvalid) return
    report(1)
    return () => report(-1)
  }, [isInvalid])
}

/** Returns why values of the page or dialog cannot be sent; undefined if they can. */
export function useUnsendable(): string | undefined {
  return use(ScopeContext)?.invalid ? 'Correct the invalid JSON first' : undefined
}
