const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/**
 * Refuses an id that the service, a URL or a template could not carry.
 *
 * @param what - `workflow` or `step`, for the message.
 * @param id - The id as the user wrote it.
 * @throws TypeError - The id is not a string of 1 to 128 letters, digits, `.`, `_`, `-`, starting with a letter or digit.
 */
export function checkId(what: 'workflow' | 'step', id: unknown): asserts id is string {
  if (typeof id === 'string' && idPattern.test(id)) return
  const shown = typeof id === 'string' ? JSON.stringify(id) : `a value of type ${typeof id}`
  throw new TypeError(
    `The id of a ${what} must be 1 to 128 letters, digits, ".", "_" or "-", starting with a letter or digit; got ${shown}.`,
  )
}
