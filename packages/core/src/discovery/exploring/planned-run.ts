import type { Variation } from '../samples/variation/variation.ts'

/** A run that is still to be made. */
export interface Plan {
  readonly variation: Variation
  /** How many places differ from the base, or from the run that has last called a new step. */
  readonly layer: number
  /** The places that were changed one at a time. */
  readonly picked: readonly string[]
  /** Lower ones are run first. */
  readonly rank: number
  /** How many others of its place come before it: each place has its first turn before any has its second. */
  readonly turn?: number
  /** Whether something may be missing when it is left out. */
  readonly isNeeded: boolean
  /** How often the run that it varies has read each place. */
  readonly times: ReadonlyMap<string, number>
}

/** What the runs so far have shown. */
export interface Known {
  /** The most that each place was read, by base. */
  readonly times: Map<string, number>
  /** The places within which others were read by their names: what is compared there is one of those. */
  readonly containers: Set<string>
  /** For how many runs the items of their lists were planned to have literals together. */
  runsOnItems: number
}

/** Returns what is known before any run. */
export function toUnknown(): Known {
  return { times: new Map(), containers: new Set(), runsOnItems: 0 }
}

const order = ['base', 'diagonal', 'value', 'near', 'everywhere', 'form', 'again', 'nearAgain', 'elsewhere'] as const

/** When runs are made, by what they try: lower ones first. */
export const ranks: Readonly<Record<(typeof order)[number], number>> = Object.fromEntries(
  order.map((name, index) => [name, index]),
) as Record<(typeof order)[number], number>
