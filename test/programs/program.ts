/** The kinds of step that programs start. */
export type Kind = 'sms' | 'inApp' | 'custom' | 'digest' | 'delay' | 'waitForEvent' | 'trigger' | 'throttle'

/** What a program reads, and what it compares the value with. */
export type Atom =
  | { readonly on: 'flag'; readonly index: number }
  | { readonly on: 'choice'; readonly index: number; readonly value: 'a' | 'b' | 'c' }
  | { readonly on: 'text'; readonly index: number; readonly value: string }
  | { readonly on: 'oneOf'; readonly index: number; readonly values: readonly string[] }
  | { readonly on: 'starts'; readonly index: number; readonly value: string }
  | { readonly on: 'above' | 'below' | 'equal'; readonly index: number; readonly value: number }
  | { readonly on: 'between'; readonly index: number; readonly low: number; readonly high: number }
  | { readonly on: 'length'; readonly more: number }
  | { readonly on: 'locale' | 'plan' | 'mode'; readonly value: string }
  | { readonly on: 'phone' }
  /** A field of an earlier result; which one is decided where the program is numbered. */
  | { readonly on: 'result'; readonly which: number; readonly more: number }
  | { readonly on: 'status'; readonly which: number; readonly value: string }

/** A condition: all atoms must hold, or any of them; atoms with `not` are negated. */
export interface Condition {
  /** Whether it is enough that one atom holds. */
  readonly any?: boolean
  /** Whether the condition is first stored in a variable. */
  readonly kept?: boolean
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
  /** Until a result is read, or has what it may have. */
  | { readonly do: 'until'; readonly times: number; readonly kind: Exclude<Kind, 'sms'> }
  /** One step an item; no more than `most`. */
  | { readonly do: 'each'; readonly kind: Kind; readonly most?: number | undefined }
  /** One step an item, all at one time. */
  | { readonly do: 'fan'; readonly kind: Kind }
  | { readonly do: 'all'; readonly branches: readonly (readonly Statement[])[]; readonly settled?: boolean }
  | { readonly do: 'and'; readonly when: Condition; readonly kind: Kind }
  | {
      readonly do: 'switch'
      readonly index: number
      /** The statements for `a` and for `b`. */
      readonly cases: readonly (readonly Statement[])[]
      /** Whether the first case falls through to the second. */
      readonly falls: boolean
      readonly otherwise: readonly Statement[]
    }
  | { readonly do: 'helper'; readonly body: readonly Statement[] }
  /** Between `body` and `rest` an error is thrown when the condition holds; `last` catches it. */
  | {
      readonly do: 'catch'
      readonly body: readonly Statement[]
      readonly when: Condition
      readonly rest: readonly Statement[]
      readonly last: readonly Statement[]
    }
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
  /** How the schema of the payload is defined. */
  readonly schema: 'json' | 'zod' | 'none'
  /** Whether the function first destructures the payload. */
  readonly taken?: boolean
}

/** A reference to an earlier result: its variable, step id and kind of step. */
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

export interface Test {
  readonly atoms: readonly { readonly atom: BoundAtom; readonly not: boolean }[]
  readonly any: boolean
  /** The variable that stores the condition first. */
  readonly name: string | undefined
}

/** A step call of a numbered program. */
export interface StepNode {
  readonly id: string
  readonly kind: Kind
  /** The variable that stores its result. */
  readonly name: string
  /** The results its handler reports. */
  readonly sees: readonly Bound[]
  /** How many conditions must hold before the step is reached. */
  readonly conditions: number
}

/** A statement whose steps have ids. */
export type Node =
  | { readonly do: 'step'; readonly step: StepNode }
  | { readonly do: 'if'; readonly when: Test; readonly then: readonly Node[]; readonly otherwise: readonly Node[] }
  | { readonly do: 'repeat'; readonly times: number; readonly step: StepNode }
  | { readonly do: 'until'; readonly times: number; readonly step: StepNode }
  | { readonly do: 'each'; readonly step: StepNode; readonly most: number | undefined }
  | { readonly do: 'fan'; readonly step: StepNode }
  | { readonly do: 'all'; readonly branches: readonly (readonly Node[])[]; readonly settled: boolean }
  | { readonly do: 'and'; readonly when: Test; readonly step: StepNode }
  | {
      readonly do: 'switch'
      readonly index: number
      readonly cases: readonly (readonly Node[])[]
      readonly falls: boolean
      readonly otherwise: readonly Node[]
    }
  | { readonly do: 'helper'; readonly name: string; readonly body: readonly Node[] }
  | { readonly do: 'catch'; readonly body: readonly Node[]; readonly last: readonly Node[] }
  | { readonly do: 'throw'; readonly when: Test }
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

/** A program that can be printed and simulated. */
export interface Numbered {
  readonly body: readonly Node[]
  readonly schema: Program['schema']
  readonly taken: boolean
}

interface Scope {
  /** Counts steps and other names, so that each gets a unique name. */
  readonly counter: { next: number; names: number }
  bound: readonly Bound[]
  conditions: number
}

/** Whether a step returns its outcome, so that its failure does not fail the run: every other custom step. */
export function returnsFailure({ kind, name }: Pick<Bound, 'kind' | 'name'>): boolean {
  return kind === 'custom' && Number(name.slice(1)) % 2 === 1
}

const isRead = (kind: Kind): boolean => kind !== 'sms'

/**
 * Assigns an id to each step, and an earlier result to each condition that reads one. A condition on a result that does
 * not exist becomes a condition on the payload.
 */
export function number({ body, schema, taken = false }: Program): Numbered {
  return { body: block(body, { counter: { next: 0, names: 0 }, bound: [], conditions: 0 }), schema, taken }
}

function block(statements: readonly Statement[], outer: Scope): readonly Node[] {
  const scope = { ...outer }
  const nodes = statements.map((statement) => toNode(statement, scope))
  // A return in the block also guards the code after the block.
  outer.conditions = Math.max(outer.conditions, guards(statements) + outer.conditions)
  return nodes
}

function guards(statements: readonly Statement[]): number {
  return statements.reduce((count, statement) => {
    if (statement.do === 'return') return count + statement.when.atoms.length
    if (statement.do === 'if') return count + inner(statement.then, statement) + inner(statement.otherwise, statement)
    if (statement.do === 'finally') return count + guards(statement.body) + guards(statement.last)
    if (statement.do === 'later') return count + guards(statement.between)
    if (statement.do === 'switch') {
      const own = [...statement.cases, statement.otherwise].reduce((sum, one) => sum + guards(one), 0)
      return count + (own === 0 ? 0 : own + 2)
    }
    if (statement.do === 'catch')
      return (
        count + inner(statement.body, statement) + inner(statement.rest, statement) + inner(statement.last, statement)
      )
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
      const then = { ...scope, conditions: scope.conditions + when.atoms.length }
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
    case 'until': {
      const conditions = scope.conditions + statement.times - 1
      const { times } = statement
      return { do: 'until', times, step: stepOf(statement.kind, { ...scope, conditions }, 'loop') }
    }
    case 'each': {
      const step = stepOf(statement.kind, { ...scope, conditions: scope.conditions + 1 }, 'item')
      return { do: 'each', step, most: statement.most }
    }
    case 'fan':
      return { do: 'fan', step: stepOf(statement.kind, { ...scope, conditions: scope.conditions + 1 }, 'item') }
    case 'all': {
      const { branches, settled = false } = statement
      return { do: 'all', branches: branches.map((branch) => block(branch, { ...scope })), settled }
    }
    case 'and': {
      const when = toTest({ ...statement.when, kept: false }, scope)
      const conditions = scope.conditions + when.atoms.length
      return { do: 'and', when, step: stepOf(statement.kind, { ...scope, conditions }) }
    }
    case 'switch': {
      const { index, falls } = statement
      const inside = (): Scope => ({ ...scope, conditions: scope.conditions + 2 })
      const cases = statement.cases.map((body) => block(body, inside()))
      const node: Node = { do: 'switch', index, falls, cases, otherwise: block(statement.otherwise, inside()) }
      scope.conditions += guards([statement])
      return node
    }
    case 'helper': {
      const name = `h${scope.counter.names++}`
      return { do: 'helper', name, body: block(statement.body, { ...scope }) }
    }
    case 'catch':
      return toCatch(statement, scope)
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
      scope.conditions += when.atoms.length
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

function toCatch(statement: Extract<Statement, { do: 'catch' }>, scope: Scope): Node {
  const inside = { ...scope }
  const body = statement.body.map((one) => toNode(one, inside))
  const when = toTest(statement.when, inside)
  inside.conditions += when.atoms.length
  const caught = { ...scope, conditions: inside.conditions }
  const rest = statement.rest.map((one) => toNode(one, inside))
  const last = block(statement.last, caught)
  scope.conditions += guards([statement])
  return { do: 'catch', body: [...body, { do: 'throw', when }, ...rest], last }
}

function toTest({ atoms, any = false, kept = false }: Condition, scope: Scope): Test {
  const name = kept ? `c${scope.counter.names++}` : undefined
  return { atoms: toAtoms(atoms, scope), any, name }
}

function toAtoms(atoms: Condition['atoms'], scope: Scope): Test['atoms'] {
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
