import { describe, expect, it } from 'vitest'
import { onAbort } from './on-abort.ts'

describe('onAbort', () => {
  it('calls back once, and does not call canceled callbacks', () => {
    const controller = new AbortController()
    const called: number[] = []
    const cancels = [0, 1, 2].map((index) => onAbort(controller.signal, () => called.push(index)))
    cancels[1]?.()
    controller.abort()
    controller.signal.dispatchEvent(new Event('abort'))
    expect(called).toEqual([0, 2])
  })

  it('calls back for an already aborted signal, but never before onAbort returns', async () => {
    const signal = AbortSignal.abort()
    const called: string[] = []
    const cancel = onAbort(signal, () => called.push('cancelled'))
    onAbort(signal, () => called.push('late'))
    cancel()
    expect(called).toEqual([])
    await Promise.resolve()
    expect(called).toEqual(['late'])
  })

  it('skips callbacks that another callback has just canceled', () => {
    const controller = new AbortController()
    const called: string[] = []
    let cancelSecond = (): void => {}
    onAbort(controller.signal, () => {
      called.push('first')
      cancelSecond()
    })
    cancelSecond = onAbort(controller.signal, () => called.push('second'))
    controller.abort()
    expect(called).toEqual(['first'])
  })

  it('accepts the same callback twice, and a missing signal', () => {
    const controller = new AbortController()
    let count = 0
    const callback = (): void => {
      count++
    }
    onAbort(controller.signal, callback)
    onAbort(controller.signal, callback)()
    onAbort(undefined, callback)()
    controller.abort()
    expect(count).toBe(1)
  })
})
