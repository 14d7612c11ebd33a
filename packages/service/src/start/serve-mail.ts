import { readFile } from 'node:fs/promises'
import type { MailServer } from '@trestle/inbound-mail'
import { type InboundMailSettings, SettingsError } from '../config/settings.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { createMailIntake } from '../inbound-mail/mail-intake.ts'

/**
 * Starts the mail server of inbound domains if the settings contain a port. Its package is loaded only then.
 *
 * @returns The server; `undefined` if there is none.
 * @throws {SettingsError} The package is not installed, or a file cannot be read.
 */
export async function serveMail({
  settings,
  conversations,
  findRecords,
  logger,
}: ServiceContext): Promise<MailServer | undefined> {
  const { inboundMail } = settings
  if (inboundMail?.port === undefined) return undefined
  const { port, address, hostName, maxMessageBytes } = inboundMail
  const { startMailServer } = await import('@trestle/inbound-mail').catch(toMissing)
  const server = await startMailServer({
    ...{ port, host: address ?? settings.host, hostName, maxMessageBytes, findRecords },
    ...createMailIntake(conversations),
    certificate: await readCertificate(inboundMail),
    onError: (err) => logger.error({ err }, 'a mail could not be received'),
    onRefusal: ({ code, message }, remoteAddress) =>
      logger.info({ code, reason: message, remoteAddress }, 'a mail was rejected'),
  })
  logger.info({ port: server.port, hostName }, 'listening for mail')
  return server
}

function toMissing(error: unknown): never {
  if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new SettingsError(
    'inboundMail.port requires the package @trestle/inbound-mail: npm install @trestle/inbound-mail',
  )
}

async function readCertificate({ keyFile, certFile }: InboundMailSettings) {
  if (keyFile === undefined || certFile === undefined) return undefined
  const [key, cert] = await Promise.all([read('keyFile', keyFile), read('certFile', certFile)])
  return { key, cert }
}

async function read(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new SettingsError(`inboundMail.${name}: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
}
