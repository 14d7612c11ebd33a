import { describeUnsafe, type UnsafeAddress } from '@trestle/html/addresses'
import type { Problem } from './delivery.ts'

/**
 * The problem of a message in which something that was filled in makes a link or a picture run a script.
 *
 * @param where - Where it was filled in, such as `layout "standard"`.
 * @param found - The address.
 */
export function unsafeAddressProblem(where: string, found: UnsafeAddress): Problem {
  const message = `The message is not sent: in the ${where} ${describeUnsafe(found)}. Check the data it is taken from.`
  return { code: 'unsafe_address', message, status: 'error' }
}
