import { useEffect, useState } from 'react'

const settleMs = 200

/** Returns a value once it has not changed for a moment; returns the first defined value immediately. */
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
