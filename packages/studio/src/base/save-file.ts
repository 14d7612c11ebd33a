const revokeAfterMs = 10_000

/** Saves content as a file in the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // Some browsers read the content only after the click.
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs)
}
