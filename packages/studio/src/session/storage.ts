/**
 * Reads a value from the browser's storage; undefined if there is none, or storage is disabled.
 *
 * @param name - Name of the entry.
 */
export function readStored(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Writes a value to the browser's storage, if it is enabled.
 *
 * @param name - Name of the entry.
 * @param value - The value; undefined removes the entry.
 */
export function store(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // The value is kept until the page is closed.
  }
}
