import { type Scene, scenes, timeOf } from '../context/test-context.ts'
import { swap } from './replace-property.ts'

/**
 * Lets `Date` tell the time of the scene, and a rehearsal decide what `Math.random` gives to a workflow function.
 * Outside of a scene both are as before.
 *
 * @returns Puts both back.
 */
export function patchClock(): () => void {
  const restores = [
    swap(globalThis, 'Date', (original) => new Proxy(original, toTraps(original))),
    swap(Math, 'random', (original) => () => forcedRandom(scenes.getStore()) ?? original()),
  ]
  return () => {
    for (const restore of restores) restore()
  }
}

function toTraps(original: DateConstructor): ProxyHandler<DateConstructor> {
  const now = (): number => {
    const scene = scenes.getStore()
    return scene ? timeOf(scene) : original.now()
  }
  return {
    construct(target, args: unknown[], newTarget) {
      // Also for a class that extends Date: it keeps its own prototype.
      return Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object
    },
    apply: () => new original(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  }
}

function forcedRandom(scene: Scene | undefined): number | undefined {
  return scene?.inFunction ? scene.rehearsal?.random : undefined
}
