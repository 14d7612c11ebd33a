import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  type MiddlewareConsumer,
  Module,
  type ModuleMetadata,
  type NestModule,
  RequestMethod,
} from '@nestjs/common'
import { type BridgeOptions, createBridge, toNodeHandler } from '@trestle/core'

/** The path of the bridge, and its options. */
export type MountedOptions = BridgeOptions & {
  /** The path of the bridge, after the app's global prefix. @default /api/bridge */
  readonly path?: string | undefined
}

/** Creates the options from other providers. */
export interface AsyncBridgeOptions extends Pick<ModuleMetadata, 'imports'> {
  /**
   * Returns the options. It receives the providers listed in `inject`, so that workflows can use the app's services.
   */
  readonly useFactory: FactoryProvider<MountedOptions>['useFactory']
  /** The providers passed to `useFactory`. @default none */
  readonly inject?: FactoryProvider['inject'] | undefined
}

const token: unique symbol = Symbol('the options of the bridge')

const rawBodyHint =
  'In NestJS, keep the raw body: NestFactory.create(AppModule, { rawBody: true }), or turn the parser off: { bodyParser: false }.'

/**
 * Serves workflows from NestJS, on Express or Fastify.
 *
 * @example
 * BridgeModule.registerAsync({
 *   imports: [OrdersModule],
 *   inject: [OrdersService],
 *   useFactory: (orders: OrdersService) => ({ workflows: [orderShipped(orders)] }),
 * })
 */
export class BridgeModule implements NestModule {
  readonly #options: MountedOptions

  /** Called by NestJS. */
  constructor(options: MountedOptions) {
    this.#options = options
  }

  /** Returns the module for a static list of workflows. */
  static register(options: MountedOptions): DynamicModule {
    return { module: BridgeModule, providers: [{ provide: token, useValue: options }] }
  }

  /** Returns the module for workflows that use injected services. */
  static registerAsync({ imports = [], inject = [], useFactory }: AsyncBridgeOptions): DynamicModule {
    return { module: BridgeModule, imports, providers: [{ provide: token, inject, useFactory }] }
  }

  /**
   * Mounts the bridge; called by NestJS.
   *
   * @throws TypeError - An option is invalid.
   */
  configure(consumer: MiddlewareConsumer): void {
    const { path = '/api/bridge', ...options } = this.#options
    consumer.apply(toNodeHandler(createBridge(options), { rawBodyHint })).forRoutes({ path, method: RequestMethod.ALL })
  }
}

// Equivalent to the decorator, whose syntax would require compiler settings.
Module({})(BridgeModule)
Inject(token)(BridgeModule, undefined, 0)
