/** The value that a method is called on, and its available operations. */
export interface MethodSubject {
  /** The value as an array. */
  items(): unknown[]
  /** The value itself. */
  self(): unknown
  /** Selects one of several outcomes; 0 is the fullest. */
  either(count: number): number
  /** The value as text. */
  text(): string
  /** Another permissive value, for unknown methods. */
  result(): unknown
}

type Method = (subject: MethodSubject, args: readonly unknown[]) => unknown

/** Methods for which all possible outcomes are tried, because sample data does not determine the outcome. */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['slice', ({ self }) => self()],
  ['at', ({ items }) => items()[0]],
  // Keeps all items, all but the first, or none.
  ['filter', eachItem(({ items, either }) => items().slice([0, 1][either(3)] ?? Number.POSITIVE_INFINITY))],
  ['find', eachItem(({ items, either }) => (either(2) === 0 ? items()[0] : undefined))],
  ['findLast', eachItem(({ items, either }) => (either(2) === 0 ? items().at(-1) : undefined))],
  ...['some', 'every'].map((name): [string, Method] => [name, eachItem(({ either }) => either(2) === 0)]),
  ...['includes', 'startsWith', 'endsWith', 'test', 'has'].map((name): [string, Method] => [
    name,
    ({ either }) => either(2) === 0,
  ]),
  // Finds the first item, another one, or none.
  ...['indexOf', 'lastIndexOf', 'findIndex'].map((name): [string, Method] => [
    name,
    eachItem(({ either }) => [0, 1][either(3)] ?? -1),
  ]),
  ...['hasOwnProperty', 'propertyIsEnumerable'].map((name): [string, Method] => [name, () => true]),
  ...['toString', 'toLocaleString', 'toJSON'].map((name): [string, Method] => [name, ({ text }) => text()]),
  ['valueOf', () => 1],
])
const kinds: readonly (readonly [object, (subject: MethodSubject) => unknown])[] = [
  [Array.prototype, ({ items }) => items()],
  [String.prototype, ({ text }) => text()],
  [Number.prototype, () => 1],
  [Date.prototype, () => new Date(0)],
]
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
// Not called as methods, but common field names.
const noMethods = words(
  'length constructor anchor big blink bold fixed fontcolor fontsize italics link small strike sub sup',
)
// These are also common field names: `payload.values`. As fields they may be absent.
const dataNames = words(
  'at entries fill find has keys match repeat search sort test values every some filter flat normalize replace reverse ' +
    'shift split join map with',
)

/**
 * Returns whether a name is only ever a method name, so that its absence does not have to be tried.
 *
 * @param name - The name of the property.
 */
export function isMethodOnly(name: string): boolean {
  return isMethod(name) && !dataNames.has(name)
}

/**
 * Returns whether a name is a method name, even if it could also be data.
 *
 * @param name - The property's name.
 */
export function isMethod(name: string): boolean {
  return methods.has(name) || (kinds.some(([owner]) => Object.hasOwn(owner, name)) && !noMethods.has(name))
}

/**
 * Calls a method of a permissive value.
 *
 * @param subject - The value that the method is called on.
 * @param name - The method; an unknown method returns another permissive value.
 * @param args - The arguments of the call.
 */
export function callMethod(subject: MethodSubject, name: string, args: readonly unknown[]): unknown {
  const method = methods.get(name)
  if (method) return method(subject, args)
  const toValue = kinds.find(([owner]) => Object.hasOwn(owner, name))?.[1]
  if (!toValue) return subject.result()
  const value = toValue(subject)
  return Reflect.apply(Reflect.get(Object(value), name), value, args)
}

/** Passes the items to the method's callback. */
function eachItem(outcome: (subject: MethodSubject) => unknown): Method {
  return (subject, [callback]) => {
    if (typeof callback === 'function')
      subject.items().forEach((...given) => void Reflect.apply(callback, undefined, given))
    return outcome(subject)
  }
}
