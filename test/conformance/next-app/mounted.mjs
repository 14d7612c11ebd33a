const mounted = new Map()

/**
 * Returns the result of `serve` for the options of a mount, created once. The suite runs Next in its own process and
 * stores the options in a global, because functions and clocks cannot be transferred.
 */
export function mountedBy(serve, name) {
  if (!mounted.has(name)) mounted.set(name, serve(globalThis[Symbol.for('trestle.conformance')].get(name)))
  return mounted.get(name)
}
