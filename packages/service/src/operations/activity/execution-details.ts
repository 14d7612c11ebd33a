import { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { filledText } from '../../api/input.ts'
import { refuseLargePage } from '../../api/page-size.ts'
import { loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { compact } from '../../json/json.ts'
import { executionDetail } from '../../resources/activity/notification.ts'
import { toDetail } from './run-view.ts'

/** The operation that returns what happened in a run. */
export const executionDetailOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'executionDetails.list',
    access: 'view',
    method: 'GET',
    path: '/v1/execution-details',
    summary: 'Lists the execution details of a run, oldest first, with secrets masked.',
    category: 'global',
    wrapped: true,
    query: z.strictObject({ notificationId: filledText(), subscriberId: filledText() }),
    output: z.array(executionDetail),
    async handler(context, { query: { notificationId, subscriberId } }) {
      const { store, environment, organizationId } = context
      const run = await store.db
        .selectFrom('runs')
        .selectAll()
        .where('id', '=', notificationId)
        .where('environmentId', '=', environment.id)
        .where(({ or, eb }) =>
          or([eb('externalSubscriberId', '=', subscriberId), eb('subscriberId', '=', subscriberId)]),
        )
        .executeTakeFirst()
      if (!run) throw notFound('Notification', notificationId)
      await refuseLargePage(store.db, { table: 'executionDetails', by: 'runId', ids: [run.id], columns: ['raw'] })
      const rows = await store.db
        .selectFrom('executionDetails')
        .leftJoin('jobs', 'jobs.id', 'executionDetails.jobId')
        .selectAll('executionDetails')
        .select('jobs.type')
        .where('executionDetails.runId', '=', run.id)
        .orderBy('executionDetails.id')
        .execute()
      const hide = await loadHide(context)
      return rows.map((row) =>
        compact({
          ...toDetail(row, hide),
          _organizationId: organizationId,
          _environmentId: environment.id,
          _jobId: row.jobId ?? undefined,
          _notificationId: run.id,
          _notificationTemplateId: run.workflowId,
          _subscriberId: run.subscriberId,
          _messageId: row.messageId ?? undefined,
          transactionId: run.transactionId,
          channel: row.type ?? undefined,
        }),
      )
    },
  }),
])
