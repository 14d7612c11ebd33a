import type { ReactElement } from 'react'
import type { InboxChannel, InboxPreference } from '../wire/resources.ts'
import { usePreferences } from './hooks.ts'
import { useInboxContext } from './provider.tsx'

const channels: readonly InboxChannel[] = ['in_app', 'email', 'sms', 'push', 'chat']

/**
 * Shows which channels are on, for all workflows and for each.
 *
 * @example
 * <Preferences />
 */
export function Preferences(): ReactElement {
  const { texts } = useInboxContext()
  const { items, status, preferences } = usePreferences()
  const set = (item: InboxPreference, channel: InboxChannel, isOn: boolean): void => {
    preferences?.update({ [channel]: isOn }, item.workflow?.identifier).catch(() => undefined)
  }
  return (
    <section className="trestle-scroll" aria-label={texts.preferences} aria-busy={status === 'loading'}>
      {status === 'failed' && <p className="trestle-notice">{texts.failed}</p>}
      {items.map((item) => (
        <fieldset
          className="trestle-preference"
          key={item.workflow?.id ?? ''}
          disabled={item.workflow?.critical === true}
        >
          <legend>{item.workflow?.name ?? texts.allWorkflows}</legend>
          {channels.map((channel) => {
            const isOn = item.channels[channel]
            if (isOn === undefined) return null
            return (
              <label key={channel} className="trestle-channel">
                <input type="checkbox" checked={isOn} onChange={({ target }) => set(item, channel, target.checked)} />
                {texts[channel]}
              </label>
            )
          })}
        </fieldset>
      ))}
    </section>
  )
}
