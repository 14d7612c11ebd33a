import {
  type ConnectionPool,
  createConnectionPool,
  createRecordLookup,
  type NetworkOptions,
  type RecordLookupOptions,
} from '@trestle/bridge-client'
import type { Logger } from 'pino'
import { createAccounts } from '../accounts/accounts.ts'
import { createOtherWork } from '../background/other-work.ts'
import { type BridgeSettings, createBridgePort } from '../bridge/bridge-port.ts'
import { createTargetLoader } from '../bridge/load-target.ts'
import { createSyncFeed } from '../bridge/sync-feed.ts'
import { createAuthorizer } from '../channels/auth/authorizer.ts'
import { createChannels } from '../channels/channels.ts'
import { sendMessage } from '../channels/send-message.ts'
import { withComposer } from '../compose/compose-step.ts'
import { isLoopback } from '../config/is-loopback.ts'
import type { Settings } from '../config/settings.ts'
import { createServiceAddress, type ServiceAddress } from '../context/service-address.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { createConversationFeed } from '../conversations/base/conversation-feed.ts'
import { createEngine } from '../engine/engine.ts'
import { createInboxFeed } from '../inbox/inbox-feed.ts'
import { createOpenStreams } from '../inbox/open-streams.ts'
import { createRevocations } from '../keys/revocations.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { observeBridge, observeChannels, observeQueue } from '../metrics/observe-ports.ts'
import { createStateReader } from '../metrics/read-state.ts'
import { traceBridge, traceChannels } from '../metrics/trace-ports.ts'
import { type FreshKey, prepareEnvironments } from '../operations/environments/prepare-environments.ts'
import { createServiceOutbound } from '../outbound/service-outbound.ts'
import { createQueue } from '../queue/create-queue.ts'
import type { Queue } from '../queue/queue.ts'
import { createReportIntake } from '../reports/report-intake.ts'
import { nameDatabase } from '../store/faults/name-database.ts'
import { migrate } from '../store/migrate.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createEventRecorder } from '../webhooks/event-recorder.ts'
import { bindSecrets } from './bind-secrets.ts'
import { openVault } from './open-vault.ts'

/** The parts of a started service. */
export interface Started {
  readonly context: ServiceContext
  readonly queue: Queue
  /** The idle connections to bridges and providers. */
  readonly connections: Pick<ConnectionPool, 'close'>
  /** Metrics for operators. */
  readonly metrics: Metrics
  /** The keys created at this start. */
  readonly freshKeys: readonly FreshKey[]
}

const loopback = ['127.0.0.0/8', '::1/128'] as const

/**
 * Opens the database and creates the parts of the service. The engine is not started.
 *
 * @throws The database is unreachable, or was migrated by a newer version. In that case, it is closed.
 */
export async function createContext(settings: Settings, logger: Logger): Promise<Started> {
  const onError = (error: unknown): void => logger.error({ err: error }, 'the database failed')
  const store = openStore({ ...settings, onIdleError: onError })
  try {
    return await create({ settings, logger, store, onError })
  } catch (error) {
    await store.close().catch(() => undefined)
    throw store.driver === 'sqlite' ? nameDatabase(error, settings.databaseFile) : error
  }
}

interface Parts {
  readonly settings: Settings
  readonly logger: Logger
  readonly store: Store
  readonly onError: (error: unknown) => void
}

async function create({ settings, logger, store, onError }: Parts): Promise<Started> {
  const { clock, dataFolder, encryptionKey, previousEncryptionKeys: previous, secretKeys } = settings
  const vault = await openVault(store.db, { given: encryptionKey, dataFolder, previous }, (file) =>
    logger.warn({ file }, 'the encryption key is readable by others: run chmod 600'),
  )
  await migrate(store)
  await bindSecrets(store, vault, logger)
  const given = { vault, secretKeys, nowMs: clock.now() }
  const { organizationId, freshKeys, ownEnvironmentIds, replacedKeys } = await prepareEnvironments(store, given)
  for (const environment of replacedKeys)
    logger.warn({ environment }, 'the configured secret key was regenerated: configure the new key, or none')
  const { queue, metrics } = createWatchedQueue({ settings, logger, store, onError })
  const address = createServiceAddress(settings.publicUrl)
  const connections = createConnectionPool()
  const bridgeSettings = { ...closeOwn(allowLoopback(settings), address), connections }
  const outbound = createServiceOutbound(bridgeSettings as NetworkOptions, organizationId)
  const observer = { metrics, logger }
  const bridge = withComposer(traceBridge(observeBridge(createBridgePort(bridgeSettings), observer)), outbound)
  const sending = { store, vault, outbound, authorizer: createAuthorizer(outbound), clock }
  const channels = traceChannels(observeChannels(createChannels(sending), observer))
  const target = createTargetLoader(store.db, vault)
  const { calls, callsPerEnvironment, callsPerWorkflow, quietMs, maxSteps } = settings
  const conversationFeed = createConversationFeed(store)
  const conversations = { store, queue, clock, feed: conversationFeed }
  const events = createEventRecorder(queue)
  const others = createOtherWork({
    ...{ conversations, events, outbound, vault, bridgeSettings, address, loadTarget: target, logger },
    disableAfterMs: settings.webhookDisableAfterMs,
  })
  const ports = { store, queue, clock, bridge, channels, events, loadTarget: target, logger }
  const engine = createEngine({ ...ports, calls, callsPerEnvironment, callsPerWorkflow, quietMs, maxSteps, others })
  const revocations = createRevocations()
  const context: ServiceContext = {
    store,
    clock,
    vault,
    engine,
    sendMessage: (message) => sendMessage(message, sending),
    bridge,
    bridgeSettings,
    outbound,
    findRecords: createRecordLookup(toNameServers(settings)),
    revocations,
    syncFeed: createSyncFeed(store),
    conversations,
    events,
    reports: createReportIntake({ store, events, outbound, logger, observe: metrics.observeReport }),
    queue,
    conversationFeed,
    inboxFeed: createInboxFeed({ store, databaseUrl: settings.databaseUrl, onError }),
    inboxStreams: createOpenStreams({ db: store.db, clock, revocations }),
    address,
    loadTarget: target,
    ...{ settings, organizationId, ownEnvironmentIds },
    accounts: await createAccounts(settings, { store, now: clock.now, onError }),
    logger,
  }
  return { context, queue, connections, metrics, freshKeys }
}

const toNameServers = ({ inboundMail }: Settings): RecordLookupOptions =>
  inboundMail?.nameServers === undefined ? {} : { servers: inboundMail.nameServers }

function createWatchedQueue({ settings, logger, store, onError }: Parts): Pick<Started, 'queue' | 'metrics'> {
  const queue = createQueue(store, {
    onError,
    onTakeover(dead, items) {
      metrics.observeTakeover(dead.length)
      logger.warn({ dead, items }, 'took the work of dead processes')
    },
  })
  const metrics = createMetrics(createStateReader({ store, queue, now: settings.clock.now }))
  return { queue: observeQueue(queue, { metrics }), metrics }
}

/** The service never calls itself, regardless of the allowed address ranges. */
const closeOwn = (bridge: BridgeSettings, address: ServiceAddress): BridgeSettings => ({
  ...bridge,
  isClosed: (endpoint) => address.isOwn(endpoint) || bridge.isClosed?.(endpoint) === true,
})

/**
 * A local development service calls bridges on its own machine. A service that listens for others must not reach its
 * loopback. If ranges are configured, even an empty list, only those are allowed.
 */
function allowLoopback({ bridge, host }: Settings): BridgeSettings {
  return bridge.allow !== undefined || !isLoopback(host) ? bridge : { ...bridge, allow: loopback }
}
