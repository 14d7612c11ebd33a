/** What a step returned: any JSON object. */
export type Outputs = Readonly<Record<string, unknown>>

/** What the preview of a channel is given. */
export interface PreviewProps {
  /** Kind of the step, such as `email`. */
  readonly type: string
  /** What the step returned. */
  readonly outputs: Outputs
  /** The mail with its layout and text part, where the service made one. */
  readonly mail?: Outputs | undefined
}

/**
 * Returns a member where it is a text.
 *
 * @param outputs - The object.
 * @param name - Name of the member.
 */
export function textOf(outputs: unknown, name: string): string | undefined {
  const value = memberOf(outputs, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns a member where it is an object.
 *
 * @param outputs - The object.
 * @param name - Name of the member.
 */
export function objectOf(outputs: unknown, name: string): Outputs | undefined {
  const value = memberOf(outputs, name)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Outputs) : undefined
}

/**
 * Returns a member where it is a list, else an empty one.
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
