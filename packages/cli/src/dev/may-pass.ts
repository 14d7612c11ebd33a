/** Problems that pass while an app starts. */
const passing = ['ECONNREFUSED', 'ECONNRESET', 'BridgeRequestTimeout', 'BridgeEndpointNotFound', 'TunnelNotFound']

/** Returns whether a problem of a bridge may pass while its app starts. */
export function mayPass(code: string): boolean {
  return passing.includes(code)
}
