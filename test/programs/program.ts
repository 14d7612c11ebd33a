/** The kinds of step that programs start. */
export type Kind = 'sms' | 'inApp' | 'custom' | 'digest' | 'delay' | 'throttle'

/** Where a program reads a value, and what the value is compared with. */
export type Atom =
  | { readonly on: 'flag'; readonly index: number }
  | { readonly on: 'choice'; readonly index: number; readonly value: 'a' | 'b' | 'c' }
  | { readonly on: 'text'; readonly index: number; readonly value: string }
  | { readonly on: 'above' | 'below'; readonly index: number; readonly value: number }
  | { readonly on: 'between'; readonly index: number; readonly low: number; readonly high: number }
  | { readonly on: 'length'; readonly more: number }
  | { readonly on: 'locale' | 'plan' | 'mode'; readonly value: string }
  | { readonly on: 'phone' }
  /** A field of an earlier result; which one is decided where the program is numbered. */
  | { readonly on: 'result'; readonly which: number; readonly more: number }
  | { readonly on: 'status'; readonly which: number; readonly value: string }

/** A condition: all atoms hold, each of them turned round where `not` says so. */
export interface Condition {
  readonly atoms: readonly { readonly atom: Atom; readonly not: boolean }[]
}

/** One statement of a program. */
export type Statement =
  | { readonly do: 'step'; readonly kind: Kind }
  | {
      readonly do: 'if'
      readonly when: Condition
      readonly then: readonly Statement[]
      readonly otherwise: readonly Statement[]
    }
  | { readonly do: 'repeat'; readonly times: number; readonly kind: Kind }
  | { readonly do: 'each'; readonly kind: Kind }
  | { readonly do: 'all'; readonly branches: readonly (readonly Statement[])[] }
  | {
      readonly do: 'race'
      readonly kind: Kind
      readonly depth: number
      readonly won: readonly Statement[]
      readonly lost: readonly Statement[]
    }
  | { readonly do: 'return'; readonly when: Condition }
  | { readonly do: 'finally'; readonly body: readonly Statement[]; readonly last: readonly Statement[] }
  | { readonly do: 'later'; readonly kind: Kind; readonly between: readonly Statement[] }
  | { readonly do: 'pause'; readonly turns: number; readonly ms: number }

/** A program, before its steps have ids. */
export interface Program {
  readonly body: readonly Statement[]
  /** How the payload is described. */
  readonly schema: 'json' | 'zod' | 'none'
}

/** A read of an earlier result: the variable, the kind of step it came from. */
export interface Bound {
  readonly name: string
  readonly id: string
  readonly kind: Kind
}

/** An atom whose result is known. */
export type BoundAtom =
  | Exclude<Atom, { on: 'result' } | { on: 'status' }>
  | { readonly on: 'result'; readonly bound: Bound; readonly more: number }
  | { readonly on: 'status'; readonly bound: Bound; readonly value: string }

/** A numbered condition. */
export type Test = readonly { readonly atom: BoundAtom; readonly not: boolean }[]

/** A step call of a numbered program. */
export interface StepNode {
  readonly id: string
  readonly kind: Kind
  /** The variable its result is kept in. */
  readonly name: string
  /** The results its handler reports. */
  readonly sees: readonly Bound[]
  /** How many conditions must hold before it is reached. */
  readonly conditions: number
}

/** A statement whose steps have ids. */
export type Node =
  | { readonly do: 'step'; readonly step: StepNode }
  | { readonly do: 'if'; readonly when: Test; readonly then: readonly Node[]; readonly otherwise: readonly Node[] }
  | { readonly do: 'repeat'; readonly times: number; readonly step: StepNode }
  | { readonly do: 'each'; readonly step: StepNode }
  | { readonly do: 'all'; readonly branches: readonly (readonly Node[])[] }
  | {
      readonly do: 'race'
      readonly racer: StepNode
      readonly timeout: StepNode
      readonly depth: number
      readonly won: readonly Node[]
      readonly lost: readonly Node[]
    }
  | { readonly do: 'return'; readonly when: Test }
  | { readonly do: 'finally'; readonly body: readonly Node[]; readonly last: readonly Node[] }
  | { readonly do: 'later'; readonly step: StepNode; readonly between: readonly Node[] }
  | { readonly do: 'pause'; readonly turns: number; readonly ms: number }

/** A program that can be printed and played. */
export interface Numbered {
  readonly body: readonly Node[]
  readonly schema: Program['schema']
}

interface Scope {
  /** Counts the steps, so that each has an id of its own. */
  readonly counter: { next: number }
  bound: readonly Bound[]
  conditions: number
}

const isRead = (kind: Kind): boolean => kind !== 'sms'

/**
 * Gives each step an id and each condition on a result the result it reads. A condition on a result that is not there
 * becomes one on the payload.
 */
export function number({ body, schema }: Program): Numbered {
  return { body: block(body, { counter: { next: 0 }, bound: [], conditions: 0 }), schema }
}

function block(statements: readonly Statement[], outer: Scope): readonly Node[] {
  const scope = { ...outer }
  const nodes = statements.map((statement) => toNode(statement, scope))
  // A return in the block guards what follows the block too.
  outer.conditions = Math.max(outer.conditions, guards(statements) + outer.conditions)
  return nodes
}

function guards(statements: readonly Statement[]): number {
  return statements.reduce((count, statement) => {
    if (statement.do === 'return') return count + statement.when.atoms.length
    if (statement.do === 'if') return count + inner(statement.then, statement) + inner(statement.otherwise, statement)
    if (statement.do === 'finally') return count + guards(statement.body) + guards(statement.last)
    if (statement.do === 'later') return count + guards(statement.between)
    if (statement.do === 'race') return count + guards(statement.won) + guards(statement.lost)
    return count
  }, 0)
}

function inner(statements: readonly Statement[], { when }: { when: Condition }): number {
  const count = guards(statements)
  return count === 0 ? 0 : count + when.atoms.length
}

function stepOf(kind: Kind, scope: Scope, prefix = 's'): StepNode {
  const index = scope.counter.next++
  return { id: `${prefix}${index}`, kind, name: `r${index}`, sees: scope.bound, conditions: scope.conditions }
}

function bind(scope: Scope, { id, name, kind }: StepNode): void {
  if (isRead(kind)) scope.bound = [...scope.bound, { id, name, kind }]
}

function toNode(statement: Statement, scope: Scope): Node {
  switch (statement.do) {
    case 'step': {
      const step = stepOf(statement.kind, scope)
      bind(scope, step)
      return { do: 'step', step }
    }
    case 'if': {
      const when = toTest(statement.when, scope)
      const then = { ...scope, conditions: scope.conditions + when.length }
      const otherwise = { ...then }
      const node: Node = {
        do: 'if',
        when,
        then: block(statement.then, then),
        otherwise: block(statement.otherwise, otherwise),
      }
      scope.conditions += inner(statement.then, statement) + inner(statement.otherwise, statement)
      return node
    }
    case 'repeat':
      return { do: 'repeat', times: statement.times, step: stepOf(statement.kind, scope, 'loop') }
    case 'each':
      return { do: 'each', step: stepOf(statement.kind, { ...scope, conditions: scope.conditions + 1 }, 'item') }
    case 'all':
      return { do: 'all', branches: statement.branches.map((branch) => block(branch, { ...scope })) }
    case 'race': {
      const racer = stepOf(statement.kind, scope)
      const timeout = stepOf('delay', scope)
      const inside = (): Scope => ({ ...scope, conditions: scope.conditions + 1 })
      return {
        do: 'race',
        racer,
        timeout,
        depth: statement.depth,
        won: block(statement.won, inside()),
        lost: block(statement.lost, inside()),
      }
    }
    case 'return': {
      const when = toTest(statement.when, scope)
      scope.conditions += when.length
      return { do: 'return', when }
    }
    case 'finally': {
      const body = block(statement.body, scope)
      return { do: 'finally', body, last: block(statement.last, { ...scope }) }
    }
    case 'later': {
      const step = stepOf(statement.kind, scope)
      const between = block(statement.between, scope)
      bind(scope, step)
      return { do: 'later', step, between }
    }
    case 'pause':
      return statement
  }
}

function toTest({ atoms }: Condition, scope: Scope): Test {
  return atoms.map(({ atom, not }) => {
    if (atom.on !== 'result' && atom.on !== 'status') return { atom, not }
    const { bound } = scope
    const from = bound[atom.which % Math.max(1, bound.length)]
    if (!from) return { atom: { on: 'flag', index: atom.which % 3 }, not }
    return atom.on === 'status'
      ? { atom: { on: 'status', bound: from, value: atom.value }, not }
      : { atom: { on: 'result', bound: from, more: atom.more }, not }
  })
}
