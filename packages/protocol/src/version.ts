/** The version of the bridge protocol, a date. It changes when the protocol changes, not when a package does. */
export const protocolVersion = '2026-11-20'
