/** Transient problems while an app starts. */
const passing = ['ECONNREFUSED', 'ECONNRESET', 'BridgeRequestTimeout', 'BridgeEndpointNotFound', 'TunnelNotFound']

/** Returns whether a bridge problem may be transient while its app starts. */
export function mayPass(code: string): boolean {
  return passing.includes(code)
}
