import { type ReactElement, useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'
import { useInboxContext } from './provider.tsx'

const none = (): undefined => undefined

/** Shows that a change failed, announces it to screen readers, and offers a retry. */
export function FailureBar(): ReactElement {
  const { texts, failures } = useInboxContext()
  const failure = useSyncExternalStore(failures.subscribe, failures.getSnapshot, none)
  return (
    // Rendered before it has text, because screen readers announce changes.
    <div role="alert" className="trestle-failure" hidden={!failure}>
      {failure && (
        <>
          <Icon name="alert" />
          <span className="trestle-grow">{texts.changeFailed}</span>
          <button type="button" className="trestle-button" onClick={failure.retry}>
            {texts.retry}
          </button>
          <button type="button" className="trestle-tool" aria-label={texts.dismiss} onClick={failures.dismiss}>
            <Icon name="close" size={16} />
          </button>
        </>
      )}
    </div>
  )
}
