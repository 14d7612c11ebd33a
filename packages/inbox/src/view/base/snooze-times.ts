/** A time until which a message can be snoozed. */
export interface SnoozeTime {
  /** The key of its label. */
  readonly text: 'inAnHour' | 'thisEvening' | 'tomorrow' | 'nextWeek'
  readonly until: Date
}

const eveningHour = 18
const morningHour = 9
/** How many hours before the evening it is last offered. */
const eveningLeadHours = 2

/** Returns the available times, soonest first: in an hour, this evening, tomorrow morning, Monday morning. */
export function toSnoozeTimes(now: Date): readonly SnoozeTime[] {
  const at = (days: number, hour: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  // On a Sunday, tomorrow is Monday, so next week means the Monday after.
  const daysToMonday = (8 - now.getDay()) % 7 || 7
  const times: readonly SnoozeTime[] = [
    { text: 'inAnHour', until: new Date(now.getTime() + 3_600_000) },
    { text: 'thisEvening', until: at(0, eveningHour) },
    { text: 'tomorrow', until: at(1, morningHour) },
    { text: 'nextWeek', until: at(daysToMonday === 1 ? 8 : daysToMonday, morningHour) },
  ]
  const hasEvening = now.getHours() < eveningHour - eveningLeadHours
  return times.filter(({ text }) => text !== 'thisEvening' || hasEvening)
}
