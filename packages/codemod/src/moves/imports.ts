import { usesOf } from '../syntax/names.ts'
import { moduleOf, type Node, nodesOf, remark, type Source, textOf, walk } from '../syntax/source.ts'
import { homes, ofAdapters, packages, removedNames, renamed } from '../tables/packages.ts'
import { type Declaration, type Specifier, toDeclaration, writeDeclaration } from './declaration.ts'
import { isPagesRoute, leaveBody } from './pages-router.ts'

/** The package to move from. */
export const former = '@novu/framework'
/** Classes and enumerations whose uses are all moved. */
const moved = ['Client', 'CronExpression', 'SeverityLevelEnum']

/** Moves imports, exports and `require` calls of the former package, and records the imported names. */
export function moveImports(source: Source): void {
  const isPages = isPagesRoute(source)
  walk(source.program, (node) => {
    const module = moduleOf(node)
    if (!module) return
    const name = textOf(module) ?? ''
    if (name !== former && !name.startsWith(`${former}/`)) return
    const next = Object.hasOwn(packages, name) ? packages[name] : undefined
    if (!next) return remark(source, node, `"${name}" has no counterpart.`)
    const declaration = toDeclaration(source, node, module)
    for (const specifier of declaration.specifiers) note(source, specifier)
    const { byDefault } = declaration
    if (byDefault) remark(source, byDefault, `${next} has no default export: import its names, or use import * as.`)
    if (handsOnAll(node))
      remark(source, node, `Other files import names of ${former} from here; they are not renamed there.`)
    if (declaration.whole !== undefined) source.wholes.add(declaration.whole)
    const isHere = isPages && next === '@trestle/next'
    if (isHere) leaveBody(source)
    move(source, declaration, isHere ? '@trestle/next/pages' : next)
  })
  renameUses(source)
}

function handsOnAll(node: Node): boolean {
  return (
    node.type === 'ExportAllDeclaration' ||
    nodesOf(node['specifiers']).some(({ type }) => type === 'ExportNamespaceSpecifier')
  )
}

function note(source: Source, { node, imported, local }: Specifier): void {
  const isHanded = node.type === 'ExportSpecifier'
  if (!isHanded) source.imported.set(local, imported)
  const why = Object.hasOwn(removedNames, imported) ? removedNames[imported] : undefined
  if (isHanded && moved.includes(imported))
    remark(source, node, `${imported} no longer exists and cannot be re-exported.`)
  else if (why) remark(source, node, `${imported} no longer exists. ${why}`)
  else if (![...moved, ...ofAdapters].includes(imported) && !Object.hasOwn(homes, imported))
    remark(source, node, `${imported} is unknown; look for it in @trestle/core.`)
}

function move(source: Source, declaration: Declaration, next: string): void {
  const { statement, module, specifiers, whole } = declaration
  const { original } = source.text
  const names = new Map<string, string[]>()
  const keep = (home: string, name: string): void => {
    const others = names.get(home) ?? []
    if (!others.includes(name)) names.set(home, [...others, name])
  }
  for (const specifier of specifiers) {
    if (isType(source, specifier)) keep('@trestle/core', printType(declaration, specifier))
    if (!moved.includes(specifier.imported)) keep(homeOf(specifier, next), print(specifier, original))
  }
  const homesOfNames = [...names.keys()]
  const isSame = specifiers.every(({ imported }) => !moved.includes(imported) && !Object.hasOwn(renamed, imported))
  if (specifiers.length > 0 && statement && !(isSame && homesOfNames.length === 1))
    writeDeclaration(source, declaration, names)
  else {
    const quote = original[module.start]
    const home = homesOfNames.length === 1 ? homesOfNames[0] : next
    source.text.update(module.start, module.end, `${quote}${home ?? next}${quote}`)
    if (homesOfNames.length > 1 || (whole !== undefined && next !== '@trestle/core'))
      remark(source, module, `${next} only has serve; import the other names from @trestle/core.${presetOf(whole)}`)
  }
  for (const home of homesOfNames.length > 0 ? homesOfNames : [next])
    source.packages.add(home.split('/').slice(0, 2).join('/'))
}

/**
 * Returns the part of a remark that recommends the preset, if the import is a namespace: calls of `serve` through it
 * are not detected, so their options stay unchanged.
 */
function presetOf(whole: string | undefined): string {
  return whole ? ' Pass the option "service: novu" to serve, with novu from @trestle/core/novu.' : ''
}

function homeOf({ imported }: Specifier, next: string): string {
  if (ofAdapters.includes(imported)) return next
  return Object.hasOwn(homes, imported) ? (homes[imported] ?? next) : '@trestle/core'
}

/** Returns whether a name is the client and only used as a type: its options are those of the bridge. */
function isType(source: Source, { node, imported, local }: Specifier): boolean {
  if (imported !== 'Client' || node.type === 'ExportSpecifier') return false
  return usesOf(source, local).some((use) => source.parents.get(use)?.type === 'TSTypeReference')
}

function printType({ statement }: Declaration, { local }: Specifier): string {
  const name = local === 'Client' ? 'BridgeOptions' : `BridgeOptions as ${local}`
  return statement?.['importKind'] === 'type' ? name : `type ${name}`
}

/** Prints a specifier with a new imported name. */
function print({ node, imported }: Specifier, original: string): string {
  const text = original.slice(node.start, node.end)
  const next = Object.hasOwn(renamed, imported) ? renamed[imported] : undefined
  return next ? text.replace(imported, next) : text
}

function renameUses(source: Source): void {
  const done = new Set<number>()
  walk(source.program, (node, parent) => {
    if (node.type !== 'Identifier' || done.has(node.start)) return
    const name = String(node['name'])
    const isClient = name === 'Client' && parent?.type === 'TSTypeReference'
    const next = isClient ? 'BridgeOptions' : Object.hasOwn(renamed, name) ? renamed[name] : undefined
    if (!next || source.imported.get(name) !== name || isImported(source, node, parent)) return
    done.add(node.start)
    source.text.update(node.start, node.end, next)
  })
}

/** Returns whether an identifier is part of an import, which is already rewritten. */
function isImported(source: Source, node: Node, parent: Node | undefined): boolean {
  if (parent?.type.endsWith('Specifier')) return true
  const pattern = parent && source.parents.get(parent)
  const declarator = pattern?.type === 'ObjectPattern' ? source.parents.get(pattern) : undefined
  return declarator?.type === 'VariableDeclarator' && declarator['init'] !== node
}
