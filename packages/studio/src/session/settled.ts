import { useEffect, useState } from 'react'

const settleMs = 200

/** Returns a value once it has not changed for a moment; the first defined value is returned at once. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value, which is new in each render
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settled === undefined ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
