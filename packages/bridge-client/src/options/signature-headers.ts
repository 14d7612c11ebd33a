import { signatureHeader } from '@trestle/protocol'

/** Bridges of `@novu/framework` read this header only. Sent along until version 1.0, then on request. */
const formerHeader = 'novu-signature'

/**
 * Returns the headers that carry the signature of a call.
 *
 * @param option - The option `signatureHeader`: the only header.
 * @param env - The environment's variables; `SERVICE_BRIDGE_SIGNATURE_HEADER` names the only header, too.
 * @example
 * for (const name of toSignatureHeaders()) headers[name] = signature
 */
export function toSignatureHeaders(
  option?: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const only = option ?? env['SERVICE_BRIDGE_SIGNATURE_HEADER']
  return only ? [only.toLowerCase()] : [signatureHeader, formerHeader]
}
