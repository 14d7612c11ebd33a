/** Control values by name. */
export type ControlValues = Readonly<Record<string, unknown>>

/** A value that differs between two versions. */
export interface ControlChange {
  /** The name of the control. */
  readonly name: string
  /** The earlier value as text; undefined if it had none. */
  readonly before: string | undefined
  /** The later value as text; undefined if it has none. */
  readonly after: string | undefined
}

/** Returns the differences between two versions of control values. */
export function findChanges(before: ControlValues, after: ControlValues): readonly ControlChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .map((name) => ({ name, before: toText(before, name), after: toText(after, name) }))
    .filter((change) => change.before !== change.after)
}

/**
 * Returns the values to save. A default that was never saved is omitted, so that it follows the code.
 *
 * @param values - The values in the form, which include the defaults.
 */
export function toSaved(
  values: ControlValues,
  { stored, defaults }: { readonly stored: ControlValues; readonly defaults: ControlValues },
): ControlValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => Object.hasOwn(stored, name) || JSON.stringify(value) !== JSON.stringify(defaults[name]),
    ),
  )
}

function toText(values: ControlValues, name: string): string | undefined {
  if (!Object.hasOwn(values, name)) return undefined
  const value = values[name]
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
