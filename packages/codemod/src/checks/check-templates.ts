import { declaredAs } from '../syntax/names.ts'
import { isNode, type Node, nameOf, nodesOf, remark, type Source, textOf, walk } from '../syntax/source.ts'
import { templateRoots } from '../tables/fields.ts'

/** The first name of an output tag. */
const firstName = /\{\{-?\s*([A-Za-z_][\w-]*)/g

/** Tags that define their own variables. */
const own = /\b(?:assign|capture|increment|decrement|for|tablerow)\s+([A-Za-z_][\w-]*)/g

/** Options that contain control defaults, including their former name. */
const schemas: readonly string[] = ['controlSchema', 'inputSchema']

const literals = ['true', 'false', 'nil', 'null', 'empty', 'blank', 'forloop', 'tablerowloop']

/**
 * Adds remarks on unknown variables in the templates of control defaults. They print nothing with `service: novu`, and
 * are an error without it.
 *
 * @param source - The file; imported schema names are added to it.
 */
export function checkTemplates(source: Source, options: Node): void {
  for (const { key, value } of nodesOf(options['properties'])) {
    if (!schemas.includes(nameOf(key) ?? '') || !isNode(value)) continue
    const name = value.type === 'Identifier' ? nameOf(value) : undefined
    const schema = name === undefined ? value : declaredAs(source, name, value)
    if (schema) walk(schema, (node) => checkTemplate(source, node))
    else if (name !== undefined) source.controls.add(importedAs(source, name))
  }
}

/** Adds remarks on unknown template variables in schemas that other files import from this one. */
export function checkDeclared(source: Source, names: ReadonlySet<string>): void {
  for (const name of names) {
    const schema = declaredAs(source, name)
    if (schema) walk(schema, (node) => checkTemplate(source, node))
  }
}

function importedAs({ program }: Source, local: string): string {
  let name = local
  walk(program, (node) => {
    if (node.type === 'ImportSpecifier' && nameOf(node['local']) === local) name = nameOf(node['imported']) ?? local
  })
  return name
}

function checkTemplate(source: Source, node: Node): void {
  const text = textOf(node)
  if (text === undefined) return
  const roots = [...templateRoots, ...literals, ...Array.from(text.matchAll(own), ([, name = '']) => name)]
  for (const name of new Set(Array.from(text.matchAll(firstName), ([, variableName = '']) => variableName))) {
    if (roots.includes(name)) continue
    const why = `{{ ${name} }}: templates have no variable with that name; with service: novu it prints nothing.`
    remark(source, node, `${why} Payload fields are written {{ payload.${name} }}.`)
  }
}
