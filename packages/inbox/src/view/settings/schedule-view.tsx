import { type ReactElement, useState } from 'react'
import type { InboxSchedule, ScheduleDay, Weekday } from '../../wire/resources.ts'
import { usePreferences } from '../base/hooks.ts'
import { useInboxContext } from '../base/provider.tsx'
import { Switch } from './switch.tsx'
import { toClock } from './to-clock.ts'

const weekdays: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const workday: ScheduleDay = { isEnabled: true, hours: [{ start: '09:00', end: '17:00' }] }
const off: ScheduleDay = { isEnabled: false }
/** A day without hours: a range that ends at its start ends on the next day. */
const wholeDay = { start: '00:00', end: '00:00' }
/** The default schedule. */
const workweek: NonNullable<InboxSchedule['weeklySchedule']> = Object.fromEntries(
  weekdays.map((day, index) => [day, index < 5 ? workday : off]),
)
const firstDay = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

/** Shows the hours in which a subscriber can receive notifications, by day. */
export function ScheduleView({ schedule }: { readonly schedule: InboxSchedule | undefined }): ReactElement {
  const { texts, locale, failures } = useInboxContext()
  const { preferences } = usePreferences()
  const { isEnabled = false, weeklySchedule = workweek } = schedule ?? {}
  const names = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  // Another device may have changed the schedule since it was displayed.
  const save = (change: (current: InboxSchedule) => InboxSchedule): void =>
    failures.run(async () =>
      preferences?.updateSchedule((current) => change({ isEnabled, weeklySchedule: workweek, ...current })),
    )
  return (
    <fieldset className="trestle-preference">
      <legend>{texts.schedule}</legend>
      <p className="trestle-hint">{texts.scheduleHint}</p>
      <Switch
        label={texts.useSchedule}
        isOn={isEnabled}
        onChange={(isOn) => save((current) => ({ ...current, isEnabled: isOn }))}
      />
      {isEnabled &&
        weekdays.map((day, index) => (
          <Day
            key={day}
            name={names.format(firstDay + index * dayMs)}
            day={weeklySchedule[day] ?? off}
            onChange={(next) =>
              save((current) => ({ ...current, weeklySchedule: { ...current.weeklySchedule, [day]: next } }))
            }
          />
        ))}
    </fieldset>
  )
}

interface DayProps {
  readonly name: string
  readonly day: ScheduleDay
  onChange(day: ScheduleDay): void
}

/** Shows a day with its first range of hours; its other ranges are kept. */
function Day({ name, day, onChange }: DayProps): ReactElement {
  const { texts } = useInboxContext()
  const { isEnabled, hours = [] } = day
  const [range = wholeDay, ...others] = hours
  return (
    <div className="trestle-day">
      <Switch
        label={name}
        isOn={isEnabled}
        onChange={(isOn) => onChange(isOn && hours.length === 0 ? workday : { ...day, isEnabled: isOn })}
      />
      {isEnabled && (
        <span className="trestle-hours">
          {(['start', 'end'] as const).map((side) => (
            <TimeInput
              key={side}
              label={`${name}: ${side === 'start' ? texts.from : texts.to}`}
              time={toClock(range[side])}
              onChange={(time) => onChange({ isEnabled, hours: [{ ...range, [side]: time }, ...others] })}
            />
          ))}
        </span>
      )}
    </div>
  )
}

interface TimeInputProps {
  readonly label: string
  readonly time: string
  onChange(time: string): void
}

/** Shows the saved time, or the entered one while the input has focus. */
function TimeInput({ label, time, onChange }: TimeInputProps): ReactElement {
  const [entered, setEntered] = useState<string>()
  return (
    <input
      type="time"
      aria-label={label}
      value={entered ?? time}
      onInput={({ currentTarget }) => setEntered(currentTarget.value)}
      onBlur={({ currentTarget: { value } }) => {
        setEntered(undefined)
        if (value !== '' && value !== time) onChange(value)
      }}
    />
  )
}
