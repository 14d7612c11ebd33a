// Exports the traces of a process: node --import ./opentelemetry.mjs. It reads the variables of OpenTelemetry, such as
// OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_SERVICE_NAME. Needs the package @opentelemetry/sdk-node in its own folder.
import { NodeSDK } from '@opentelemetry/sdk-node'

new NodeSDK().start()
