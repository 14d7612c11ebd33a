import type { Variation } from '../samples/variation/variation.ts'

/** So many values of a place, on top of another, and so many forms of a text show when steps are left out. */
const [furtherValues, firstForms] = [4, 7]

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

/** What needs no more runs: which steps there are, or also which of them are conditional. */
export type Certainty = 'nothing' | 'steps' | 'conditions'

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

/**
 * Returns what tells whether a plan is worth its run.
 *
 * @param certainty - Where all steps are known, runs only show when they are left out: the values of one place do, and the first
 *   ones of two. Where that is known, too, repeated ids may still depend on data: each place has one other value.
 */
export function isOpen(certainty: Certainty): (plan: Plan) => boolean {
  if (certainty === 'nothing') return () => true
  if (certainty === 'conditions')
    return ({ rank, turn = 0, picked }) => rank < ranks.everywhere && turn === 0 && picked.length < 2
  return ({ rank, turn = 0, picked }) =>
    rank < ranks.form ? picked.length < 2 || turn < furtherValues : rank === ranks.form && turn < firstForms
}
