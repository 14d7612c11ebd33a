const maxLength = 255

/**
 * Rejects an id that the service does not support.
 *
 * @param what - What the id identifies, for the error message.
 * @param id - The id, as entered by the user.
 * @throws TypeError - The id is not a string of 1 to 255 characters without control characters and unpaired surrogates.
 * @source bridge-protocol.md#running-a-step
 */
export function checkId(what: 'workflow' | 'step' | 'agent', id: unknown): asserts id is string {
  if (typeof id === 'string' && isId(id)) return
  const idText = typeof id === 'string' ? JSON.stringify(id.slice(0, maxLength + 1)) : `a value of type ${typeof id}`
  throw new TypeError(
    `The id of ${what === 'agent' ? 'an' : 'a'} ${what} must be a string of 1 to ${maxLength} characters without control characters and unpaired surrogates; got ${idText}.`,
  )
}

function isId(id: string): boolean {
  if (id.length === 0 || id.length > maxLength) return false
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index)
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false
    // A lone surrogate cannot be sent as UTF-8, so no call could name the id.
    if (code >= 0xd800 && code < 0xe000) {
      const next = id.charCodeAt(index + 1)
      if (code >= 0xdc00 || !(next >= 0xdc00 && next < 0xe000)) return false
      index++
    }
  }
  return true
}
