/**
 * Reads what was stored in this browser, or undefined where nothing was or storage is forbidden.
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
 * Stores something in this browser, where storage is allowed.
 *
 * @param name - Name of the entry.
 * @param value - Its text, or undefined to forget it.
 */
export function store(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // The choice holds until the page is left.
  }
}
