import type { ReactElement } from 'react'
import type { InboxChannel, InboxPreference } from '../../wire/resources.ts'
import { FailureBar } from '../base/failure-bar.tsx'
import { usePreferences } from '../base/hooks.ts'
import { useInboxContext } from '../base/provider.tsx'
import { Placeholder, Skeleton } from '../list/list-state.tsx'
import { ScheduleView } from './schedule-view.tsx'
import { Switch } from './switch.tsx'

const channels: readonly InboxChannel[] = ['in_app', 'email', 'sms', 'push', 'chat']

/**
 * Shows which channels are on, globally and per workflow, and the schedule.
 *
 * @example
 * <Preferences />
 */
export function Preferences(): ReactElement {
  const { texts } = useInboxContext()
  const { items, status, preferences } = usePreferences()
  const global = items.find(({ level }) => level === 'global')
  const workflows = items.filter((item) => item !== global)
  return (
    <div className="trestle-root trestle-list">
      <section
        className="trestle-scroll"
        aria-label={texts.preferences}
        aria-busy={status === 'loading'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by the keyboard
        tabIndex={0}
      >
        {status === 'loading' && items.length === 0 && <Skeleton rows={6} />}
        {status === 'failed' && (
          <Placeholder icon="alert" title={texts.failed}>
            <button type="button" className="trestle-button" onClick={() => void preferences?.load()}>
              {texts.retry}
            </button>
          </Placeholder>
        )}
        {global && <Preference item={global} />}
        {global && <ScheduleView schedule={global.schedule} />}
        {workflows.map((item) => (
          <Preference key={item.workflow?.id} item={item} />
        ))}
      </section>
      <FailureBar />
    </div>
  )
}

function Preference({ item }: { readonly item: InboxPreference }): ReactElement {
  const { texts, failures } = useInboxContext()
  const { preferences } = usePreferences()
  const { workflow } = item
  return (
    <fieldset className="trestle-preference">
      <legend>{workflow?.name ?? texts.allWorkflows}</legend>
      {channels.map((channel) => {
        const isOn = item.channels[channel]
        if (isOn === undefined) return null
        const set = (next: boolean): void =>
          failures.run(async () => preferences?.update({ [channel]: next }, workflow?.identifier))
        return <Switch key={channel} label={texts[channel]} isOn={isOn} onChange={set} />
      })}
    </fieldset>
  )
}
