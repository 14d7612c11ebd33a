import type { Node } from './node.ts'

/** The value a method is called on, and what the method may use of it. */
export interface MethodSubject {
  /** The value as an array. */
  items(): unknown[]
  /** The value itself. */
  self(): unknown
  /** Chooses between outcomes; 0 is the fullest. */
  either(count: number): number
  /** The value as a text. */
  text(): string
  /** Another forgiving value, for methods that are not known. */
  result(): unknown
}

type Method = (subject: MethodSubject, args: readonly unknown[]) => unknown

const arrayMethods = ['map', 'forEach', 'flatMap', 'reduce', 'reduceRight', 'join', 'push', 'unshift', 'pop', 'shift']
const moreArrayMethods = ['sort', 'toSorted', 'reverse', 'toReversed', 'flat', 'fill', 'entries', 'keys', 'values']
const textMethods = ['toUpperCase', 'toLowerCase', 'trim', 'trimStart', 'trimEnd', 'split', 'replace', 'replaceAll']
const moreTextMethods = ['padStart', 'padEnd', 'charAt', 'charCodeAt', 'codePointAt', 'substring', 'substr', 'repeat']
const lastTextMethods = [
  'localeCompare',
  'normalize',
  'toLocaleUpperCase',
  'toLocaleLowerCase',
  'search',
  'match',
  'matchAll',
]
const numberMethods = ['toFixed', 'toPrecision', 'toExponential']
const dateMethod =
  /^([gs]et(UTC)?(Time|FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset|to(ISO|UTC|Date|Time|LocaleDate|LocaleTime)String)$/

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...by([...arrayMethods, ...moreArrayMethods], ({ items }) => items()),
  ...by([...textMethods, ...moreTextMethods, ...lastTextMethods], ({ text }) => text()),
  ...by(numberMethods, () => 1),
  ['concat', ({ items }, args) => items().concat(...args)],
  ['slice', ({ self }) => self()],
  ['at', ({ items }) => items()[0]],
  // All, all but the first, none.
  ['filter', eachItem(({ items, either }) => items().slice([0, 1][either(3)] ?? Number.POSITIVE_INFINITY))],
  ['find', predicate((items, found) => (found ? items[0] : undefined))],
  ['findLast', predicate((items, found) => (found ? items.at(-1) : undefined))],
  ['some', predicate((_items, found) => found)],
  ['every', predicate((_items, found) => found)],
  ...['includes', 'startsWith', 'endsWith', 'test', 'has'].map((name): [string, Method] => [
    name,
    ({ either }) => either(2) === 0,
  ]),
  // The first, another than the first, none.
  ...['indexOf', 'lastIndexOf'].map((name): [string, Method] => [name, ({ either }) => [0, 1][either(3)] ?? -1]),
  ['findIndex', eachItem(({ either }) => [0, 1][either(3)] ?? -1)],
  ...['hasOwnProperty', 'propertyIsEnumerable'].map((name): [string, Method] => [name, () => true]),
  ...['toString', 'toLocaleString', 'toJSON'].map((name): [string, Method] => [name, ({ text }) => text()]),
  ['valueOf', () => 1],
])

// These are also names of data: `payload.link`, `payload.values`. They stay places that may be absent.
const alsoData = ['at', 'entries', 'fill', 'find', 'has', 'keys', 'match', 'repeat', 'search', 'sort', 'test', 'values']
const moreData = ['every', 'some', 'filter', 'flat', 'normalize', 'replace', 'reverse', 'shift', 'split', 'join', 'map']
const dataNames: ReadonlySet<string> = new Set([...alsoData, ...moreData])

/**
 * Returns whether a name is only ever that of a method, so that its absence need not be tried.
 *
 * @param name - The property's name.
 */
export function isMethodOnly(name: string): boolean {
  return (methods.has(name) && !dataNames.has(name)) || dateMethod.test(name)
}

/**
 * Returns whether a name is that of a method, though it may be one of data too.
 *
 * @param name - The property's name.
 */
export function isMethod(name: string): boolean {
  return methods.has(name) || dateMethod.test(name)
}

/**
 * Returns whether a name is read to be called: `some` of `payload.items.some(…)` is never absent. The fields of the whole may
 * have such names.
 *
 * @param node - The value that the name is read of.
 * @param name - The property's name.
 */
export function isCalled({ depth }: Pick<Node, 'depth'>, name: string): boolean {
  return isMethodOnly(name) || (depth > 0 && isMethod(name))
}

/**
 * Calls a method of a forgiving value.
 *
 * @param subject - The value.
 * @param name - The method; an unknown one gives another forgiving value.
 * @param args - The arguments.
 */
export function callMethod(subject: MethodSubject, name: string, args: readonly unknown[]): unknown {
  const method = methods.get(name)
  if (method) return method(subject, args)
  if (dateMethod.test(name)) return invoke(new Date(0), name, args)
  return subject.result()
}

function by(names: readonly string[], value: (subject: MethodSubject) => unknown): [string, Method][] {
  return names.map((name) => [name, (subject, args) => invoke(value(subject), name, args)])
}

function invoke(value: unknown, name: string, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(Object(value), name)
  return typeof method === 'function' ? Reflect.apply(method, value, args) : undefined
}

/** Lets the callback see the items; what it says about sample data decides nothing, both outcomes are tried. */
function predicate(outcome: (items: readonly unknown[], found: boolean) => unknown): Method {
  return eachItem(({ items, either }) => outcome(items(), either(2) === 0))
}

function eachItem(outcome: (subject: MethodSubject) => unknown): Method {
  return (subject, [callback]) => {
    if (typeof callback === 'function')
      subject.items().forEach((...given) => void Reflect.apply(callback, undefined, given))
    return outcome(subject)
  }
}
