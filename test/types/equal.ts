/** Whether two types are the same, not only assignable. */
export type Equal<TLeft, TRight> =
  (<T>() => T extends TLeft ? 1 : 2) extends <T>() => T extends TRight ? 1 : 2 ? true : false

/** Compiles only for a value whose type is exactly the wanted one: `exactly<string>()(value)`. */
export declare function exactly<TWanted>(): <TGiven>(
  value: TGiven,
  ...same: Equal<TGiven, TWanted> extends true ? [] : [wanted: TWanted, given: TGiven]
) => void
