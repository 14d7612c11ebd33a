import { type Node, nodesOf, type Source, walk } from '../syntax/source.ts'

const entry = '@trestle/core/novu'

/**
 * Adds and imports the preset of the former service, so that the bridge behaves as before.
 *
 * @param source - The file, after its imports were moved.
 * @param mounted - The options of each `serve`.
 * @param removed - The properties that were removed.
 */
export function addPreset(source: Source, mounted: readonly Node[], removed: ReadonlySet<Node>): void {
  if (mounted.length === 0) return
  const name = hasName(source, 'novu') ? 'novuService' : 'novu'
  const property = name === 'novu' ? 'service: novu' : `service: ${name}`
  for (const options of mounted) {
    if (options.type !== 'ObjectExpression') {
      source.text.appendLeft(options.start, '{ ...')
      source.text.appendRight(options.end, `, ${property} }`)
      continue
    }
    const properties = nodesOf(options['properties'])
    const last = properties.findLast((one) => !removed.has(one))
    const [first] = properties
    if (last) source.text.appendRight(last.end, `, ${property}`)
    else if (first) source.text.appendRight(first.start, property)
    else source.text.update(options.start, options.end, `{ ${property} }`)
  }
  addImport(source, name)
}

/** Adds an import after the import of `serve`, in the same style. */
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
  text.appendRight(statement.start, `${line}${written.endsWith(';') ? ';' : ''}\n`)
}

function hasName({ program }: Source, name: string): boolean {
  let isFound = false
  walk(program, (node) => {
    if (node.type === 'Identifier' && node['name'] === name) isFound = true
  })
  return isFound
}
