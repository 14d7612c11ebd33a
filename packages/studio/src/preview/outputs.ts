import { isObject } from '@trestle/protocol'
/** The outputs of a step: any JSON object. */
export type Outputs = Readonly<Record<string, unknown>>

export interface PreviewProps {
  /** The type of the step, such as `email`. */
  readonly type: string
  /** The outputs that the step returned. */
  readonly outputs: Outputs
  /** The email with its layout and text part, if the service rendered it. */
  readonly mail?: Outputs | undefined
}

/**
 * Returns a member if it is a string.
 *
 * @param outputs - The object.
 * @param name - Name of the member.
 */
export function textOf(outputs: unknown, name: string): string | undefined {
  const value = memberOf(outputs, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns a member if it is an object.
 *
 * @param outputs - The object.
 * @param name - Name of the member.
 */
export function objectOf(outputs: unknown, name: string): Outputs | undefined {
  const value = memberOf(outputs, name)
  return isObject(value) ? value : undefined
}

/**
 * Returns a member if it is a list, else an empty list.
 *
 * @param outputs - The object.
 * @param name - Name of the member.
 */
export function listOf(outputs: unknown, name: string): readonly unknown[] {
  const value = memberOf(outputs, name)
  return Array.isArray(value) ? value : []
}

function memberOf(outputs: unknown, name: string): unknown {
  return typeof outputs === 'object' && outputs !== null ? (outputs as Outputs)[name] : undefined
}
