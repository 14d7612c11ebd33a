import { describeUnsafe, type UnsafeAddress } from '@trestle/html/addresses'
import type { Problem } from '../../engine/port/channel-port.ts'

/**
 * Returns the problem of a message in which inserted data turned a link or an image into a script.
 *
 * @param where - Where the data was inserted, such as `layout "standard"`.
 */
export function unsafeAddressProblem(where: string, unsafeAddress: UnsafeAddress): Problem {
  const message = `The message is not sent: in the ${where} ${describeUnsafe(unsafeAddress)}. Check the data inserted there.`
  return { code: 'unsafe_address', message, status: 'error' }
}
