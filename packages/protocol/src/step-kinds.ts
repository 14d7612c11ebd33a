const classes = {
  email: 'message',
  sms: 'message',
  push: 'message',
  chat: 'message',
  in_app: 'message',
  tool: 'message',
  digest: 'wait',
  delay: 'wait',
  wait_for_event: 'wait',
  throttle: 'throttle',
  trigger: 'trigger',
  custom: 'data',
  http_request: 'data',
} as const

/**
 * The class of each step type: a step sends a message, makes the run wait, can end the run, triggers another workflow, or
 * only stores data. The type of a message is also the name of its channel.
 *
 * @source bridge-protocol.md#replies
 */
export const stepClasses: Readonly<typeof classes> = Object.freeze(classes)

/** The type of a step in the protocol. */
export type StepType = keyof typeof classes

/** What a step does in its run. */
export type StepClass = (typeof classes)[StepType]

/** The step types that belong to given classes. */
export type StepTypeOf<TClass extends StepClass> = {
  [TType in StepType]: (typeof classes)[TType] extends TClass ? TType : never
}[StepType]

/** The type of a step that sends a message; also the name of a channel. */
export type MessageType = StepTypeOf<'message'>

/** The method of `step` for a type, such as `inApp` for `in_app`. */
export type StepName<TType extends StepType = StepType> = CamelCase<TType>

type CamelCase<TText extends string> = TText extends `${infer TFirst}_${infer TRest}`
  ? `${TFirst}${Capitalize<CamelCase<TRest>>}`
  : TText

/** All step types. */
export const stepTypes: readonly StepType[] = Object.keys(classes) as StepType[]

/** The step types that send a message, which are also the channels. */
export const messageTypes: readonly MessageType[] = stepTypes.filter((type) => isOfClass(type, 'message'))

/**
 * Checks whether a value is a step type.
 *
 * @param value - Any value, for example from a bridge reply.
 * @example
 * isStepType('in_app') // true
 */
export function isStepType(value: unknown): value is StepType {
  return stepTypes.includes(value as StepType)
}

/**
 * Checks whether a step type belongs to one of the given classes. Unknown types belong to none.
 *
 * @param type - The step type to check.
 * @param wanted - The accepted classes.
 * @example
 * isOfClass('digest', 'wait', 'throttle') // true
 */
export function isOfClass<TClass extends StepClass>(
  type: StepType,
  ...wanted: readonly TClass[]
): type is StepTypeOf<TClass> {
  return wanted.includes(classes[type] as TClass)
}

/**
 * Returns the method of `step` for a step type.
 *
 * @param type - The type.
 * @example
 * toStepName('in_app') // 'inApp'
 */
export function toStepName<TType extends StepType>(type: TType): StepName<TType> {
  return type.replace(/_(.)/g, (_, first: string) => first.toUpperCase()) as StepName<TType>
}
