import type { AdmittedCall } from '../../packages/core/src/call/admit.ts'
import { parse } from '../../packages/core/src/call/parse.ts'

// Unverified calls cannot be parsed: an object that only looks like a verified call does not compile.
export function parseUnverified(call: AdmittedCall): unknown {
  // @ts-expect-error The proof is missing, and only verify can make one.
  return parse({ ...call, body: new Uint8Array(0), signed: true })
}
