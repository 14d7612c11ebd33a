const mounted = new Map()

/**
 * Gives what `serve` made of the options of a mount; makes it once. The suite runs the app in its own process and leaves
 * the options in a global, because functions and clocks cannot travel.
 */
export function mountedBy(serve, name) {
  if (!mounted.has(name)) mounted.set(name, serve(globalThis[Symbol.for('trestle.conformance')].get(name)))
  return mounted.get(name)
}
