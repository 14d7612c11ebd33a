import { type Node, nodesOf, type Source, walk } from '../syntax/source.ts'

const entry = '@trestle/core/novu'

/**
 * Sets the preset of the service that calls the bridge, so that it is called as before, and imports it.
 *
 * @param source - The file; its imports are moved.
 * @param mounted - The options of each `serve`.
 */
export function addPreset(source: Source, mounted: readonly Node[]): void {
  if (mounted.length === 0) return
  const name = hasName(source, 'novu') ? 'novuService' : 'novu'
  const property = name === 'novu' ? 'service: novu' : `service: ${name}`
  for (const options of mounted) {
    if (options.type !== 'ObjectExpression') {
      source.text.appendLeft(options.start, '{ ...')
      source.text.appendRight(options.end, `, ${property} }`)
      continue
    }
    const last = nodesOf(options['properties']).at(-1)
    if (last) source.text.appendRight(last.end, `, ${property}`)
    else source.text.update(options.start, options.end, `{ ${property} }`)
  }
  addImport(source, name)
}

/** Behind the import of `serve`, in its own way of importing and of writing. */
function addImport(source: Source, name: string): void {
  const { text, program } = source
  const statement = nodesOf(program['body']).find(({ start, end }) =>
    /['"]@novu\/framework/.test(text.original.slice(start, end)),
  )
  if (!statement) return
  const written = text.original.slice(statement.start, statement.end)
  const quote = written.includes(`"@novu/`) ? '"' : "'"
  const module = `${quote}${entry}${quote}`
  const isImport = program['sourceType'] === 'module'
  const names = name === 'novu' ? name : `novu${isImport ? ' as ' : ': '}${name}`
  const line = isImport ? `import { ${names} } from ${module}` : `const { ${names} } = require(${module})`
  const end = text.original[text.original.indexOf('\n', statement.end) - 1] === '\r' ? '\r\n' : '\n'
  text.appendRight(statement.start, `${line}${written.endsWith(';') ? ';' : ''}${end}`)
}

function hasName({ program }: Source, name: string): boolean {
  let found = false
  walk(program, (node) => {
    if (node.type === 'Identifier' && node['name'] === name) found = true
  })
  return found
}
